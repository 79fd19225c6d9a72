package webhook

import (
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/stretchr/testify/require"

	"tonql/internal/store"
	"tonql/internal/testdb"
)

// A queue that was added and could not be started, since the database was lost in between, is started by the next attempt.
func TestQueues_QueueThatDidNotStartIsAddedAgain(t *testing.T) {
	t.Parallel()
	addedTwice(t, testdb.New(t).Payments().JobDriver())
}

func addedTwice[Tx any](t *testing.T, driver riverdriver.Driver[Tx]) {
	t.Helper()
	workers := river.NewWorkers()
	require.NoError(t, river.AddWorkerSafely(workers, &worker{}))
	client, err := river.NewClient(driver, &river.Config{
		Schema: store.JobSchema, Workers: workers, Queues: map[string]river.QueueConfig{idleQueue: {MaxWorkers: 1}},
	})
	require.NoError(t, err)
	q := &queues[Tx]{dispatcher: &Dispatcher{options: Options{PerEndpoint: 1}}, client: client, known: map[int64]*queue{}}
	name := store.DeliveryQueue(7)
	require.NoError(t, client.Queues().Add(name, river.QueueConfig{MaxWorkers: 1})) // as a start that failed leaves it
	require.ErrorIs(t, q.add(t.Context(), name), &river.QueueAlreadyAddedError{})
	require.NoError(t, q.add(t.Context(), name))
}
