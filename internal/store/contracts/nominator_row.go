package contracts

import (
	"math/big"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Columns of the tables of pools of nominators in the order in which they are written and read.
const (
	NominatorPoolTable = `address, last_tx_lt, validator, nominators, code_hash, data_hash`
	nominatorPoolWidth = 6

	nominatorPositions     = "nominator_positions"
	NominatorPositionTable = `nominator, pool, balance, pending, requested`
	nominatorPositionWidth = 5
)

func writeNominatorPool(c *sqlbuild.CopyBuffer, p *chain.NominatorPool) {
	c.Row(nominatorPoolWidth)
	c.Address(&p.Address)
	c.Int8(int64(p.LastTxLT))
	c.Address(&p.Validator)
	c.Bytes(packNominators(p.Nominators))
	c.Hash(&p.CodeHash)
	c.Hash(&p.DataHash)
}

// packNominators returns all that the rows of nominator_positions have of the nominators of a pool: the address, both amounts in 16 bytes
// each, and whether the nominator requested them.
func packNominators(list []chain.PoolNominator) []byte {
	const amount, size = 16, chain.AddressSize + 2*16 + 1
	packed := make([]byte, 0, len(list)*size)
	for i := range list {
		n := &list[i]
		packed = append(packed, n.Address.Bytes()...)
		for _, v := range [...]*big.Int{n.Balance, n.PendingBalance} {
			packed = append(packed, v.FillBytes(make([]byte, amount))...) // Coins have 15
		}
		requested := byte(0)
		if n.WithdrawalRequested {
			requested = 1
		}
		packed = append(packed, requested)
	}
	return packed
}

// writeNominatorPositions writes a row for each nominator of a pool. A dictionary names each once.
func writeNominatorPositions(c *sqlbuild.CopyBuffer, p *chain.NominatorPool) {
	for i := range p.Nominators {
		n := &p.Nominators[i]
		c.Row(nominatorPositionWidth)
		c.Address(&n.Address)
		c.Address(&p.Address)
		c.Amount(n.Balance)
		c.Amount(n.PendingBalance)
		c.Bool(n.WithdrawalRequested)
	}
}

func scanNominatorPosition(r *sqlbuild.Row, p *chain.NominatorPosition) {
	p.Nominator = r.Address()
	p.Pool = r.Address()
	p.Balance = r.Numeric()
	p.PendingBalance = r.Numeric()
	p.WithdrawalRequested = r.Bool()
}
