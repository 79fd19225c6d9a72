package indexer

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/internal/chain"
	"tonql/internal/store"
)

// Difference is one fact on which the database and the chain disagree.
type Difference struct {
	McSeqno uint32
	Table   string
	Key     string // of the row
	What    string // missing, extra, or the values that differ
}

// String is one line of the report.
func (d Difference) String() string {
	return fmt.Sprintf("masterchain block %d: %s %s: %s", d.McSeqno, d.Table, d.Key, d.What)
}

// Report is what a comparison of the database with the chain came to.
type Report struct {
	Range        chain.SeqnoRange
	Missing      []chain.SeqnoRange // not in the ledger, and so not compared
	Blocks       int                // compared, masterchain and shards
	Transactions int
	Messages     int
	States       int
	Replayed     int // transactions that execution confirmed once more
	Differences  []Difference
	More         int // differences beyond those listed
	Digest       store.Digest
}

// OK says that everything in the range is indexed and as the chain says.
func (r *Report) OK() bool { return len(r.Missing) == 0 && len(r.Differences) == 0 }

// String is the report for people.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "masterchain blocks %d to %d: compared %d blocks, %d transactions (%d executed again), %d messages, %d states\n",
		r.Range.First, r.Range.Last, r.Blocks, r.Transactions, r.Replayed, r.Messages, r.States)
	for _, m := range r.Missing {
		fmt.Fprintf(&b, "not indexed: %d to %d\n", m.First, m.Last)
	}
	for _, d := range r.Differences {
		fmt.Fprintln(&b, d)
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "and %d more differences\n", r.More)
	}
	if r.OK() {
		fmt.Fprintln(&b, "the database is what the chain says")
	}
	b.WriteString(r.Digest.String())
	return b.String()
}

// maxDifferences bounds the report; the rest is counted.
const maxDifferences = 100

func (r *Report) differ(d Difference) {
	if len(r.Differences) >= maxDifferences {
		r.More++
		return
	}
	r.Differences = append(r.Differences, d)
}

// VerifyRange reads masterchain blocks from the network again, decodes and executes them as indexing does, and compares
// every row with the database. It writes nothing, and runs beside an indexer. The error is for what kept it from
// comparing; what it found is in the report.
func (x *Indexer) VerifyRange(ctx context.Context, within chain.SeqnoRange) (Report, error) {
	r := Report{Range: within}
	ledger, err := x.db.Reader().Ranges(ctx)
	if err != nil {
		return r, fmt.Errorf("ledger: %w", err)
	}
	var present []chain.SeqnoRange
	present, r.Missing = split(within, ledger)
	for _, run := range present {
		if err := x.verifyRun(ctx, run, &r); err != nil {
			return r, err
		}
	}
	if r.Digest, err = x.db.Reader().Digest(ctx, &within); err != nil {
		return r, fmt.Errorf("digest: %w", err)
	}
	return r, nil
}

// split tells which parts of a range the ledger holds and which it lacks.
func split(within chain.SeqnoRange, ledger []chain.SeqnoRange) (present, missing []chain.SeqnoRange) {
	next := within.First
	for _, run := range ledger {
		first, last := max(run.First, within.First), min(run.Last, within.Last)
		if first > last {
			continue
		}
		if next < first {
			missing = append(missing, chain.SeqnoRange{First: next, Last: first - 1})
		}
		present = append(present, chain.SeqnoRange{First: first, Last: last})
		next = last + 1
	}
	if next <= within.Last {
		missing = append(missing, chain.SeqnoRange{First: next, Last: within.Last})
	}
	return present, missing
}

// verifyRun compares a run of masterchain blocks, which are read ahead as in indexing.
func (x *Indexer) verifyRun(ctx context.Context, run chain.SeqnoRange, r *Report) error {
	group, ctx := errgroup.WithContext(ctx)
	slots := x.stream(ctx, group, run.First, run.Last)
	group.Go(func() error {
		runner := x.newRunner()
		for slot := range slots {
			select {
			case m := <-slot:
				if err := x.verifyBlock(ctx, runner, m, r); err != nil {
					return fmt.Errorf("masterchain block %d: %w", m.Block.Seqno, err)
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return group.Wait()
}

func (x *Indexer) verifyBlock(ctx context.Context, runner *runner, m *decode.Master, r *Report) error {
	if err := runner.run(ctx, m); err != nil {
		return err
	}
	c := &comparison{ctx: ctx, db: x.db.Reader(), want: m.MasterBlock, report: r}
	for _, compare := range []func() error{c.blocks, c.transactions, c.bocs, c.messages, c.states, c.cells} {
		if err := compare(); err != nil {
			return err
		}
	}
	return nil
}
