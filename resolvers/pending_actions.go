package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/contract"
	_ "tonql/internal/contract/all" // what accounts are is asked of every family
	"tonql/internal/pending"
)

// conclude says what a trace means that is partly foretold. Contracts are known from the index, and those that w changed
// or deployed from themselves, as the index would know them after the blocks to come.
func (x *executor) conclude(ctx context.Context, v *view, t *chain.FullTrace, w *world) error {
	t.Actions = []chain.Action{}
	classifier := x.svc.opts.Classifier
	if classifier == nil {
		return nil
	}
	reading := classifier.Read(pending.Content(t))
	records := chain.TraceRecords{}
	for range 2 {
		var unknown []chain.Address
		for _, a := range reading.Accounts(records) {
			if records[a] == nil {
				unknown = append(unknown, a)
			}
		}
		found, err := x.svc.index.TraceRecords(ctx, unknown, v.master.Seqno, reading.NeedsData())
		if err != nil {
			return err
		}
		for a, r := range found {
			records[a] = r
			if err := w.look(ctx, a, r, reading.NeedsData()); err != nil {
				return err
			}
		}
	}
	actions, err := reading.Classify(records)
	if err != nil {
		t.Classification = chain.ClassificationFailed
		x.svc.opts.Logger.Warn("a pending trace was not understood", "trace", t.ID, "err", err)
		return nil
	}
	pending.Conclude(t, actions)
	if t.Actions == nil {
		t.Actions = []chain.Action{}
	}
	return nil
}

// look adds to the record of an account what it says of itself after this world's transactions. What cannot be found out
// in time stays as it was.
func (w *world) look(ctx context.Context, a chain.Address, r *chain.TraceRecord, data bool) error {
	f := w.lanes[a]
	if f == nil || !f.tried || !f.now.state.Active() || ctx.Err() != nil {
		return nil
	}
	sc, err := w.scene(ctx, w.view, a)
	if err != nil {
		return err
	}
	if err := w.fetchLibraries(ctx, w.view, f.now.state.Code); err != nil {
		return err
	}
	facts, err := contract.Detect(ctx, w, sc.runner, f.now.state)
	if err != nil {
		if ctx.Err() != nil || chain.KindOf(err) == chain.Unavailable {
			return nil
		}
		return err
	}
	r.CodeHash = new(f.now.state.CodeHash())
	if data {
		r.Data = f.now.row.DataBOC
	}
	if facts.JettonWallet != nil {
		r.JettonWallet = facts.JettonWallet
	}
	if item := facts.NFTItem; item != nil {
		if r.NFTItem != nil && item.Domain == "" {
			item.Domain = r.NFTItem.Domain // the index knows the zones of this network
		}
		r.NFTItem = item
	}
	if facts.NFTSale != nil {
		r.NFTSale = facts.NFTSale
	}
	if facts.MultisigOrder != nil {
		r.MultisigOrder = facts.MultisigOrder
	}
	return nil
}
