package exec_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/graph/exec"
)

// newPersonWithFriends returns a person with n friends, each with a name.
func newPersonWithFriends(n int) *person {
	p := &person{name: "Anna"}
	for range n {
		p.friends = append(p.friends, &person{name: "Bob"})
	}
	return p
}

func TestBudget_ExceededBudgetReturnsNullAndOneError(t *testing.T) {
	t.Parallel()
	tooLarge := errors.New("too large")
	for name, c := range map[string]struct {
		budget exec.Budget
		want   string
	}{
		"within":            {exec.Budget{Values: 303, Bytes: 5000, Exceeded: tooLarge}, ""},
		"too many values":   {exec.Budget{Values: 200, Exceeded: tooLarge}, "null  too large"},
		"too many bytes":    {exec.Budget{Bytes: 500, Exceeded: tooLarge}, "null  too large"},
		"without its error": {exec.Budget{Values: 200}, "null  the response is too large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, n, finish := beginIn(t, exec.WithBudget(t.Context(), &c.budget), `{ me { name friends { name age friends { name } } } }`, nil)
			exec.Go[any](ctx, nil, n, 0, resolved(newPersonWithFriends(100)), put)
			got := finish()
			if c.want != "" {
				require.Equal(t, c.want, got)
				return
			}
			require.True(t, json.Valid([]byte(got)))
			require.Equal(t, 1+2+100*3, c.budget.Spent())
		})
	}
}

func TestRun_StopsWhenContextEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var resolved atomic.Int64
	anna := newPersonWithFriends(5000)
	for _, p := range anna.friends {
		p.parent = func(context.Context) (*person, error) {
			resolved.Add(1)
			return nil, nil
		}
	}
	ctx, n, finish := beginIn(t, ctx, `{ me { friends { name parent { name } } } }`, nil)
	exec.Go[any](ctx, nil, n, 0, func(context.Context) (*person, error) {
		return anna, nil
	}, func(ctx context.Context, ec any, n *exec.Node, i int, p *person) {
		cancel()
		put(ctx, ec, n, i, p)
	})
	require.Equal(t, "null  context canceled", finish())
	require.Less(t, resolved.Load(), int64(256), "resolvers of the other rows never begin")
}
