package feed_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/feed"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

const testTimeout = 30 * time.Second

// newFeed returns a feed that runs until the test ends.
func newFeed(t *testing.T, db *store.DB, o feed.Options) *feed.Feed {
	t.Helper()
	o.Logger = slog.New(slog.DiscardHandler)
	f := feed.New(db.Reader(), o)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-done)
	})
	return f
}

// write commits masterchain block seqno with one transaction, and returns the transaction.
func write(t *testing.T, db *store.DB, seqno uint32) chain.Transaction {
	t.Helper()
	mb := testdb.Master(seqno)
	tx := testdb.NewTransaction(mb, testdb.Address())
	testdb.AddTransaction(mb, &tx)
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	return tx
}

func transactions(ctx context.Context, b *feed.Batch) ([]*feed.Event, error) {
	list, err := b.Transactions(ctx)
	if err != nil {
		return nil, err
	}
	return list.Select(func(*chain.Transaction) bool { return true }), nil
}

// stream returns the events of a stream one by one.
type stream struct {
	*feed.Stream

	queue []*feed.Event
}

func open(t *testing.T, f *feed.Feed, s feed.Start) *stream {
	t.Helper()
	opened, err := f.Open(t.Context(), s, transactions)
	require.NoError(t, err)
	return &stream{Stream: opened}
}

func next(t *testing.T, s *stream) *feed.Event {
	t.Helper()
	if len(s.queue) == 0 {
		ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
		defer cancel()
		var err error
		s.queue, err = s.Next(ctx)
		require.NoError(t, err)
	}
	e := s.queue[0]
	s.queue = s.queue[1:]
	return e
}

func requireNoEvent(t *testing.T, s *stream) {
	t.Helper()
	require.Empty(t, s.queue)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := s.Next(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func hashOf(e *feed.Event) chain.Hash { return e.Node.(*chain.Transaction).Hash }

func TestStream_NewEventsAreInOrder(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 1)
	f := newFeed(t, db, feed.Options{Listen: db.Listen, Poll: time.Hour})
	s := open(t, f, feed.Start{})
	for seqno := uint32(2); seqno < 6; seqno++ {
		tx := write(t, db, seqno)
		e := next(t, s)
		require.Equal(t, tx.Hash, hashOf(e))
		require.Equal(t, seqno, e.Cursor.McSeqno)
	}
	requireNoEvent(t, s)
}

func TestFeed_PollsIndexedRangesWithoutListen(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	f := newFeed(t, db, feed.Options{Poll: 10 * time.Millisecond})
	s := open(t, f, feed.Start{})
	require.Equal(t, write(t, db, 7).Hash, hashOf(next(t, s)), "the first block of an empty index is new")
}

func TestStream_ResumesWithMissedEvents(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	var txs []chain.Transaction
	for seqno := uint32(1); seqno <= 70; seqno++ { // enough for ranges of several blocks
		txs = append(txs, write(t, db, seqno))
	}
	f := newFeed(t, db, feed.Options{Listen: db.Listen})
	zero := uint32(0)
	all := open(t, f, feed.Start{McSeqno: &zero})
	var cursors []chain.Cursor
	for i := range txs {
		e := next(t, all)
		require.Equal(t, txs[i].Hash, hashOf(e))
		c, err := chain.ParseCursor(e.Cursor.String(), chain.TransactionFeed)
		require.NoError(t, err)
		cursors = append(cursors, c)
	}
	for _, at := range []int{0, 1, 37, 68, 69} {
		s := open(t, f, feed.Start{Cursor: &cursors[at]})
		for i := at + 1; i < len(txs); i++ {
			require.Equal(t, txs[i].Hash, hashOf(next(t, s)), "after event %d", at)
		}
		requireNoEvent(t, s)
	}
	added := write(t, db, 71)
	require.Equal(t, added.Hash, hashOf(next(t, all)))
}

func TestStream_WaitsForMissingBlocks(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 1)
	f := newFeed(t, db, feed.Options{Listen: db.Listen})
	s := open(t, f, feed.Start{})
	third := write(t, db, 3)
	requireNoEvent(t, s)
	second := write(t, db, 2)
	require.Equal(t, second.Hash, hashOf(next(t, s)))
	require.Equal(t, third.Hash, hashOf(next(t, s)))
}

func TestStream_EndsAfterGapTimeout(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 1)
	f := newFeed(t, db, feed.Options{Listen: db.Listen, GapTimeout: pacetest.Slow * 100 * time.Millisecond})
	s := open(t, f, feed.Start{})
	write(t, db, 9)
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	_, err := s.Next(ctx)
	require.Equal(t, chain.Behind, chain.KindOf(err), "%v", err)
	require.ErrorContains(t, err, "masterchain blocks 2 to 8 are not indexed yet")
	fresh := open(t, f, feed.Start{})
	require.Equal(t, write(t, db, 10).Hash, hashOf(next(t, fresh)))
}

func TestOpen_UnavailablePositionsAreRefused(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for seqno := uint32(50); seqno <= 60; seqno++ {
		write(t, db, seqno)
	}
	f := newFeed(t, db, feed.Options{Listen: db.Listen, MaxBehind: 8})
	for seqno, message := range map[uint32]string{
		10:  "the index starts with block 50",
		51:  "more than 8 blocks behind",
		500: "far ahead",
	} {
		_, err := f.Open(t.Context(), feed.Start{McSeqno: &seqno}, transactions)
		require.ErrorContains(t, err, message)
	}
}

// A position in dropped blocks is refused as such, at the start and when the blocks of a slow stream are dropped.
func TestStream_DroppedBlocksAreRefused(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for seqno := uint32(1); seqno <= 60; seqno++ {
		write(t, db, seqno)
	}
	f := newFeed(t, db, feed.Options{Listen: db.Listen})
	slow := open(t, f, feed.Start{McSeqno: new(uint32)})
	next(t, slow)
	for {
		step, err := db.Writer().Drop(t.Context(), 50, 10)
		require.NoError(t, err)
		if step.Nothing() {
			break
		}
	}
	write(t, db, 61)
	var err error
	for err == nil {
		_, err = slow.Next(t.Context())
	}
	require.Equal(t, chain.RangeDropped, chain.KindOf(err), "%v", err)
	_, err = newFeed(t, db, feed.Options{Listen: db.Listen}).Open(t.Context(), feed.Start{McSeqno: new(uint32(10))}, transactions)
	require.Equal(t, chain.RangeDropped, chain.KindOf(err), "%v", err)
	require.ErrorContains(t, err, "from 51 on")
}

// A thousand streams share one read of a block.
func TestStream_StreamsShareBatches(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 1)
	f := newFeed(t, db, feed.Options{Listen: db.Listen})
	const many = 1000
	streams := make([]*stream, many)
	for i := range streams {
		streams[i] = open(t, f, feed.Start{})
	}
	write(t, db, 2)
	first := next(t, streams[0])
	produced := 0
	for i, s := range streams {
		e := first
		if i > 0 {
			e = next(t, s)
		}
		require.Same(t, first.Batch, e.Batch)
		require.Same(t, first.Node, e.Node)
		response, mine := e.Response("the same query")
		if mine {
			produced++
			response.Give([]byte("produced"))
		}
		require.Equal(t, "produced", string(response.Wait()))
	}
	require.Equal(t, 1, produced)
}

// A stream whose events cannot be read outlasts the loss of the database, and ends for any other reason.
func TestStream_OutlastsTheLossOfTheDatabase(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 1)
	f := newFeed(t, db, feed.Options{Listen: db.Listen})
	for _, c := range []struct {
		err  error
		ends bool
	}{{chain.Unavailablef(nil, "lost"), false}, {context.DeadlineExceeded, false}, {chain.Invalidf("other"), true}} {
		calls := 0
		s, err := f.Open(t.Context(), feed.Start{McSeqno: new(uint32)}, func(ctx context.Context, b *feed.Batch) ([]*feed.Event, error) {
			if calls++; calls <= 2 {
				return nil, c.err
			}
			return transactions(ctx, b)
		})
		require.NoError(t, err)
		events, err := s.Next(t.Context())
		if c.ends {
			require.ErrorIs(t, err, c.err)
		} else {
			require.NoError(t, err)
			require.Len(t, events, 1)
			require.Equal(t, 3, calls)
		}
		s.Close()
	}
}
