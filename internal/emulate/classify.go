package emulate

import (
	"context"
	"log/slog"

	"tonql/internal/chain"
	"tonql/internal/contract"
	_ "tonql/internal/contract/all" // registers every family for contract.Detect
)

// Classify sets the actions of a trace that this Emulation continued. Contract records come from the index; for contracts
// that the Emulation changed or deployed, from the contracts themselves, as the index would store them.
func (e *Emulation) Classify(ctx context.Context, t *chain.FullTrace) error {
	t.Actions = []chain.Action{}
	if e.x.classifier == nil {
		return nil
	}
	reading := e.x.classifier.Read(traceContent(t))
	records := chain.TraceRecords{}
	for range chain.RecordRounds {
		var missing []chain.Address
		for _, a := range reading.Accounts(records) {
			if records[a] == nil {
				missing = append(missing, a)
			}
		}
		found, err := e.x.index.TraceRecords(ctx, missing, e.view.Master.Seqno, reading.NeedsData())
		if err != nil {
			return err
		}
		for a, r := range found {
			records[a] = r
			if err := e.detect(ctx, a, r, reading.NeedsData()); err != nil {
				return err
			}
		}
	}
	actions, err := reading.Classify(records)
	if err != nil {
		t.Classification = chain.ClassificationFailed
		level := slog.LevelWarn
		if t.PendingMessages > 0 { // a limit of the emulation left messages in flight
			level = slog.LevelDebug
		}
		e.x.log.Log(ctx, level, "classifying an emulated trace failed", "trace", t.ID, "err", err)
		return nil
	}
	setActions(t, actions)
	if t.Actions == nil {
		t.Actions = []chain.Action{}
	}
	return nil
}

// detect updates the record of an account that this Emulation changed by calling its get-methods. A record that cannot be
// determined in time stays unchanged.
func (e *Emulation) detect(ctx context.Context, a chain.Address, r *chain.TraceRecord, data bool) error {
	emulated := e.accounts[a]
	facts, err := e.facts(ctx, a)
	if err != nil || facts == nil {
		return err
	}
	r.CodeHash = new(emulated.now.Contract.CodeHash())
	if data {
		r.Data = emulated.now.State.DataBOC
	}
	if facts.JettonWallet != nil {
		r.JettonWallet = facts.JettonWallet
	}
	if item := facts.NFTItem; item != nil {
		if r.NFTItem != nil && item.Domain == "" {
			item.Domain = r.NFTItem.Domain // the index stores the domain with this network's zone
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

// facts returns what the get-methods of an account say that this Emulation changed; nil for another account, and when they cannot be
// called in time.
func (e *Emulation) facts(ctx context.Context, a chain.Address) (*contract.Facts, error) {
	emulated := e.accounts[a]
	if emulated == nil || !emulated.changed || !emulated.now.Contract.Active() || ctx.Err() != nil {
		return nil, nil
	}
	ec, err := e.x.executionContext(ctx, e.view, a)
	if err != nil {
		return nil, err
	}
	if err := e.x.fetchLibraries(ctx, e.view, emulated.now.Contract.Code); err != nil {
		return nil, err
	}
	facts, err := contract.Detect(ctx, e, ec.runner, emulated.now.Contract)
	switch {
	case err == nil:
		return &facts, nil
	case ctx.Err() != nil || chain.KindOf(err) == chain.Unavailable:
		return nil, nil
	default:
		return nil, err
	}
}
