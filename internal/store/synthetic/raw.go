package synthetic

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// sealed is a message with its cell.
type sealed struct {
	chain.Message
	cell *cell.Cell
}

// seal makes the cell of a message with this body, and sets what follows from it.
func seal(m chain.Message, body *cell.Cell) sealed {
	m.BodyHash, m.Body = chain.Hash(body.HashKey()), content(body)
	b := cell.BeginCell()
	switch m.Kind {
	case chain.ExternalIn:
		b.MustStoreUInt(0b10, 2)
		destination := cell.BeginCell()
		storeAddress(destination, m.Destination)
		norm := cell.BeginCell().MustStoreUInt(0b1000, 4).MustStoreBuilder(destination).MustStoreUInt(1, 6).MustStoreRef(body).EndCell()
		hash := chain.Hash(norm.HashKey())
		m.HashNorm = &hash
		b.MustStoreUInt(0, 2).MustStoreBuilder(destination).MustStoreBigCoins(m.ImportFee)
	case chain.ExternalOut:
		b.MustStoreUInt(0b11, 2)
		storeAddress(b, m.Source)
		b.MustStoreUInt(0, 2).MustStoreUInt(*m.CreatedLT, 64).MustStoreUInt(uint64(*m.CreatedAt), 32)
	case chain.InternalMessage:
		b.MustStoreBoolBit(false).MustStoreBoolBit(*m.IHRDisabled).MustStoreBoolBit(*m.Bounce).MustStoreBoolBit(*m.Bounced)
		storeAddress(b, m.Source)
		storeAddress(b, m.Destination)
		storeCurrencies(b, *m.Value)
		b.MustStoreBigCoins(m.ExtraFlags)
		storeCoins(b, *m.FwdFee)
		b.MustStoreUInt(*m.CreatedLT, 64).MustStoreUInt(uint64(*m.CreatedAt), 32)
	}
	c := b.MustStoreUInt(0b01, 2).MustStoreRef(body).EndCell() // no state-init, the body in a reference
	m.Hash = chain.Hash(c.HashKey())
	return sealed{m, c}
}

func storeAddress(b *cell.Builder, a *chain.Address) {
	b.MustStoreUInt(0b100, 3).MustStoreInt(int64(a.Workchain), 8).MustStoreSlice(a.ID[:], 256)
}

func storeCoins(b *cell.Builder, c chain.Coins) {
	b.MustStoreBigCoins(new(big.Int).SetUint64(uint64(c)))
}

// storeCurrencies stores a CurrencyCollection without extra currencies.
func storeCurrencies(b *cell.Builder, c chain.Coins) {
	storeCoins(b, c)
	b.MustStoreBoolBit(false)
}

func content(c *cell.Cell) chain.BOC {
	return c.ToBOCWithOptions(cell.BOCSerializeOptions{WithCRC32C: true})
}

// raw is the raw transaction of the fields of t and of its messages. Its hash is not the one of t.
func raw(t *chain.Transaction, in *cell.Cell, out []*cell.Cell) chain.BOC {
	messages := cell.BeginCell().MustStoreMaybeRef(in)
	dict := cell.NewDict(15)
	for i, m := range out {
		if err := dict.SetIntKey(big.NewInt(int64(i)), cell.BeginCell().MustStoreRef(m).EndCell()); err != nil {
			panic(fmt.Errorf("synthetic out-message: %w", err)) //nolint:forbidigo // its key has 15 bits
		}
	}
	messages.MustStoreDict(dict)
	update := cell.BeginCell().MustStoreUInt(0x72, 8).MustStoreSlice(t.StateHashBefore[:], 256).MustStoreSlice(t.StateHashAfter[:], 256)
	b := cell.BeginCell().MustStoreUInt(0b0111, 4).MustStoreSlice(t.Account.ID[:], 256).MustStoreUInt(t.LT, 64)
	b.MustStoreSlice(t.PrevHash[:], 256).MustStoreUInt(t.PrevLT, 64).MustStoreUInt(uint64(t.Now), 32)
	b.MustStoreUInt(uint64(len(out)), 15).MustStoreUInt(uint64(t.OrigStatus), 2).MustStoreUInt(uint64(t.EndStatus), 2)
	b.MustStoreRef(messages.EndCell())
	storeCurrencies(b, t.TotalFees)
	b.MustStoreRef(update.EndCell()).MustStoreRef(describe(&t.Description))
	return content(b.EndCell())
}

// describe makes the cell of a description of the two kinds that the chain has.
func describe(d *chain.TransactionDescription) *cell.Cell {
	b := cell.BeginCell()
	if d.Kind == chain.TickTock {
		b.MustStoreUInt(0b001, 3).MustStoreBoolBit(d.IsTock)
		storeStorage(b, d.Storage)
	} else {
		b.MustStoreUInt(0b0000, 4).MustStoreBoolBit(d.CreditFirst).MustStoreBoolBit(true)
		storeStorage(b, d.Storage)
		b.MustStoreUInt(0b10, 2) // credit phase, nothing due
		storeCurrencies(b, d.Credit.Credit)
	}
	p := d.Compute
	b.MustStoreBoolBit(true).MustStoreBoolBit(p.Success).MustStoreUInt(0, 2)
	storeCoins(b, p.GasFees)
	vm := cell.BeginCell()
	storeVarUint(vm, p.GasUsed)
	storeVarUint(vm, p.GasLimit)
	vm.MustStoreBoolBit(false).MustStoreInt(int64(p.Mode), 8).MustStoreInt(int64(p.ExitCode), 32).MustStoreBoolBit(false)
	vm.MustStoreUInt(uint64(p.VMSteps), 32).MustStoreSlice(p.VMInitStateHash[:], 256).MustStoreSlice(p.VMFinalStateHash[:], 256)
	b.MustStoreRef(vm.EndCell()).MustStoreBoolBit(d.Action != nil)
	if d.Action != nil {
		b.MustStoreRef(act(d.Action))
	}
	b.MustStoreBoolBit(d.Aborted)
	if d.Kind != chain.TickTock {
		b.MustStoreBoolBit(false) // no bounce phase
	}
	return b.MustStoreBoolBit(d.Destroyed).EndCell()
}

func storeStorage(b *cell.Builder, p *chain.StoragePhase) {
	storeCoins(b, p.FeesCollected)
	b.MustStoreUInt(0, 2) // nothing due, status unchanged
}

func act(p *chain.ActionPhase) *cell.Cell {
	b := cell.BeginCell().MustStoreBoolBit(p.Success).MustStoreBoolBit(p.Valid).MustStoreBoolBit(p.NoFunds).MustStoreBoolBit(false)
	b.MustStoreBoolBit(true)
	storeCoins(b, *p.TotalFwdFees)
	b.MustStoreBoolBit(true)
	storeCoins(b, *p.TotalFees)
	b.MustStoreInt(int64(p.ResultCode), 32).MustStoreBoolBit(false)
	for _, n := range [...]uint16{p.TotalActions, p.SpecActions, p.SkippedActions, p.MsgsCreated} {
		b.MustStoreUInt(uint64(n), 16)
	}
	b.MustStoreSlice(p.ActionListHash[:], 256)
	storeVarUint(b, p.MsgSize.Cells)
	storeVarUint(b, p.MsgSize.Bits)
	return b.EndCell()
}

// storeVarUint stores VarUInteger 7.
func storeVarUint(b *cell.Builder, n uint64) {
	size := uint(0)
	for n>>(8*size) != 0 {
		size++
	}
	b.MustStoreUInt(uint64(size), 3).MustStoreUInt(n, 8*size)
}
