package recordedtest_test

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/graph"
	"tonql/indexer/mainnet"
	"tonql/indexer/trace"
	"tonql/internal/chain"
	"tonql/internal/recordedtest"
	"tonql/internal/store"
	"tonql/internal/store/moves"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/resolvers"
	"tonql/rest"
	"tonql/rest/graphql"
)

var update = flag.Bool("update", false, "send all requests again and rewrite the recorded responses; the test logs which of them changed")

// set is an index and the requests that are recorded on it.
type set struct {
	name    string
	network string
	blocks  func(testing.TB) []*chain.MasterBlock // which nothing changes
	width   int                                   // values of each parameter
	deep    bool                                  // with executions and with all nested fields
	share   int                                   // percentage of the requests that is recorded, besides those that are the first to use a parameter or field
}

// shared returns what the first test of the process decodes and executes, which takes longer than to write it to a database.
func shared(decode func(testing.TB) []*chain.MasterBlock) func(testing.TB) []*chain.MasterBlock {
	var once sync.Once
	var blocks []*chain.MasterBlock
	return func(tb testing.TB) []*chain.MasterBlock {
		tb.Helper()
		once.Do(func() { blocks = decode(tb) })
		require.NotEmpty(tb, blocks, "the first test that decoded the blocks failed")
		return blocks
	}
}

// devnetBlocks are the blocks of the recorded local chain.
var devnetBlocks = shared(func(tb testing.TB) []*chain.MasterBlock {
	tb.Helper()
	src := recordedtest.Devnet(tb)
	head, err := src.Head(tb.Context())
	require.NoError(tb, err)
	return recordedtest.Blocks(tb, src, 1, head.Seqno)
})

// sets returns the sets, of which each has one list of blocks in all tests of the process.
var sets = sync.OnceValue(func() []set {
	return []set{
		{"devnet", "devnet", devnetBlocks, 3, true, 35},
		{"mainnet", "mainnet", shared(func(tb testing.TB) []*chain.MasterBlock {
			tb.Helper()
			fat := mainnet.OpenFatBlock(tb)
			return recordedtest.Blocks(tb, fat, fat.Raw.Master.ID.Seqno, fat.Raw.Master.ID.Seqno)
		}), 1, false, 20},
		{"first", "mainnet", shared(func(tb testing.TB) []*chain.MasterBlock {
			tb.Helper()
			return recordedtest.Blocks(tb, mainnet.OpenFirstBlocks(tb), 1, 12)
		}), 1, false, 20},
		{"synthetic", "testnet", shared(func(testing.TB) []*chain.MasterBlock {
			o := synthetic.Options{Transactions: 500, Accounts: 60, PerBlock: 17, Shards: 4, Seed: 7, BOCs: true, Cells: true, Contracts: true}
			blocks, _ := synthetic.New(o).Batch(1 << 20)
			return blocks
		}), 1, false, 20},
	}
})

// Every API responds byte for byte as recorded, from rows of this version and from rows of earlier versions. A change that is
// intended is recorded with -update; the commit before shows the earlier response.
func TestAPIs_RespondAsRecorded(t *testing.T) {
	t.Parallel()
	for _, s := range sets() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			blocks := s.blocks(t)
			db := recordedtest.Index(t, blocks)
			if *update {
				s.record(t, newService(t, db, s.network))
			}
			recorded := load(t, s.name)
			t.Run("rows of this version", func(t *testing.T) {
				t.Parallel()
				requireRecorded(t, newService(t, db, s.network), recorded)
			})
			t.Run("rows of earlier versions", func(t *testing.T) {
				t.Parallel()
				before := recordedtest.IndexAsBefore(t, blocks)
				storetest.AsBefore(t, before)
				h := newService(t, before, s.network)
				requireRecorded(t, h, recorded)
				total := 0
				for _, mb := range blocks {
					total += len(mb.Transactions)
				}
				moveRows(t, before, total/2)
				requireRecorded(t, h, recorded)
				moveRows(t, before, total)
				var odd, even []exchange // each request once, by a process that ran during the move or by another
				for i := range recorded {
					if i%2 == 0 {
						even = append(even, recorded[i])
					} else {
						odd = append(odd, recorded[i])
					}
				}
				requireRecorded(t, h, odd)
				requireRecorded(t, newService(t, before, s.network), even)
			})
		})
	}
}

// moveRows brings at least so many transactions of an earlier version into the form of this one. Not all are moved before the last.
func moveRows(t *testing.T, db *store.DB, rows int) {
	t.Helper()
	for {
		list, err := db.Writer().MoveStatuses(t.Context())
		require.NoError(t, err)
		at := slices.IndexFunc(list, func(s moves.Status) bool { return s.Name == moves.OfTransactions })
		if list[at].Moved >= int64(rows) {
			require.Equal(t, int64(0), list[at].Rest.Total())
			return
		}
		require.False(t, list[at].Done)
		_, err = db.Writer().MoveTransactions(t.Context(), max(rows/10, 1))
		require.NoError(t, err)
	}
}

// record sends all requests of the set and rewrites its file.
func (s set) record(t *testing.T, h http.Handler) {
	t.Helper()
	g := newGenerator(t, h, s)
	g.fill()
	g.v3()
	if s.name != "synthetic" { // accounts of synthetic blocks have no cells
		g.v2()
	}
	g.graphQL()
	list := s.sample(t, g.exchanges)
	before := map[string]exchange{}
	if stored(s.name) {
		for _, e := range load(t, s.name) {
			before[e.request()] = e
		}
	}
	for _, e := range list {
		if old, ok := before[e.request()]; ok && old != e {
			t.Logf("changed: %s\n%s", e.request(), difference(old.outcome(), e.outcome()))
		}
		delete(before, e.request())
	}
	t.Logf("%s: %d of %d requests; %d of the requests recorded before are left out", s.name, len(list), len(g.exchanges), len(before))
	save(t, s.name, list)
}

// sample returns the requests that are recorded. Those of a parameter do not depend on others.
func (s set) sample(t *testing.T, all []exchange) (list []exchange) {
	t.Helper()
	used := map[string]bool{}
	for _, e := range all {
		n := len(used)
		cover(t, e, used)
		sum := fnv.New32a()
		sum.Write([]byte(e.request()))
		if len(used) > n || int(sum.Sum32()%100) < s.share {
			list = append(list, e)
		}
	}
	return list
}

// newService returns the complete service over a database.
func newService(t *testing.T, db *store.DB, network string) http.Handler {
	t.Helper()
	silent := slog.New(slog.DiscardHandler)
	service := resolvers.New(db.Reader(), nil, resolvers.Options{
		Network: network, TestOnly: network != "mainnet", Logger: silent,
		Pending: db.Pending(store.PendingLimits{}), Classifier: trace.Classifier{},
	})
	t.Cleanup(service.Close)
	resolver := &resolvers.Resolver{Service: service, Limits: graphql.DefaultLimits}
	return rest.New(rest.Options{
		Service: service, Logger: silent,
		GraphQL: graphql.New(graphql.Options{
			Schema: graph.NewExecutableSchema(graph.Config{Resolvers: resolver}), Limits: graphql.DefaultLimits,
			Logger: silent, RequestID: func(context.Context) string { return "" }, Prepare: resolver.Prepare,
		}),
	})
}

// requireRecorded sends the recorded requests and compares the responses.
func requireRecorded(t *testing.T, h http.Handler, recorded []exchange) {
	t.Helper()
	const shown = 5
	different := compare(t.Context(), h, recorded)
	var report strings.Builder
	for _, i := range slices.Sorted(maps.Keys(different))[:min(shown, len(different))] {
		report.WriteString(different[i] + "\n")
	}
	require.Empty(t, report.String(), "%d of %d responses differ", len(different), len(recorded))
}

// compare sends requests and returns how the responses differ from the recorded ones, by index.
func compare(ctx context.Context, h http.Handler, recorded []exchange) map[int]string {
	const senders = 4
	var next atomic.Int64
	var mu sync.Mutex
	different := map[int]string{}
	var group sync.WaitGroup
	for range senders {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(recorded); i = int(next.Add(1)) - 1 {
				e := recorded[i]
				e.send(ctx, h)
				if e != recorded[i] {
					mu.Lock()
					different[i] = fmt.Sprintf("%s\n%s", e.request(), difference(recorded[i].outcome(), e.outcome()))
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	return different
}

func TestCompare_OneByteIsReportedWithItsRequest(t *testing.T) {
	t.Parallel()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Mc-Seqno", r.URL.Query().Get("seqno"))
		_, _ = fmt.Fprintf(w, `{"a":%s}`, r.URL.Query().Get("a"))
	})
	get := func(seqno, a, response string) exchange {
		return exchange{Method: http.MethodGet, Target: "/x?seqno=" + seqno + "&a=" + a, Status: http.StatusOK, Seqno: seqno, Response: response}
	}
	require.Empty(t, compare(t.Context(), h, []exchange{get("1", "2", `{"a":2}`), get("3", "4", `{"a":4}`)}))
	other := get("5", "6", `{"a":6}`)
	other.Seqno = "7"
	different := compare(t.Context(), h, []exchange{get("1", "2", `{"a":2}`), get("3", "4", `{"a":5}`), other})
	require.Len(t, different, 2)
	require.Contains(t, different[1], "GET /x?seqno=3&a=4")
	require.Contains(t, different[1], `{"a":5}`)
	require.Contains(t, different[1], `{"a":4}`)
	require.Contains(t, different[2], "X-Mc-Seqno=5")
}

// difference shows two texts around their first difference.
func difference(recorded, now string) string {
	const before, after = 120, 200
	at := 0
	for at < min(len(recorded), len(now)) && recorded[at] == now[at] {
		at++
	}
	part := func(text string) string { return text[max(0, min(at, len(text))-before):min(len(text), at+after)] }
	return fmt.Sprintf("  at byte %d\n  recorded …%s…\n  now      …%s…", at, part(recorded), part(now))
}
