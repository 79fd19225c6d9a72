package indexer

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/digests"
)

// Difference is one difference between the database and the chain.
type Difference struct {
	McSeqno uint32 // 0 for a row that belongs to no block
	Table   string
	Key     string // of the row
	What    string // missing, extra, or the different values
}

// String returns the line of the report.
func (d Difference) String() string {
	if d.McSeqno == 0 {
		return fmt.Sprintf("%s %s: %s", d.Table, d.Key, d.What)
	}
	return fmt.Sprintf("masterchain block %d: %s %s: %s", d.McSeqno, d.Table, d.Key, d.What)
}

// Report is the result of comparing the database with the chain.
type Report struct {
	Range        chain.SeqnoRange
	Missing      []chain.SeqnoRange // not indexed and not compared
	Blocks       int                // compared, masterchain and shards
	Transactions int
	Messages     int
	States       int
	Replayed     int // transactions that replayed again
	Rebuilt      int // blocks whose rows gave their root hash
	Accounts     int // states whose rows gave the hash that their transaction names
	// Unframed and Incomplete are blocks and states of an earlier version, which lack what building them requires.
	Unframed    int
	Incomplete  int
	Digests     int  // ranges of 1,000 blocks whose rows have the digest that was stored when they were indexed
	Offline     bool // the rows were compared with each other, not with a network
	Differences []Difference
	More        int            // number of differences that are not listed
	Digest      digests.Digest // without tables when it was not computed
}

// OK reports whether everything in the range is indexed and equal to the chain. Rows that could not be checked are not.
func (r *Report) OK() bool {
	return len(r.Missing) == 0 && len(r.Differences) == 0 && (!r.Offline || r.Unframed+r.Incomplete == 0)
}

// add adds the results of other blocks.
func (r *Report) add(part *Report) {
	r.Blocks += part.Blocks
	r.Transactions += part.Transactions
	r.Messages += part.Messages
	r.States += part.States
	r.Rebuilt += part.Rebuilt
	r.Accounts += part.Accounts
	r.Unframed += part.Unframed
	r.Incomplete += part.Incomplete
	for _, d := range part.Differences {
		r.differ(d)
	}
	r.More += part.More
}

// String returns the report as text.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "masterchain blocks %d to %d: compared %d blocks, %d transactions (%d executed again), %d messages, %d states\n",
		r.Range.First, r.Range.Last, r.Blocks, r.Transactions, r.Replayed, r.Messages, r.States)
	if r.Offline {
		fmt.Fprintf(&b, "built from the rows with the hashes of the chain: %d blocks, %d account states\n", r.Rebuilt, r.Accounts)
	}
	if r.Unframed > 0 || r.Incomplete > 0 {
		fmt.Fprintf(&b, "indexed by an earlier version, not built: %d blocks without a frame, %d account states without a rest; tonql index complete adds both\n",
			r.Unframed, r.Incomplete)
	}
	fmt.Fprintf(&b, "rows that are detected or classified, such as tokens and actions, were compared with %d stored digests of 1,000 blocks\n", r.Digests)
	for _, m := range r.Missing {
		fmt.Fprintf(&b, "not indexed: %d to %d\n", m.First, m.Last)
	}
	for _, d := range r.Differences {
		fmt.Fprintln(&b, d)
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "and %d more differences\n", r.More)
	}
	switch {
	case r.OK() && r.Offline:
		fmt.Fprintln(&b, "the rows match the hashes of their blocks")
	case r.OK():
		fmt.Fprintln(&b, "the database matches the chain")
	}
	if len(r.Digest.Tables) > 0 {
		b.WriteString(r.Digest.String())
	}
	return b.String()
}

// maxDifferences limits the differences in a report; further ones are only counted.
const maxDifferences = 100

func (r *Report) differ(d Difference) {
	if len(r.Differences) >= maxDifferences {
		r.More++
		return
	}
	r.Differences = append(r.Differences, d)
}

// VerifyRange reads masterchain blocks from the network, decodes and executes them as indexing does, and compares blocks,
// transactions, messages, account states and cells with the database; the digest covers the tables that derive from them. It writes nothing, and an indexer can run at the same time. Differences are in the report; the error
// is only for a comparison that could not be completed.
func (x *Indexer) VerifyRange(ctx context.Context, within chain.SeqnoRange) (Report, error) {
	r := Report{Range: within}
	indexed, err := x.db.Reader().Ranges(ctx)
	if err != nil {
		return r, fmt.Errorf("indexed ranges: %w", err)
	}
	var present []chain.SeqnoRange
	present, r.Missing = split(within, indexed)
	for _, run := range present {
		if err := x.verifyRun(ctx, run, &r); err != nil {
			return r, err
		}
	}
	if err := r.unreadable(ctx, 0, "day_ranges", verifyDays(ctx, x.db.Reader(), within, &r)); err != nil {
		return r, err
	}
	if err := r.unreadable(ctx, 0, "range_digests", verifyDigests(ctx, x.db.Reader(), within, &r)); err != nil {
		return r, err
	}
	r.Digest, err = x.db.Reader().Digest(ctx, &within)
	if err := r.unreadable(ctx, 0, "digest", err); err != nil {
		return r, fmt.Errorf("digest: %w", err)
	}
	return r, nil
}

// split divides a range into the parts that are indexed and the parts that are not.
func split(within chain.SeqnoRange, indexed []chain.SeqnoRange) (present, missing []chain.SeqnoRange) {
	next := within.First
	for _, run := range indexed {
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

// verifyRun compares consecutive masterchain blocks, which it reads ahead as indexing does.
func (x *Indexer) verifyRun(ctx context.Context, run chain.SeqnoRange, r *Report) error {
	group, ctx := errgroup.WithContext(ctx)
	slots := x.stream(ctx, group, run.First, run.Last)
	runner := x.newRunner()
	group.Go(func() error {
		return inOrder(ctx, slots, func(m *decode.Master) error {
			if err := x.verifyBlock(ctx, runner, m, r); err != nil {
				return fmt.Errorf("masterchain block %d: %w", m.Block.Seqno, err)
			}
			return nil
		})
	})
	return group.Wait()
}

func (x *Indexer) verifyBlock(ctx context.Context, runner *runner, m *decode.Master, r *Report) error {
	if err := runner.run(ctx, m); err != nil {
		return err
	}
	c := &comparison{ctx: ctx, db: x.db.Reader(), want: m.MasterBlock, report: r}
	for _, step := range []struct {
		table   string
		compare func() error
	}{
		{"blocks", c.blocks}, {"transactions", c.transactions}, {"transaction_bocs", c.bocs}, {"messages", c.messages}, {"account_states", c.states}, {"cells", c.cells},
	} {
		if err := r.unreadable(ctx, m.Block.Seqno, step.table, step.compare()); err != nil {
			return err
		}
	}
	return nil
}

// unreadable adds a difference for an error that a damaged row explains, so that the comparison continues. It returns other errors.
func (r *Report) unreadable(ctx context.Context, mcSeqno uint32, table string, err error) error {
	if err == nil {
		return nil
	}
	if other := refused(ctx, err); other != nil {
		return other
	}
	r.differ(Difference{McSeqno: mcSeqno, Table: table, Key: "(unreadable)", What: "a row cannot be read: " + show(err.Error())})
	return nil
}

// verifyDays computes the sums per day of a range again. Sums that are not computed yet, or whose rows have changed since, are not compared.
func verifyDays(ctx context.Context, db *store.Reader, within chain.SeqnoRange, r *Report) error {
	differ := func(table string) func(uint32, string, string) {
		return func(seqno uint32, key, what string) {
			r.differ(Difference{McSeqno: seqno, Table: table, Key: key, What: what})
		}
	}
	if err := db.CompareDays(ctx, within, differ("day_totals")); err != nil {
		return fmt.Errorf("sums per day: %w", err)
	}
	if err := db.CompareDayStates(ctx, within, differ("day_states")); err != nil {
		return fmt.Errorf("states of days: %w", err)
	}
	return nil
}
