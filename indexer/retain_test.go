package indexer_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// Blocks of the tests of retention: the first dropAt are dropped.
const retainBlocks, dropAt = 160, 90

// drop drops masterchain blocks up to bound in steps.
func drop(ctx context.Context, tb testing.TB, db *store.DB, bound uint32, limit int) (transactions int) {
	tb.Helper()
	for {
		step, err := db.Writer().Drop(ctx, bound, limit)
		require.NoError(tb, err)
		if step.Nothing() {
			return transactions
		}
		transactions += step.Transactions
	}
}

// What is left after old blocks were dropped is what it was before: every row of later blocks, the traces that end in them with all their
// transactions, and the states of all accounts at each of them.
func TestRetain_LaterBlocksAreWhatTheyWere(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for name, limit := range map[string]int{"traces at once": 40, "traces in pieces": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			laterBlocksAreWhatTheyWere(t, limit)
		})
	}
}

func laterBlocksAreWhatTheyWere(t *testing.T, limit int) {
	t.Helper()
	ctx := testContext(t)
	src, db := newIndex(ctx, t, retainBlocks)
	later := chain.SeqnoRange{First: dropAt + 1, Last: retainBlocks}
	want, err := db.Reader().Digest(ctx, &later)
	require.NoError(t, err)
	traces, crossing := tracesAfter(ctx, t, db, dropAt)
	require.NotZero(t, crossing, "no trace begins before the dropped blocks end and ends after them")
	states := statesAfter(ctx, t, db, dropAt)
	counts, err := db.Reader().VerificationCounts(ctx)
	require.NoError(t, err)

	dropped := drop(ctx, t, db, dropAt, limit)
	require.Greater(t, dropped, 100)

	ranges, err := db.Reader().Ranges(ctx)
	require.NoError(t, err)
	require.Equal(t, []chain.SeqnoRange{later}, ranges)
	got, err := db.Reader().Digest(ctx, &later)
	require.NoError(t, err)
	require.Equal(t, want, got)
	afterwards, left := tracesAfter(ctx, t, db, dropAt)
	require.Equal(t, traces, afterwards)
	require.Equal(t, crossing, left)
	require.Equal(t, states, statesAfter(ctx, t, db, dropAt))
	now, err := db.Reader().VerificationCounts(ctx)
	require.NoError(t, err)
	require.Equal(t, counts.Replayed-uint64(dropped), now.Replayed)
	requireVerified(ctx, t, src, db, later.First, later.Last)
	report, err := indexer.VerifyRows(ctx, db.Reader(), later, 0)
	require.NoError(t, err)
	require.True(t, report.OK(), report.String())
	requireNothingDangles(ctx, t, db)
}

// So are they where accounts have transactions of traces that end later between dropped ones.
func TestRetain_StatesBetweenRetainedTransactions(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	chain := storetest.IndexChain(t)
	at := chain.Masters[30].Block.Seqno
	want := statesAfter(ctx, t, chain.DB, at)
	require.Positive(t, drop(ctx, t, chain.DB, at, 1<<20))
	require.Equal(t, want, statesAfter(ctx, t, chain.DB, at))
}

// tracesAfter returns all complete traces that end after a masterchain block, with their transactions and actions, and how many of them
// begin before.
func tracesAfter(ctx context.Context, t *testing.T, db *store.DB, seqno uint32) (list []chain.FullTrace, crossing int) {
	t.Helper()
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{})
	first, err := db.Reader().BlocksByID(ctx, []chain.BlockID{chain.MasterBlockID(seqno + 1)})
	require.NoError(t, err)
	require.Len(t, first, 1)
	parts, err := svc.FullTraces(ctx, chain.TraceFilter{StartLT: &first[0].StartLT}, chain.Page{Limit: 1000, Sort: chain.Ascending}, chain.TraceInclude{Actions: true})
	require.NoError(t, err)
	for i := range parts.Len() {
		part, err := parts.Read(ctx, i)
		require.NoError(t, err)
		for _, trace := range part {
			if trace.McSeqnoEnd > seqno {
				list = append(list, trace)
				if trace.McSeqnoStart <= seqno {
					crossing++
				}
			}
		}
	}
	require.NotEmpty(t, list)
	return list, crossing
}

// statesAfter returns the states of all accounts at some masterchain blocks after one, from the index alone.
func statesAfter(ctx context.Context, t *testing.T, db *store.DB, seqno uint32) map[uint32][]*chain.AccountState {
	t.Helper()
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{})
	sql := db.SQLDB()
	defer func() { require.NoError(t, sql.Close()) }()
	rows, err := sql.QueryContext(ctx, `SELECT account FROM accounts ORDER BY account`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var accounts []chain.Address
	for rows.Next() {
		var raw []byte
		require.NoError(t, rows.Scan(&raw))
		a, err := chain.AddressFrom(raw)
		require.NoError(t, err)
		accounts = append(accounts, a)
	}
	require.NoError(t, rows.Err())
	require.Greater(t, len(accounts), 40)
	states := map[uint32][]*chain.AccountState{}
	for _, at := range []uint32{seqno + 1, seqno + 10, seqno + 35} {
		for _, a := range accounts {
			state, err := svc.AccountStateAt(ctx, a, at)
			require.NoError(t, err, "account %s at %d", a, at)
			states[at] = append(states[at], state)
		}
	}
	return states
}

// dangling are conditions under which a row leads to nothing.
var dangling = map[string]string{
	"transactions of dropped blocks without a trace": `transactions t WHERE t.mc_seqno <= (SELECT last FROM dropped_blocks)
		AND NOT EXISTS (SELECT FROM traces r WHERE r.trace_id = t.trace_id AND (r.pending > 0 OR r.mc_seqno_end > (SELECT last FROM dropped_blocks)))`,
	"dropped traces":      `dropped_traces`,
	"traces":              `traces WHERE pending = 0 AND mc_seqno_end <= (SELECT last FROM dropped_blocks)`,
	"actions":             `actions a WHERE NOT EXISTS (SELECT FROM traces r WHERE r.trace_id = a.trace_id)`,
	"accounts of traces":  `account_traces k WHERE NOT EXISTS (SELECT FROM traces r WHERE r.end_lt = k.end_lt)`,
	"accounts of actions": `account_actions k WHERE NOT EXISTS (SELECT FROM actions a WHERE a.trace_end_lt = k.trace_end_lt)`,
	"messages": `messages m WHERE NOT EXISTS (SELECT FROM transactions t WHERE t.account = m.account AND t.lt = m.src_tx_lt)
		AND NOT EXISTS (SELECT FROM transactions t WHERE t.account = m.destination AND t.lt = m.dst_tx_lt)`,
	"Jetton transfers": `jetton_transfers o WHERE NOT EXISTS (SELECT FROM transactions t WHERE t.account = o.source_wallet AND t.lt = o.tx_lt)`,
	"Jetton burns":     `jetton_burns o WHERE NOT EXISTS (SELECT FROM transactions t WHERE t.account = o.jetton_wallet AND t.lt = o.tx_lt)`,
	"NFT transfers":    `nft_transfers o WHERE NOT EXISTS (SELECT FROM transactions t WHERE t.account = o.nft AND t.lt = o.tx_lt)`,
	"blocks":           `blocks WHERE mc_seqno <= (SELECT last FROM dropped_blocks)`,
	"frames":           `frames f WHERE NOT EXISTS (SELECT FROM blocks b WHERE b.workchain = f.workchain AND b.shard = f.shard AND b.seqno = f.seqno)`,
	"shards":           `shards WHERE mc_seqno <= (SELECT last FROM dropped_blocks)`,
	"configs":          `configs c WHERE c.mc_seqno < (SELECT max(n.mc_seqno) FROM configs n WHERE n.mc_seqno <= (SELECT last FROM dropped_blocks))`,
	"library ranges":   `library_ranges WHERE first <= (SELECT last FROM dropped_blocks)`,
	"balances": `jetton_balances h WHERE EXISTS (SELECT FROM jetton_balances n WHERE n.wallet = h.wallet AND n.lt > h.lt
		AND n.mc_seqno <= (SELECT last FROM dropped_blocks))`,
	"owners": `nft_owners h WHERE EXISTS (SELECT FROM nft_owners n WHERE n.item = h.item AND n.lt > h.lt
		AND n.mc_seqno <= (SELECT last FROM dropped_blocks))`,
}

func requireNothingDangles(ctx context.Context, t *testing.T, db *store.DB) {
	t.Helper()
	sql := db.SQLDB()
	defer func() { require.NoError(t, sql.Close()) }()
	for name, rows := range dangling {
		var n int
		require.NoError(t, sql.QueryRowContext(ctx, `SELECT count(*) FROM `+rows).Scan(&n), name)
		require.Zero(t, n, name)
	}
}

// While traces are dropped in pieces, the rows of all retained blocks are right, and the states of accounts at them are what they were.
func TestRetain_RowsBetweenPieces(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	_, db := newIndex(ctx, t, retainBlocks)
	want := statesAfter(ctx, t, db, dropAt)
	checked := 0
	for pieces := 0; ; {
		step, err := db.Writer().Drop(ctx, dropAt, 2)
		require.NoError(t, err)
		if step.Nothing() {
			break
		}
		if !step.Piece {
			continue
		}
		if pieces++; pieces%29 != 1 {
			continue
		}
		checked++
		dropped, err := db.Reader().Dropped(ctx)
		require.NoError(t, err)
		report, err := indexer.VerifyRows(ctx, db.Reader(), chain.SeqnoRange{First: dropped.Last + 1, Last: min(dropped.Last+30, retainBlocks)}, 0)
		require.NoError(t, err)
		require.True(t, report.OK(), report.String())
		require.Equal(t, want, statesAfter(ctx, t, db, dropAt))
	}
	require.Greater(t, checked, 3)
	requireNothingDangles(ctx, t, db)
}

// What is left of a large trace is dropped, too, by an indexer that retains everything from now on.
func TestRetain_PiecesEndWithoutRetention(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	src, db := newIndex(ctx, t, 40)
	for rowsWhere(ctx, t, db, "dropped_traces") == 0 {
		step, err := db.Writer().Drop(ctx, 20, 1)
		require.NoError(t, err)
		require.False(t, step.Nothing(), "no trace has several transactions")
	}
	dropped, err := db.Reader().Dropped(ctx)
	require.NoError(t, err)
	stop := start(ctx, t, indexer.New(src, db, indexer.Options{Logger: logger(t)}))
	waitUntil(ctx, t, "the end of the drop", func() bool { return rowsWhere(ctx, t, db, "dropped_traces") == 0 })
	stop()
	requireNothingDangles(ctx, t, db)
	waitIndexed(ctx, t, db, dropped.Last+1, 40)
}

// A drop that is interrupted at any moment continues where it was, and ends as one that was not.
func TestRetain_InterruptionsLoseNothing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	_, atOnce := newIndex(ctx, t, retainBlocks)
	_, parts := newIndex(ctx, t, retainBlocks)
	require.Equal(t, digest(ctx, t, atOnce), digest(ctx, t, parts))
	drop(ctx, t, atOnce, dropAt, 1<<20)
	interrupted := 0
	limits := []int{5, 40}         // large traces are dropped in pieces, or at once
	usual := 20 * time.Millisecond // duration of a step
	for done := false; !done; {
		began := time.Now()
		short, cancel := context.WithTimeout(ctx, rand.N(usual*3/2)+1)
		step, err := parts.Writer().Drop(short, dropAt, limits[interrupted%len(limits)])
		cancel()
		if err != nil {
			interrupted++
			usual += usual/8 + 1 // or none would end on a slow machine
			continue
		}
		usual = time.Since(began)
		done = step.Nothing()
	}
	require.NotZero(t, interrupted)
	require.Equal(t, digest(ctx, t, atOnce), digest(ctx, t, parts))
}

// Blocks that are indexed after others were dropped have the rows that they have in an index of the complete chain, and nothing
// that was dropped comes back, whoever fills the index.
func TestRetain_DroppedBlocksStayDropped(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	d := newNetwork(ctx, t, retainBlocks-40)
	url := testdb.URL(t)
	db := testdb.Open(t, url)
	x := indexer.New(d.Client, db, indexer.Options{Recheck: 20 * time.Millisecond, Logger: logger(t)})
	stop := start(ctx, t, x)
	waitIndexed(ctx, t, db, 1, retainBlocks-40)
	drop(ctx, t, db, dropAt, 100) // beside the indexer
	d.AdvanceTo(t, retainBlocks)
	waitIndexed(ctx, t, db, dropAt+1, retainBlocks)
	stop()

	complete := testdb.New(t)
	run(ctx, t, d.Client, complete, 1, retainBlocks, indexer.Options{})
	later := chain.SeqnoRange{First: dropAt + 1, Last: retainBlocks}
	want, err := complete.Reader().Digest(ctx, &later)
	require.NoError(t, err)
	got, err := db.Reader().Digest(ctx, &later)
	require.NoError(t, err)
	require.Equal(t, want, got)
	traces, _ := tracesAfter(ctx, t, complete, dropAt)
	retained, _ := tracesAfter(ctx, t, db, dropAt)
	require.Equal(t, traces, retained)

	// A block that was fetched before it was dropped is not written after it, by a process that does not know of the drop yet.
	other := testdb.Open(t, url)
	run(ctx, t, d.Client, other, dropAt+1, retainBlocks, indexer.Options{From: from(t, "1")})
	err = indexer.New(d.Client, other, indexer.Options{}).Fill(ctx, dropAt)
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.ErrorContains(t, err, "blocks up to "+strconv.Itoa(dropAt)+" were dropped")
	waitIndexed(ctx, t, db, dropAt+1, retainBlocks)
}

// Blocks that another process drops, or moves to a cold server, beside an indexer that retains everything are no gap for it: it downloads them no more.
func TestRetain_BlocksThatOthersDropAreNotFilled(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks, dropped = 40, 30
	proxies, src := newProxiedClient(t, newNetwork(ctx, t, blocks), nil)
	db := testdb.New(t)
	x := indexer.New(src, db, indexer.Options{From: from(t, "1"), Recheck: 20 * time.Millisecond, Logger: logger(t)})
	start(ctx, t, x)
	waitIndexed(ctx, t, db, 1, blocks)
	drop(ctx, t, db, dropped, 1000)
	before := proxies[0].QueryCount("GetBlockData")
	for _, gap := range []chain.SeqnoRange{{First: 33, Last: 34}, {First: 36, Last: 37}} { // each is filled by another pass
		removeBlocks(ctx, t, db, gap, blocks)
		waitIndexed(ctx, t, db, dropped+1, blocks)
	}
	waitUntil(ctx, t, "the end of the gaps", func() bool { return len(x.Status().Gaps) == 0 })
	require.Less(t, proxies[0].QueryCount("GetBlockData")-before, dropped)
}

// An index that retains a time, or a number of transactions, has these blocks and hardly more, also when it begins with an empty database and
// is to index the complete chain.
func TestRetain_IndexHasWhatItShould(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	src, complete := newIndex(ctx, t, retainBlocks)
	head, err := src.Head(ctx)
	require.NoError(t, err)
	require.EqualValues(t, retainBlocks, head.Seqno)
	blocks, err := complete.Reader().BlocksByID(ctx, []chain.BlockID{chain.MasterBlockID(retainBlocks), chain.MasterBlockID(dropAt + 1)})
	require.NoError(t, err)
	require.Len(t, blocks, 2)
	newest, oldest := blocks[0].GenUtime, blocks[1].GenUtime
	age := time.Duration(max(newest, oldest)-min(newest, oldest)) * time.Second
	require.Greater(t, age, 10*time.Second)
	first, err := complete.Reader().NewestOlder(ctx, time.Now(), int64(age/time.Second))
	require.NoError(t, err)

	for _, db := range []*store.DB{complete, testdb.New(t)} {
		run(ctx, t, src, db, first+1, retainBlocks, indexer.Options{
			From: from(t, "1"), Keep: chain.Retention{Age: age}, Batch: 8, Recheck: 20 * time.Millisecond,
		})
		requireNothingDangles(ctx, t, db)
		later := chain.SeqnoRange{First: first + 1, Last: retainBlocks}
		requireVerified(ctx, t, src, db, later.First, later.Last)
	}
}

// What was dropped is refused by name, and what is not there for another reason is not.
func TestRetain_ResponsesAboutDroppedBlocks(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	_, db := newIndex(ctx, t, retainBlocks)
	block, err := db.Reader().BlocksByID(ctx, []chain.BlockID{chain.MasterBlockID(dropAt)})
	require.NoError(t, err)
	drop(ctx, t, db, dropAt, 100)
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{})

	page := chain.Page{Limit: 10}
	for what, read := range map[string]func(seqno *uint32, lt *uint64, utime *uint32) (int, error){
		"transactions": func(seqno *uint32, lt *uint64, utime *uint32) (int, error) {
			rows, err := svc.Transactions(ctx, chain.TransactionFilter{McSeqno: seqno, EndLT: lt, EndUtime: utime}, page)
			return len(rows), err
		},
		"traces": func(seqno *uint32, lt *uint64, utime *uint32) (int, error) {
			rows, err := svc.Traces(ctx, chain.TraceFilter{McSeqno: seqno, EndLT: lt, EndUtime: utime}, page)
			return len(rows), err
		},
		"actions": func(seqno *uint32, lt *uint64, utime *uint32) (int, error) {
			rows, err := svc.Actions(ctx, chain.ActionFilter{McSeqno: seqno, EndLT: lt, EndUtime: utime}, page)
			return len(rows), err
		},
	} {
		for _, seqno := range []uint32{1, dropAt} {
			_, err := read(&seqno, nil, nil)
			require.Equal(t, chain.RangeDropped, chain.KindOf(err), "%s of %d: %v", what, seqno, err)
			require.ErrorContains(t, err, "from "+strconv.Itoa(dropAt+1)+" on")
		}
		_, err := read(nil, new(uint64(1)), nil)
		require.Equal(t, chain.RangeDropped, chain.KindOf(err), what)
		_, err = read(nil, nil, new(uint32(1)))
		require.Equal(t, chain.RangeDropped, chain.KindOf(err), what)
		_, err = read(new(uint32(retainBlocks+1)), nil, nil)
		require.Equal(t, chain.NotFound, chain.KindOf(err), what)
		_, err = read(new(uint32(dropAt+1)), nil, nil)
		require.NoError(t, err, what)
		n, err := read(nil, nil, new(block[0].GenUtime+60))
		require.NoError(t, err, what)
		require.NotZero(t, n, what)
	}
	_, err = svc.ShardBlocks(ctx, 5, page)
	require.Equal(t, chain.RangeDropped, chain.KindOf(err))
	_, err = svc.ShardState(ctx, 5)
	require.Equal(t, chain.RangeDropped, chain.KindOf(err))
	_, err = svc.AccountStateAt(ctx, chain.SystemAddress, 5)
	require.Equal(t, chain.RangeDropped, chain.KindOf(err))
	_, err = svc.ShardState(ctx, retainBlocks+1)
	require.Equal(t, chain.NotFound, chain.KindOf(err))
}
