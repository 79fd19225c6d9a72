package actionphase

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// gasFull is the first global version in which a message to a fundamental account has all gas of the account before it is accepted.
const gasFull = 5

// noGas is the compute phase that is skipped for lack of gas: tr_phase_compute_skipped with cskip_no_gas.
const noGas = 0b010

// fundamental reports whether the configuration names the account: it pays neither fees nor rent.
func (c *Config) fundamental(a *account) bool {
	return a.workchain == -1 && len(a.id) == 32 && c.special[[32]byte(a.id)]
}

// asFundamental gives the transaction in the input what the network makes differently of an account that the configuration names, and reports
// whether that is anything. An account is fundamental once it exists: its first message has the gas that it pays for, and the account pays rent
// from then on. A message from outside has the gas limit of the account, although it pays for nothing.
func (t *transaction) asFundamental(config *Config, in *Input, before, after *account) bool {
	if before.status == statusNonexist {
		return config.fundamental(after) && t.asFirst(config, in, after)
	}
	limit := config.gas(true).SpecialGasLimit
	if !config.fundamental(before) || config.version < gasFull || limit == 0 || t.details == nil || in.Message == nil || !readInbound(in.Message).external {
		return false
	}
	r := readerOf(t.details)
	if r.err != nil {
		return false
	}
	start, used := r.s.Copy(), cell.BeginCell()
	if r.varUint(3); r.err == nil { // gas_used
		used = r.since(start)
	}
	if r.varUint(3); r.err != nil {
		return false
	}
	details := used.MustStoreBigVarUInt(new(big.Int).SetUint64(limit), 7)
	if details.StoreBuilder(r.rest()) != nil {
		return false
	}
	fields := t.compute.EndCell().MustBeginParse()
	compute := cell.BeginCell().MustStoreSlice(fields.MustPreloadSlice(fields.BitsLeft()), fields.BitsLeft()).MustStoreRef(details.EndCell())
	in.Transaction = t.replaced(in.Transaction, in.After, t.description.Copy().MustStoreBuilder(compute).MustStoreBuilder(t.tail).EndCell())
	return true
}

// asFirst gives the transaction in the input what the first transaction of an account has.
func (t *transaction) asFirst(config *Config, in *Input, after *account) bool {
	description := in.Transaction.MustPeekRef(int(in.Transaction.RefsNum()) - 1)
	if t.noState && t.credit != nil && boughtGas(config.gas(true), t.credit) == 0 {
		description = t.withoutGas()
	}
	after.lastPaid = t.now
	in.After = after.cell()
	in.Transaction = t.replaced(in.Transaction, in.After, description)
	return true
}

// withoutGas returns the description with a compute phase that is skipped for lack of gas, instead of one that is skipped.
func (t *transaction) withoutGas() *cell.Cell {
	return t.description.Copy().MustStoreUInt(noGas, 3).MustStoreBuilder(t.tail).EndCell()
}

// replaced returns the transaction with another account that it leaves, and another description.
func (t *transaction) replaced(old, after, description *cell.Cell) *cell.Cell {
	update := cell.BeginCell().MustStoreUInt(0x72, 8).MustStoreSlice(t.oldHash, 256).MustStoreSlice(after.Hash(), 256).EndCell()
	b := cell.BeginCell().MustStoreSlice(old.MustBeginParse().MustPreloadSlice(old.BitsSize()), old.BitsSize())
	for i := range int(old.RefsNum()) - 2 {
		b.MustStoreRef(old.MustPeekRef(i))
	}
	return b.MustStoreRef(update).MustStoreRef(description).EndCell()
}
