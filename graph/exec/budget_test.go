package exec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
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
		"within":            {exec.Budget{Values: 303, Bytes: 5500, Exceeded: tooLarge}, ""},
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

// The values that resolvers return last are bounded as those before them, and the rest is not put into the response.
func TestBudget_BytesAreComparedAtEachValue(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1000)
	var aliases, friends strings.Builder
	for i := range 100 {
		fmt.Fprintf(&aliases, ` a%d: say(text: "")`, i)
	}
	for i := range 20 {
		fmt.Fprintf(&friends, ` %s%d: name`, strings.Repeat("n", 150), i)
	}
	for name, c := range map[string]struct {
		query   string
		me      *person
		resolve bool // each root field in a goroutine
	}{
		"leaves of resolvers":    {`{` + aliases.String() + `}`, nil, true},
		"leaves":                 {`{` + aliases.String() + `}`, nil, false},
		"the last object":        {`{ me { name boss { name } } }`, &person{boss: &person{name: strings.Repeat(long, 11)}}, false},
		"names of the selection": {`{ me { friends {` + friends.String() + `} } }`, newPersonWithFriends(100), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := exec.Budget{Bytes: 10_000, Exceeded: errors.New("too large")}
			ctx, n, finish := beginIn(t, exec.WithBudget(t.Context(), &b), c.query, nil)
			most := 0
			say := func(_ context.Context, _ any, n *exec.Node, i int, text string) {
				n.Put(i, exec.AppendString(n.Leaves(), text))
				most = max(most, len(n.Leaves()))
			}
			n.Each(func(i int, f *exec.Field) {
				switch {
				case f.Name == "me":
					put(ctx, nil, n, i, c.me)
				case c.resolve:
					exec.Go[any](ctx, nil, n, i, func(context.Context) (string, error) { return long, nil }, say)
				default:
					say(ctx, nil, n, i, long)
				}
			})
			require.Equal(t, "null  too large", finish())
			require.LessOrEqual(t, most, b.Bytes)
		})
	}
}

// Each event of a subscription has a budget of its own, as its context has it.
func TestBudget_BoundsEventsOfSubscriptions(t *testing.T) {
	t.Parallel()
	ctx, n, _ := begin(t, `{ me { name } }`, nil)
	set := graphql.GetOperationContext(ctx).Operation.SelectionSet
	events := make(chan *person, 3)
	for _, length := range []int{10, 20_000, 10} {
		events <- &person{name: strings.Repeat("x", length)}
	}
	close(events)
	next := exec.Events[any](ctx, nil, n, set, queryTypes, func(context.Context) (<-chan *person, error) { return events, nil }, put)
	var got []string
	for {
		m := next(exec.WithBudget(ctx, &exec.Budget{Bytes: 10_000}))
		if m == nil {
			break
		}
		var b bytes.Buffer
		m.MarshalGQL(&b)
		got = append(got, b.String())
	}
	ten := `{"me":{"name":"xxxxxxxxxx"}}`
	require.Equal(t, []string{ten, "null", ten}, got)
	require.Len(t, graphql.GetErrors(ctx), 1)
}

// Memory for the response is allocated once, and it is not much more than the response.
func TestFinish_ResponseIsSizedOnce(t *testing.T) {
	t.Parallel()
	for name, me := range map[string]*person{
		"large leaves": {friends: []*person{{name: strings.Repeat("x", 1<<20)}}},
		"small leaves": newPersonWithFriends(20_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, n, _ := begin(t, `{ me { friends { name age longerThanItsValue: name } } }`, nil)
			put(ctx, nil, n, 0, me)
			n.Finish().MarshalGQL(writerFunc(func(b []byte) {
				require.Less(t, float64(cap(b)), 1.3*float64(len(b)))
			}))
		})
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
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

// Resolvers in progress end when the response has exceeded its bound: nobody needs their results.
func TestBudget_ExceededBudgetEndsResolversInProgress(t *testing.T) {
	t.Parallel()
	const waiting = 50
	for name, limit := range map[string]exec.Budget{"bytes": {Bytes: 10_000}, "values": {Values: waiting + 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var fields strings.Builder
			for i := range waiting {
				fmt.Fprintf(&fields, ` a%d: say(text: "")`, i)
			}
			ctx, n, finish := beginIn(t, exec.WithBudget(t.Context(), &limit), `{ me { friends { name } }`+fields.String()+`}`, nil)
			var started sync.WaitGroup
			started.Add(waiting)
			var ended atomic.Int64
			n.Each(func(i int, f *exec.Field) {
				if f.Name == "me" {
					exec.Go[any](ctx, nil, n, i, func(context.Context) (*person, error) {
						started.Wait()
						return newPersonWithFriends(1000), nil
					}, put)
					return
				}
				exec.Go[any](ctx, nil, n, i, func(ctx context.Context) (string, error) {
					started.Done()
					select {
					case <-ctx.Done():
						ended.Add(1)
						return "", ctx.Err()
					case <-time.After(20 * time.Second):
						return "", nil
					}
				}, func(context.Context, any, *exec.Node, int, string) {})
			})
			require.Equal(t, "null  the response is too large", finish())
			require.Equal(t, int64(waiting), ended.Load())
		})
	}
}

// Results of a run are complete before its context ends, which frees what waits for the context.
func TestFinish_EndsTheContext(t *testing.T) {
	t.Parallel()
	ctx, n, finish := begin(t, `{ me { name } }`, nil)
	exec.Go[any](ctx, nil, n, 0, func(ctx context.Context) (*person, error) { return newPersonWithFriends(0), ctx.Err() }, put)
	require.JSONEq(t, `{"me":{"name":"Anna"}}`, finish())
	require.ErrorIs(t, ctx.Err(), context.Canceled)
}
