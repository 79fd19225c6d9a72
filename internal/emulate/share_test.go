package emulate

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

type nameKey struct{}

// Executions of one client wait for each other, so that those of another begin when the one that runs has ended, however many of the first wait.
func TestShare_OneClientLeavesSomeForOthers(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	spent := map[string]int{}
	s := newShare(2, 1, Options{
		Client: func(ctx context.Context) string { name, _ := ctx.Value(nameKey{}).(string); return name },
		Spent: func(ctx context.Context, took time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			if name, _ := ctx.Value(nameKey{}).(string); took > 0 {
				spent[name]++
			}
		},
	})
	as := func(name string) context.Context { return context.WithValue(t.Context(), nameKey{}, name) }
	first, err := s.begin(as("greedy"))
	require.NoError(t, err)
	var waiting sync.WaitGroup
	many, cancel := context.WithCancel(as("greedy"))
	for range 100 {
		waiting.Go(func() {
			if end, err := s.begin(many); err == nil {
				end()
			}
		})
	}
	for range 3 {
		end, err := s.begin(as("other"))
		require.NoError(t, err)
		end()
	}
	cancel()
	waiting.Wait()
	over, stop := context.WithCancel(as("greedy"))
	stop()
	_, err = s.begin(over)
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	first()
	end, err := s.begin(as("greedy"))
	require.NoError(t, err)
	end()
	require.Equal(t, map[string]int{"greedy": 2, "other": 3}, spent)
	require.Empty(t, s.clients)

	// Without a client, they are bounded together.
	var ends []func()
	for range 2 {
		end, err := s.begin(t.Context())
		require.NoError(t, err)
		ends = append(ends, end)
	}
	_, err = s.begin(over)
	require.Error(t, err)
	for _, end := range ends {
		end()
	}
	require.Empty(t, s.all)
}
