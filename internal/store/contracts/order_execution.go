package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// maxOrderMessages bounds how far back an order's messages are read: it sends one for each approval, and its request for
// execution last.
const maxOrderMessages = 256

// SelectOrderExecutions finds the message that requests the execution, and the transaction of the wallet that received it.
const SelectOrderExecutions = `SELECT o.address, o.multisig, t.aborted FROM unnest($1::bytea[], $2::bytea[]) o(address, multisig)
	CROSS JOIN LATERAL (SELECT m.dst_tx_lt FROM
		(SELECT m.dst_tx_lt, m.opcode, m.destination, m.kind, m.lt FROM messages m WHERE m.account = o.address ORDER BY m.lt DESC LIMIT $3) m
		WHERE m.opcode = $4 AND m.destination = o.multisig AND m.kind = 0 ORDER BY m.lt DESC LIMIT 1) m
	JOIN transactions t ON t.account = o.multisig AND t.lt = m.dst_tx_lt ORDER BY o.address, o.multisig`

// OrderExecutions finds the transactions of multisig wallets that were requested to execute orders. An order that sent no
// request, or whose wallet's transaction is not indexed, is left out.
func (r *Reader) OrderExecutions(ctx context.Context, orders []chain.OrderKey) ([]chain.OrderExecution, error) {
	if len(orders) == 0 {
		return nil, nil
	}
	addresses, wallets := make([]chain.Address, len(orders)), make([]chain.Address, len(orders))
	for i, o := range orders {
		addresses[i], wallets[i] = o.Order, o.Multisig
	}
	return sqlbuild.Collect(ctx, r.pool, "executions of orders", len(orders), scanOrderExecution, SelectOrderExecutions,
		sqlbuild.AddressArray(addresses), sqlbuild.AddressArray(wallets), int64(maxOrderMessages), int64(chain.OpOrderExecute))
}

func scanOrderExecution(r *sqlbuild.Row, e *chain.OrderExecution) {
	e.Order = r.Address()
	e.Multisig = r.Address()
	e.Aborted = r.Bool()
}
