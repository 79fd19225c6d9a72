package multisig

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

func init() {
	contract.Register(contract.Family{Name: "multisig", Detect: detect})
}

// maxOrderCells bounds the orders that are stored; a message cannot carry more than 8192 cells.
const maxOrderCells = 8192

func detect(ctx context.Context, p *contract.Probe) error {
	if p.Has("get_multisig_data", "get_order_address") {
		if err := detectWallet(ctx, p); err != nil {
			return err
		}
	}
	if p.Has("get_order_data") {
		return detectOrder(ctx, p)
	}
	return nil
}

func detectWallet(ctx context.Context, p *contract.Probe) error {
	r, err := p.Run(ctx, "get_multisig_data")
	if err != nil {
		return err
	}
	m := &chain.Multisig{
		Address: p.State.Address, NextOrderSeqno: r.Int(), Threshold: int(r.Uint64(8)),
		CodeHash: p.CodeHash, DataHash: p.DataHash, LastTxLT: p.State.LastTxLT,
	}
	signers, proposers := r.Cell(), r.CellOrNull()
	if r.Err() != nil {
		return nil //nolint:nilerr // a failing get-method means that it is no multisig
	}
	var ok bool
	if m.Signers, ok = Members(signers); !ok || len(m.Signers) == 0 {
		return nil
	}
	if m.Proposers, ok = Members(proposers); ok {
		p.Facts.Multisig = m
	}
	return nil
}

func detectOrder(ctx context.Context, p *contract.Probe) error {
	r, err := p.Run(ctx, "get_order_data")
	if err != nil {
		return err
	}
	o := &chain.MultisigOrder{
		Address: p.State.Address, Multisig: r.NeedAddress(), Seqno: r.Unsigned(256),
		CodeHash: p.CodeHash, DataHash: p.DataHash, LastTxLT: p.State.LastTxLT,
	}
	readOrder(r, o)
	if r.Err() != nil {
		return nil //nolint:nilerr // a failing get-method means that it is no order
	}
	ok, err := p.Confirm(ctx, o.Multisig, "get_order_address", o.Seqno)
	if err != nil || !ok {
		return err
	}
	p.Facts.MultisigOrder = o
	return nil
}

// readOrder takes the values after the number; all of them are null until the order is initialised.
func readOrder(r *contract.Reader, o *chain.MultisigOrder) {
	o.Signers = []chain.Address{}
	threshold := r.IntOrNull()
	if threshold == nil {
		return
	}
	if !threshold.IsUint64() || threshold.Uint64() > 255 {
		r.Failf("a threshold of %s", threshold)
		return
	}
	n := int(threshold.Uint64())
	sent := r.Bool()
	signers, ok := Members(r.Cell())
	mask, approvals, expires := r.Unsigned(256), int(r.Uint64(8)), r.Int64()
	boc, fits := contract.Serialize(r.Cell(), maxOrderCells)
	if !ok || !fits {
		r.Failf("signers or an order of a wrong form")
		return
	}
	o.Threshold, o.SentForExecution, o.Signers = &n, &sent, signers
	o.ApprovalsMask, o.ApprovalsNum, o.Expiration, o.Order = mask, &approvals, &expires, boc
}

// Members reads a dictionary of at most 256 addresses in the order of their indexes; never nil. False: it is not one.
func Members(dict *cell.Cell) ([]chain.Address, bool) {
	list := []chain.Address{}
	if dict == nil {
		return list, true
	}
	if dict.IsSpecial() {
		return list, false
	}
	it, err := dict.AsDict(8).Iterator(false, false)
	if err != nil {
		return list, false
	}
	for it.Next() { // at most 256: the key has 8 bits
		l := contract.LoadSlice(it.Item().Value)
		a := l.NeedAddress()
		if l.Err() != nil {
			return list, false
		}
		list = append(list, a)
	}
	return list, it.Err() == nil
}
