package indexer

import (
	"context"
	"fmt"
	"slices"

	"tonql/indexer/decode"
	"tonql/indexer/replay"
	"tonql/internal/chain"
)

const (
	// reverifyAtOnce is how many unverified transactions are read in one query.
	reverifyAtOnce = 1024
	// verdictsAtOnce is how many masterchain blocks are searched for other verdicts in one query.
	verdictsAtOnce = 1000
)

// Reverification is the progress of [Indexer.Reverify].
type Reverification struct {
	McSeqno    uint32 // the last masterchain block done; a run may continue after it
	Tried      int    // transactions executed again
	Replayed   int    // of them, with the chain's result
	Mismatched int    // with another result
	OldRules   int    // made by rules that are not executed
	Unverified int    // over the budget again
	Unchanged  int    // not executed, because the network no longer has the block or the state
}

// Reverify re-executes the unverified transactions that a range of masterchain blocks committed, within the budget of the
// Indexer's options, and updates their verification in place; also those with the verifications in also. An indexer and gateways can run at the
// same time: it writes one database transaction for each masterchain block, and calls progress after each of them.
func (x *Indexer) Reverify(ctx context.Context, within chain.SeqnoRange, progress func(Reverification), also ...chain.Verification) (Reverification, error) {
	var done Reverification
	for within.First <= within.Last {
		rows, err := x.nextUnverified(ctx, &within, also)
		if err != nil {
			return done, err
		}
		if len(rows) == 0 {
			return done, nil
		}
		seqno := rows[0].McSeqno
		keys := map[chain.TransactionKey]bool{}
		for i := range rows {
			if rows[i].McSeqno == seqno {
				keys[rows[i].TransactionKey] = true
			}
		}
		before := done
		if err := x.reverifyBlock(ctx, seqno, keys, also, &done); err != nil {
			return done, fmt.Errorf("transactions of masterchain block %d: %w", seqno, err)
		}
		progressed := done.Replayed+done.Mismatched > before.Replayed+before.Mismatched
		within.First = seqno
		if len(keys) < reverifyAtOnce || !progressed { // else the block may have more of them
			done.McSeqno = seqno
			if seqno == within.Last {
				progress(done)
				return done, nil
			}
			within.First++
		}
		progress(done)
	}
	return done, nil
}

// nextUnverified returns the first transactions of a range that are executed again. The range then begins with their masterchain block or before.
func (x *Indexer) nextUnverified(ctx context.Context, within *chain.SeqnoRange, also []chain.Verification) ([]chain.UnverifiedTransaction, error) {
	if len(also) == 0 {
		return x.db.Reader().Unverified(ctx, *within, reverifyAtOnce)
	}
	of := append(slices.Clone(also), chain.Unverified)
	for {
		part := *within
		part.Last = part.First + min(verdictsAtOnce-1, part.Last-part.First)
		rows, err := x.db.Reader().Verdicts(ctx, part, of, reverifyAtOnce)
		if err != nil || len(rows) > 0 || part.Last == within.Last {
			return rows, err
		}
		within.First = part.Last + 1
	}
}

// reverifyBlock replays the accounts of transactions of one block.
func (x *Indexer) reverifyBlock(ctx context.Context, seqno uint32, keys map[chain.TransactionKey]bool, also []chain.Verification, done *Reverification) error {
	done.Tried += len(keys)
	what := fmt.Sprintf("masterchain block %d", seqno)
	m, err := retry(ctx, x, what, what, func(ctx context.Context) (*decode.Master, error) {
		raw, err := x.src.MasterBlock(ctx, seqno)
		if err != nil && chain.KindOf(err) == chain.NotFound {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return decode.MasterBlock(ctx, raw)
	})
	if err != nil {
		return err
	}
	if m == nil {
		done.Unchanged += len(keys)
		return nil
	}
	accounts := map[chain.Address]bool{}
	for key := range keys {
		accounts[key.Account] = true
	}
	m = onlyOf(m, accounts)
	replayer := replay.New(x.net, x.opts.Replay)
	_, err = retry(ctx, x, what, "states of "+what, func(ctx context.Context) (replay.Stats, error) { return replayer.Run(ctx, m) })
	if err != nil {
		return err
	}
	changed, err := x.db.Writer().ApplyVerdicts(ctx, verdictsOf(m), also...)
	if err != nil {
		return err
	}
	for _, verification := range changed {
		switch verification {
		case chain.Replayed:
			done.Replayed++
		case chain.OldRules:
			done.OldRules++
		default:
			done.Mismatched++
		}
	}
	over := 0
	for i := range m.Unverified {
		if keys[m.Unverified[i].TransactionKey] {
			over++
		}
	}
	done.Unverified += over
	done.Unchanged += max(0, len(keys)-len(changed)-over)
	x.metrics.reverified(changed)
	x.logReplay(m, replay.Stats{})
	return nil
}

// onlyOf returns a decoded block with only the transactions of some accounts.
func onlyOf(m *decode.Master, accounts map[chain.Address]bool) *decode.Master {
	part := *m.MasterBlock
	part.Transactions, part.BOCs, part.Messages, part.Config = nil, nil, nil, nil
	only := &decode.Master{MasterBlock: &part, Headers: m.Headers}
	for i := range m.Transactions {
		if accounts[m.Transactions[i].Account] {
			part.Transactions = append(part.Transactions, m.Transactions[i])
			only.Cells = append(only.Cells, m.Cells[i])
			only.BlockOf = append(only.BlockOf, m.BlockOf[i])
		}
	}
	return only
}

// verdictsOf returns a block without the transactions that were not executed, whose verification stays as it is.
func verdictsOf(m *decode.Master) *chain.MasterBlock {
	part := *m.MasterBlock
	part.Transactions = nil
	for i := range m.Transactions {
		if m.Transactions[i].Verification != chain.Proven {
			part.Transactions = append(part.Transactions, m.Transactions[i])
		}
	}
	return &part
}
