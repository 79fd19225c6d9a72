package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

// historyPerQuery is the number of transactions that liteservers return at most.
const historyPerQuery = 16

// History lists transactions of an account, newest first. The first has the requested hash, and each contains the hash of
// the one before it.
func (c *Client) History(ctx context.Context, account chain.Address, from chain.TransactionRef, limit int) ([]chain.RawTransaction, error) {
	var all []chain.RawTransaction
	for len(all) < limit && from.LT != 0 {
		w := want{what: fmt.Sprintf("transaction %d of account %s", from.LT, account), lt: ltPosition(from.LT)}
		at, left := from, min(limit-len(all), historyPerQuery) // copies: a slow server may read them later
		part, err := query(ctx, c.pool, w, func(ctx context.Context, s *server) (p historyPart, err error) {
			response, err := call[ton.TransactionList](ctx, s, ton.GetTransactions{
				Limit: int32(left), LT: int64(at.LT), TxHash: at.Hash[:],
				AccID: &ton.AccountID{Workchain: account.Workchain, ID: account.ID[:]},
			})
			if err != nil {
				return p, err
			}
			err = believable("a history", func() error {
				p.list, p.next, err = checkHistory(account, at, response)
				return err
			})
			return p, err
		})
		if err != nil {
			return nil, err
		}
		all, from = append(all, part.list...), part.next
	}
	return all[:min(limit, len(all))], nil
}

// historyPart is the content of one response and the start of the next.
type historyPart struct {
	list []chain.RawTransaction
	next chain.TransactionRef
}

// checkHistory checks the chain of hashes in a list and returns the id of the transaction that comes next.
func checkHistory(account chain.Address, from chain.TransactionRef, response ton.TransactionList) ([]chain.RawTransaction, chain.TransactionRef, error) {
	if len(response.Transactions) == 0 {
		return nil, from, &absentError{class: nonexistent, text: "it has no such transaction"}
	}
	roots, err := cellgraph.FromBOCMultiRootWithOptions(response.Transactions, cell.BOCParseOptions{MaxCells: maxHistoryCells})
	if err != nil {
		return nil, from, err
	}
	if len(roots) == 0 || len(roots) != len(response.IDs) {
		return nil, from, fmt.Errorf("it has %d transactions of %d blocks", len(roots), len(response.IDs))
	}
	list := make([]chain.RawTransaction, len(roots))
	for i, root := range roots {
		if chain.Hash(root.HashKey()) != from.Hash {
			return nil, from, errors.New("a transaction in it has another hash than it should")
		}
		var tx tlb.Transaction
		if err := tlb.Parse(&tx, root); err != nil {
			return nil, from, err
		}
		if tx.LT != from.LT || chain.HashFrom(tx.AccountAddr) != account.ID {
			return nil, from, lie(nil, "returned a transaction of another account or LT")
		}
		list[i] = chain.RawTransaction{Block: fromTL(response.IDs[i]), Root: root}
		from = chain.TransactionRef{LT: tx.PrevTxLT, Hash: chain.HashFrom(tx.PrevTxHash)}
	}
	return list, from, nil
}
