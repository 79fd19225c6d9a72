package metadata

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// memoryQueue is a [Queue] in memory: jobs are leased, results set the next time.
type memoryQueue struct {
	mu       sync.Mutex
	lease    time.Duration
	order    []key
	jobs     map[key]*storedJob
	stored   []chain.MetadataResult
	changed  chan struct{} // closed and renewed at each result
	broken   error         // the error of both methods, if any
	requests int
}

type storedJob struct {
	job  chain.MetadataJob
	due  *time.Time
	last *chain.Metadata
}

func newMemoryQueue() *memoryQueue {
	return &memoryQueue{lease: time.Hour, jobs: map[key]*storedJob{}, changed: make(chan struct{})}
}

func (q *memoryQueue) put(j chain.MetadataJob) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.order = append(q.order, keyOf(j))
	q.jobs[keyOf(j)] = &storedJob{job: j, due: &time.Time{}}
}

// Next implements Queue.
func (q *memoryQueue) Next(_ context.Context, limit int) ([]chain.MetadataJob, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.requests++; q.broken != nil {
		return nil, q.broken
	}
	var jobs []chain.MetadataJob
	now := time.Now()
	for _, k := range q.order {
		if e := q.jobs[k]; len(jobs) < limit && e.due != nil && !e.due.After(now) {
			e.due = new(now.Add(q.lease))
			jobs = append(jobs, e.job)
		}
	}
	return jobs, nil
}

// ReadTraits implements Queue.
func (q *memoryQueue) ReadTraits(context.Context, int) (int, error) { return 0, nil }

// Store implements Queue.
func (q *memoryQueue) Store(_ context.Context, r chain.MetadataResult) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.broken != nil {
		return q.broken
	}
	e := q.jobs[keyOf(r.Job)]
	e.due, e.job.Tries = r.NextTry, r.Tries
	if r.Metadata != nil {
		e.last = r.Metadata
	}
	q.stored = append(q.stored, r)
	close(q.changed)
	q.changed = make(chan struct{})
	return nil
}

// results waits until n results are stored and returns all that are.
func (q *memoryQueue) results(t *testing.T, n int) []chain.MetadataResult {
	t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		q.mu.Lock()
		stored, changed := q.stored, q.changed
		q.mu.Unlock()
		if len(stored) >= n {
			return stored
		}
		select {
		case <-changed:
		case <-deadline:
			require.FailNow(t, "results are missing", "%d of %d", len(stored), n)
		}
	}
}

// run starts a worker; it stops at the end of the test, or when stop is called.
func run(t *testing.T, q Queue, o Options) (w *Worker, stop func()) {
	t.Helper()
	if o.Poll == 0 {
		o.Poll = 10 * time.Millisecond
	}
	w, err := New(q, o)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { require.NoError(t, w.Run(ctx)) })
	stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(stop)
	return w, stop
}

// job makes the n-th job.
func job(n int, content chain.Content) chain.MetadataJob {
	var a chain.Address
	a.ID[0], a.ID[1] = byte(n>>8), byte(n)
	return chain.MetadataJob{Address: a, Kind: chain.TokenJettonMaster, Content: content}
}
