package indexer

import (
	"context"
	"fmt"

	"tonql/indexer/trace"
	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/traces"
)

// reclassifyAtOnce is how many traces one database transaction of Reclassify writes. It is small enough not to delay the
// indexer.
const reclassifyAtOnce = 200

// retraceAtOnce is how many masterchain blocks one database transaction searches for traces that are not assembled.
const retraceAtOnce = 128

// Reclassification is the progress of [Reclassify].
type Reclassification struct {
	McSeqno   uint32 // traces that ended before this block are done; another run may continue here
	Assembled int    // traces assembled from transactions that were indexed without traces
	Traces    int    // complete traces classified again
}

// Reclassify classifies the complete traces that ended in a range of masterchain blocks again and replaces their actions.
// It first assembles the traces that began in the range and were indexed by a version without traces. An indexer and
// gateways can run at the same time: Reclassify writes complete traces in small database transactions, and calls progress
// after each of them.
func Reclassify(ctx context.Context, db *store.DB, within chain.SeqnoRange, progress func(Reclassification)) (Reclassification, error) {
	var done Reclassification
	w := db.Writer()
	w.SetClassifier(trace.Classifier{})
	indexed, err := db.Reader().Ranges(ctx)
	if err != nil {
		return done, fmt.Errorf("indexed ranges: %w", err)
	}
	present, _ := split(within, indexed)
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
	at := traces.Position{McSeqno: within.First}
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
