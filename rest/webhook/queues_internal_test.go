package webhook

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/stretchr/testify/require"

	"tonql/internal/store"
	"tonql/internal/store/payments"
	"tonql/internal/testdb"
)

// A queue that was added but not started, because the database was lost in between, is started by the next call.
func TestQueuesAdd_RestartsAQueueThatDidNotStart(t *testing.T) {
	t.Parallel()
	addedTwice(t, testdb.New(t).Payments().JobDriver())
}

func addedTwice[Tx any](t *testing.T, driver riverdriver.Driver[Tx]) {
	t.Helper()
	workers := river.NewWorkers()
	require.NoError(t, river.AddWorkerSafely(workers, &worker{}))
	client, err := river.NewClient(driver, &river.Config{
		Schema: payments.JobSchema, Workers: workers, Queues: map[string]river.QueueConfig{idleQueue: {MaxWorkers: 1}},
	})
	require.NoError(t, err)
	q := &queues[Tx]{dispatcher: &Dispatcher{options: Options{PerEndpoint: 1}}, client: client, active: map[int64]*queue{}}
	name := payments.DeliveryQueue(7)
	require.NoError(t, client.Queues().Add(name, river.QueueConfig{MaxWorkers: 1})) // the state after a failed start
	require.ErrorIs(t, q.add(t.Context(), name), &river.QueueAlreadyAddedError{})
	require.NoError(t, q.add(t.Context(), name))
}

func TestRun_RetriesTheStartWithoutDatabase(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), store.Config{WriteURL: testdb.URL(t)})
	require.NoError(t, err)
	payments := db.Payments()
	db.Close() // every later connection fails
	warned := make(chan struct{}, 100)
	log := slog.New(slog.NewTextHandler(writerFunc(func(p []byte) (int, error) {
		if strings.Contains(string(p), "cannot start, trying again") {
			warned <- struct{}{}
		}
		return len(p), nil
	}), nil))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- New(Options{Payments: payments, Logger: log}).Run(ctx) }()
	for range 2 {
		select {
		case <-warned:
		case err := <-ended:
			require.Fail(t, "the dispatcher ended", "%v", err)
		case <-time.After(time.Minute):
			require.Fail(t, "no attempt was made")
		}
	}
	stop()
	require.NoError(t, <-ended)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A delivery that waits for another one checks at first often, then in a share of its age.
func TestBlockedFor_FollowsTheAge(t *testing.T) {
	t.Parallel()
	for age, want := range map[time.Duration]time.Duration{
		-time.Second: blockedPoll, 0: blockedPoll, time.Second: blockedPoll, 8 * time.Second: 2 * time.Second, time.Hour: maxSnooze,
	} {
		require.Equal(t, want, blockedFor(age), age)
	}
}
