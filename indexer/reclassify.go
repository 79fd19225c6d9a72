package indexer

import (
	"context"
	"fmt"

	"tonql/indexer/trace"
	"tonql/internal/chain"
	"tonql/internal/store"
)

// reclassifyAtOnce is how many traces one transaction of a reclassification writes: little enough not to hold up the
// indexer.
const reclassifyAtOnce = 200

// retraceAtOnce is how many masterchain blocks one transaction looks through for traces that are not assembled.
const retraceAtOnce = 128

// Reclassification is how far a look at the traces of a range has come.
type Reclassification struct {
	McSeqno   uint32 // traces that ended up to here are done; it may go on from here
	Assembled int    // traces that the index did not have, though it has their transactions
	Traces    int    // complete traces classified again
}

// Reclassify looks again at what the complete traces that ended in a range of masterchain blocks meant, and writes their
// actions anew, in place. Traces that began in the range and were indexed before traces were assembled are assembled
// first. It runs beside an indexer and servers, in small transactions, each of which leaves whole traces; progress is
// told after each of them.
func Reclassify(ctx context.Context, db *store.DB, within chain.SeqnoRange, progress func(Reclassification)) (Reclassification, error) {
	var done Reclassification
	w := db.Writer()
	w.SetClassifier(trace.Classifier{})
	ledger, err := db.Reader().Ranges(ctx)
	if err != nil {
		return done, fmt.Errorf("ledger: %w", err)
	}
	present, _ := split(within, ledger)
	for _, window := range batches(present, retraceAtOnce) {
		for more := true; more; {
			n, err := w.Retrace(ctx, window, reclassifyAtOnce)
			if err != nil {
				return done, fmt.Errorf("assembling traces from masterchain block %d on: %w", window.First, err)
			}
			more = n == reclassifyAtOnce
			done.Assembled += n
			progress(done)
		}
	}
	at := store.TracePosition{McSeqno: within.First}
	for {
		traces, err := db.Reader().CompletedTraces(ctx, at, within.Last, reclassifyAtOnce)
		if err != nil {
			return done, fmt.Errorf("traces: %w", err)
		}
		if len(traces) == 0 {
			return done, nil
		}
		ids := make([]chain.Hash, len(traces))
		for i := range traces {
			ids[i] = traces[i].ID
		}
		if err := w.Reclassify(ctx, ids); err != nil {
			return done, fmt.Errorf("traces up to masterchain block %d: %w", traces[len(traces)-1].McSeqno, err)
		}
		at = traces[len(traces)-1]
		done.McSeqno, done.Traces = at.McSeqno, done.Traces+len(traces)
		progress(done)
	}
}
