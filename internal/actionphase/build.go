package actionphase

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// leave returns the account that the transaction leaves.
func (p *phase) leave(t *transaction, before, after *account, endLT uint64) *account {
	out := &account{workchain: before.workchain, id: before.id, lastLT: endLT, balance: p.balance, status: statusActive, state: p.state}
	out.lastPaid, out.due = after.lastPaid, after.due
	if after.status == statusNonexist {
		out.lastPaid, out.due = t.now, before.due
		if p.fundamental {
			out.lastPaid = 0
		}
		switch {
		case t.storageDue != nil && p.config.version >= 4:
			out.due = t.storageDue
		case t.storageDue == nil && p.config.version >= 7:
			out.due = nil
		}
	}
	if p.deleted {
		out.status, out.state = statusUninit, stateInit{}
		if p.balance.isZero() {
			out.status = statusNonexist
		}
	}
	return out
}

// build makes the transaction.
func (t *transaction) build(p *phase, before, after *account, back *bounced) (*Result, error) {
	out := &Result{EndLT: t.lt + 1}
	if p.success {
		out.Messages = p.messages
	}
	fees := value{grams: new(big.Int).Add(t.storageFees, t.gasFees)}
	if t.acts && (p.success || p.fines()) && !p.unsent {
		fees.grams.Add(fees.grams, p.fees)
	}
	if back != nil && !back.noFunds {
		out.Messages = append(out.Messages, back.message)
		fees.grams.Add(fees.grams, back.collected)
	}
	out.EndLT += uint64(len(out.Messages))
	if p.unsent {
		out.EndLT += uint64(len(p.messages))
	}
	account := p.leave(t, before, after, out.EndLT)
	var err error
	if out.Account, err = account.build(p.config.version, before, after); err != nil {
		return nil, err
	}
	dict := cell.NewDict(15)
	for i, message := range out.Messages {
		if err := dict.SetIntKey(big.NewInt(int64(i)), cell.BeginCell().MustStoreRef(message).EndCell()); err != nil {
			return nil, fmt.Errorf("messages: %w", err)
		}
	}
	messages := cell.BeginCell().MustStoreMaybeRef(t.inMessage)
	if len(out.Messages) > 0 {
		messages.MustStoreMaybeRef(dict.AsCell())
	} else {
		messages.MustStoreMaybeRef(nil)
	}
	b := cell.BeginCell().MustStoreBuilder(t.head).MustStoreUInt(uint64(len(out.Messages)), 15).MustStoreUInt(t.origStatus, 2).MustStoreUInt(uint64(account.status), 2).
		MustStoreRef(messages.EndCell())
	if err := fees.store(b); err != nil {
		return nil, err
	}
	update := cell.BeginCell().MustStoreUInt(0x72, 8).MustStoreSlice(t.oldHash, 256).MustStoreSlice(out.Account.Hash(), 256)
	description := t.description
	description.MustStoreBuilder(t.compute)
	if t.acts {
		description.MustStoreBoolBit(true).MustStoreRef(p.serialize())
	} else {
		description.MustStoreBoolBit(false)
	}
	description.MustStoreBoolBit(!p.success)
	if t.ordinary {
		back.store(description)
	}
	description.MustStoreBoolBit(p.deleted)
	out.Transaction = b.MustStoreRef(update.EndCell()).MustStoreRef(description.EndCell()).EndCell()
	return out, nil
}

func storeUsage(b *cell.Builder, cells, bits uint64) {
	b.MustStoreBigVarUInt(new(big.Int).SetUint64(cells), 7).MustStoreBigVarUInt(new(big.Int).SetUint64(bits), 7)
}

// store stores Maybe TrBouncePhase.
func (f *bounced) store(b *cell.Builder) {
	switch {
	case f == nil:
		b.MustStoreBoolBit(false)
	case f.noFunds:
		b.MustStoreBoolBit(true).MustStoreUInt(1, 2)
		storeUsage(b, f.cells, f.bits)
		b.MustStoreBigCoins(f.fees)
	default:
		b.MustStoreBoolBit(true).MustStoreUInt(1, 1)
		storeUsage(b, f.cells, f.bits)
		b.MustStoreBigCoins(f.collected).MustStoreBigCoins(f.fees)
	}
}

// serialize makes TrActionPhase.
func (p *phase) serialize() *cell.Cell {
	maybe := func(b *cell.Builder, fees *big.Int) {
		if fees.Sign() == 0 {
			b.MustStoreBoolBit(false)
			return
		}
		b.MustStoreBoolBit(true).MustStoreBigCoins(fees)
	}
	b := cell.BeginCell().MustStoreBoolBit(p.success).MustStoreBoolBit(p.valid).MustStoreBoolBit(p.noFunds)
	if p.deleted {
		b.MustStoreUInt(3, 2)
	} else {
		b.MustStoreUInt(0, 1)
	}
	maybe(b, p.forward)
	maybe(b, p.fees)
	b.MustStoreInt(int64(p.code), 32)
	if p.arg != 0 {
		b.MustStoreBoolBit(true).MustStoreInt(int64(p.arg), 32)
	} else {
		b.MustStoreBoolBit(false)
	}
	for _, n := range []int{p.total, p.special, p.skipped, len(p.messages)} {
		b.MustStoreUInt(uint64(n), 16)
	}
	b.MustStoreSlice(p.listHash, 256)
	storeUsage(b, p.cells, p.bits)
	return b.EndCell()
}
