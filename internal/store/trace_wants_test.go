package store_test

import (
	"runtime"
	"sync"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// wantingClassifier wants one account for all traces. It counts the traces that it has read and that are in memory.
type wantingClassifier struct {
	account chain.Address

	mu    sync.Mutex
	every int // readings between two counts
	read  []weak.Pointer[chain.Transaction]
	most  int // in memory at a time
}

func (*wantingClassifier) Version() int16 { return 1 }

func (c *wantingClassifier) Read(t *chain.TraceContent) chain.TraceReading {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read = append(c.read, weak.Make(t.Transactions[0].Transaction))
	if len(c.read)%c.every == 0 {
		runtime.GC()
		live := 0
		for _, p := range c.read {
			if p.Value() != nil {
				live++
			}
		}
		c.most = max(c.most, live)
	}
	runtime.KeepAlive(t)
	return wantingReading{c.account}
}

type wantingReading struct{ account chain.Address }

func (r wantingReading) Accounts(chain.TraceRecords) []chain.Address {
	return []chain.Address{r.account}
}
func (wantingReading) NeedsData() bool                                     { return false }
func (wantingReading) Classify(chain.TraceRecords) ([]chain.Action, error) { return nil, nil }

// All traces that want one account are classified again when it is indexed, some at a time.
func TestTraceWants_ManyAreRewrittenSomeAtATime(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	account := chain.Address{ID: chain.Hash{0x77, 1}}
	w := db.Writer()
	w.SetClassifier(&wantingClassifier{account: account, every: 1 << 30})
	blocks, _ := synthetic.New(synthetic.Options{Transactions: 6000, Accounts: 500, PerBlock: 100, Shards: 1, Seed: 7}).Batch(1 << 20)
	for _, mb := range blocks[4:] {
		require.NoError(t, w.Apply(t.Context(), mb))
	}
	sql := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, sql.Close()) })
	wanting, complete, classified := 0, 0, 0
	require.NoError(t, sql.QueryRow(`SELECT count(*) FROM trace_wants`).Scan(&wanting))
	require.NoError(t, sql.QueryRow(`SELECT count(*), count(*) FILTER (WHERE classification = 1) FROM traces WHERE pending = 0`).Scan(&complete, &classified))
	require.Greater(t, wanting, 800)

	first := blocks[3]
	clear(blocks) // only those that the index reads are in memory
	first.Contracts = []chain.Contract{{
		Account: account, LT: first.Block.EndLT, McSeqno: first.Block.Seqno, CodeHash: chain.Hash{1}, Interfaces: []string{},
		NFTItem: &chain.NFTItem{Address: account, LastTxLT: first.Block.EndLT},
	}}
	again := &wantingClassifier{account: account, every: 50}
	w.SetClassifier(again)
	require.NoError(t, w.Apply(t.Context(), first))
	require.GreaterOrEqual(t, len(again.read), wanting)
	require.LessOrEqual(t, again.most, 2*256+100)
	after, classifiedAfter := 0, 0
	require.NoError(t, sql.QueryRow(`SELECT count(*), count(*) FILTER (WHERE classification = 1) FROM traces WHERE pending = 0`).Scan(&after, &classifiedAfter))
	require.GreaterOrEqual(t, after, complete)
	require.GreaterOrEqual(t, classifiedAfter, classified)
}
