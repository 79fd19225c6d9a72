package exec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/rules"
	"go.uber.org/goleak"

	"tonql/graph/exec"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var schema = gqlparser.MustLoadSchema(&ast.Source{Input: `
	interface Named { name: String! }
	type Person implements Named { name: String! age: Int friends: [Person!] parent: Person boss: Person! }
	type Query { me: Person you: Person! say(text: String!): String }`})

var (
	queryTypes  = []string{"Query"}
	personTypes = []string{"Person", "Named"}
)

type person struct {
	name    string
	age     *int
	friends []*person
	parent  func(context.Context) (*person, error)
	boss    *person
}

// begin starts the run of a query as the generated executor does.
func begin(t *testing.T, query string, variables map[string]any) (context.Context, *exec.Node, func() string) {
	t.Helper()
	return beginIn(t, t.Context(), query, variables)
}

func beginIn(t *testing.T, parent context.Context, query string, variables map[string]any) (context.Context, *exec.Node, func() string) { //nolint:revive // the test comes first here
	t.Helper()
	doc, errs := gqlparser.LoadQueryWithRules(schema, query, rules.NewDefaultRules())
	require.Empty(t, errs)
	op := &graphql.OperationContext{
		Doc: doc, Operation: doc.Operations[0], Variables: variables,
		RecoverFunc: func(_ context.Context, p any) error { return errors.New("recovered") },
	}
	ctx := graphql.WithResponseContext(graphql.WithOperationContext(parent, op), func(ctx context.Context, err error) *gqlerror.Error {
		var e *gqlerror.Error
		require.ErrorAs(t, err, &e)
		e.Path = graphql.GetPath(ctx)
		return e
	}, op.RecoverFunc)
	ctx, n := exec.Root(ctx, op, op.Operation.SelectionSet, queryTypes)
	return ctx, n, func() string {
		var b bytes.Buffer
		n.Finish().MarshalGQL(&b)
		for _, e := range graphql.GetErrors(ctx) {
			b.WriteString(" " + e.Path.String() + " " + e.Message)
		}
		return b.String()
	}
}

func put(ctx context.Context, _ any, n *exec.Node, i int, p *person) {
	if p == nil {
		return
	}
	n = n.Object(i, personTypes)
	for i, f := range n.Fields() {
		switch f.Name {
		case "name":
			if p.name == "panic" {
				panic("a panic of a field")
			}
			n.Put(i, exec.AppendString(n.Leaves(), p.name))
		case "age":
			if p.age != nil {
				n.Put(i, exec.AppendInt(n.Leaves(), *p.age))
			}
		case "friends":
			list := n.List(i, len(p.friends))
			for at := range p.friends {
				put(ctx, nil, list, at, p.friends[at])
			}
		case "parent":
			exec.Go[any](ctx, nil, n, i, p.parent, put)
		case "boss":
			put(ctx, nil, n, i, p.boss)
		}
	}
}

func resolved(p *person) func(context.Context) (*person, error) {
	return func(context.Context) (*person, error) { return p, nil }
}

func TestFinish_ResponseFollowsSelection(t *testing.T) {
	t.Parallel()
	fails := func(context.Context) (*person, error) { return nil, errors.New("not today") }
	anna := &person{name: "Anna", age: new(7), parent: resolved(nil), boss: &person{name: "Boss"}}
	for name, c := range map[string]struct {
		query     string
		variables map[string]any
		me        *person
		want      string
	}{
		"leaves and nulls":           {`{ me { name age parent { name } } }`, nil, &person{name: "A\n\"", parent: resolved(anna)}, `{"me":{"name":"A\n\"","age":null,"parent":{"name":"Anna"}}}`},
		"aliases keep their order":   {`{ me { b: age a: name } }`, nil, anna, `{"me":{"b":7,"a":"Anna"}}`},
		"fields are merged":          {`{ me { boss { name } ...F boss { age } } } fragment F on Named { name ... on Person { boss { n: name } } }`, nil, anna, `{"me":{"boss":{"name":"Boss","n":"Boss","age":null},"name":"Anna"}}`},
		"what is skipped":            {`query($y: Boolean!) { me { name @skip(if: $y) age @include(if: $y) ... @include(if: false) { n: name } ...F @skip(if: true) } } fragment F on Person { m: name }`, map[string]any{"y": true}, anna, `{"me":{"age":7}}`},
		"lists":                      {`{ me { friends { name } } }`, nil, &person{friends: []*person{anna, {name: "B"}}}, `{"me":{"friends":[{"name":"Anna"},{"name":"B"}]}}`},
		"an error is a null":         {`{ me { name parent { name } } }`, nil, &person{name: "A", parent: fails}, `{"me":{"name":"A","parent":null}} me.parent not today`},
		"null of a list's element":   {`{ me { name friends { name } } }`, nil, &person{name: "A", friends: []*person{nil}}, `{"me":{"name":"A","friends":null}} me.friends[0] must not be null`},
		"null goes up to a nullable": {`{ me { parent { boss { name } } } }`, nil, &person{parent: resolved(&person{})}, `{"me":{"parent":null}} me.parent.boss must not be null`},
		"null goes up to the root":   {`{ me { name } you { boss { name } } }`, nil, anna, `null you must not be null`},
		"a panic is an error":        {`{ me { parent { name } } }`, nil, &person{parent: resolved(&person{name: "panic"})}, `{"me":{"parent":null}} me.parent recovered`},
		"a panic of a resolver":      {`{ me { parent { name } } }`, nil, &person{parent: func(context.Context) (*person, error) { panic("there") }}, `{"me":{"parent":null}} me.parent recovered`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, n, finish := begin(t, c.query, c.variables)
			n.Each(func(i int, f *exec.Field) {
				if f.Name == "me" {
					put(ctx, nil, n, i, c.me)
				}
			})
			require.Equal(t, c.want, finish())
		})
	}
}

func TestRead_SharedArgumentsAreParsedOnce(t *testing.T) {
	t.Parallel()
	_, n, finish := begin(t, `{ say(text: "hello") }`, nil)
	reads := 0
	read := func(_ context.Context, _ any, raw map[string]any) (map[string]any, error) {
		reads++
		return raw, nil
	}
	for range 3 {
		args := exec.Read[any](nil, n, 0, true, read)
		require.Equal(t, "hello", args.Args["text"])
	}
	require.Equal(t, 1, reads)
	require.JSONEq(t, `{"say":null}`, finish())

	_, n, finish = begin(t, `{ say(text: "hello") }`, nil)
	for range 2 {
		require.Nil(t, exec.Read[any](nil, n, 0, true, func(context.Context, any, map[string]any) (map[string]any, error) {
			return nil, errors.New("no such text")
		}))
	}
	require.Contains(t, finish(), "say no such text")
}

// Every key of a level is in its batch, even if its resolver adds it late, and a batch is read once.
func TestBatch_IsSentWhenAllResolversWait(t *testing.T) {
	t.Parallel()
	ctx, n, finish := begin(t, `{ me { friends { parent { name } } } }`, nil)
	run := exec.Of(ctx)
	const rows = 50
	var added, reads atomic.Int64
	there := make(chan struct{})
	var batch *exec.Batch
	batch = run.Gather(func() {
		reads.Add(1)
		if n := added.Load(); n != rows {
			t.Errorf("read with %d of %d keys", n, rows)
		}
		batch.Done()
		close(there)
	})
	me := &person{}
	for i := range rows {
		me.friends = append(me.friends, &person{parent: func(context.Context) (*person, error) {
			for range i % 5 { // some come late
				runtime.Gosched()
			}
			added.Add(1)
			batch.Wait()
			<-there
			return &person{name: "P"}, nil
		}})
	}
	put(ctx, nil, n, 0, me)
	require.Contains(t, finish(), `{"parent":{"name":"P"}}`)
	require.EqualValues(t, 1, reads.Load())
}

// A resolver that waits for something else does not delay a batch for ever.
func TestBatch_IsSentAfterIdleInterval(t *testing.T) {
	t.Parallel()
	ctx, n, finish := begin(t, `{ me { friends { parent { name } } } }`, nil)
	there := make(chan struct{})
	var batch *exec.Batch
	batch = exec.Of(ctx).Gather(func() {
		batch.Done()
		close(there)
	})
	slow := func(context.Context) (*person, error) {
		<-there // closed by the batch alone
		return &person{name: "slow"}, nil
	}
	quick := func(context.Context) (*person, error) {
		batch.Wait()
		<-there
		return &person{name: "quick"}, nil
	}
	put(ctx, nil, n, 0, &person{friends: []*person{{parent: slow}, {parent: quick}}})
	require.JSONEq(t, `{"me":{"friends":[{"parent":{"name":"slow"}},{"parent":{"name":"quick"}}]}}`, finish())
}

func TestGo_RunsMoreResolversThanMaxOpen(t *testing.T) {
	t.Parallel()
	ctx, n, finish := begin(t, `{ me { friends { parent { name } } } }`, nil)
	me := &person{}
	for range 5000 {
		me.friends = append(me.friends, &person{parent: resolved(&person{name: "P"})})
	}
	put(ctx, nil, n, 0, me)
	require.Equal(t, 5000, strings.Count(finish(), `"P"`))
}

// FuzzAppendString_AgreesWithEncodingJSON checks that a decoder reads the same text from the output and from that of
// encoding/json.
func FuzzAppendString_AgreesWithEncodingJSON(f *testing.F) {
	f.Add("plain")
	f.Add("\x00\"\\\n\u2028é\xff\xf0\x9f\x98\x80<>&\x7f")
	f.Fuzz(func(t *testing.T, s string) {
		var got, want string
		require.NoError(t, json.Unmarshal(exec.AppendString(nil, s), &got))
		b, err := json.Marshal(s)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &want))
		require.Equal(t, want, got)
	})
}

func TestAppendJSON_WritesOneLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, `x{"a":1}`, string(exec.AppendJSON([]byte("x"), json.RawMessage("{\n \"a\": 1\n}"))))
	require.Equal(t, `null`, string(exec.AppendJSON(nil, nil)))
}

// The observer sees each resolver with the names of the schema, in the context of the one above it, and its error.
func TestObserver_SeesResolversInTheirTree(t *testing.T) {
	t.Parallel()
	type above struct{}
	var mu sync.Mutex
	var seen []string
	observe := func(ctx context.Context, object, field string) (context.Context, func(error)) {
		path, _ := ctx.Value(above{}).(string)
		path += "/" + object + "." + field
		return context.WithValue(ctx, above{}, path), func(err error) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, fmt.Sprint(path, " ", err))
		}
	}
	fails := func(context.Context) (*person, error) { return nil, errors.New("not today") }
	panics := func(context.Context) (*person, error) { panic("there") }
	me := &person{friends: []*person{{parent: fails}, {parent: panics}, {parent: resolved(&person{parent: resolved(nil)})}}}
	ctx, n, finish := beginIn(t, exec.WithObserver(t.Context(), observe), `{ me { friends { alias: parent { name parent { name } } } } }`, nil)
	exec.Go[any](ctx, nil, n, 0, resolved(me), put)
	finish()
	slices.Sort(seen)
	require.Equal(t, []string{
		"/Query.me <nil>", "/Query.me/Person.parent <nil>", "/Query.me/Person.parent not today", "/Query.me/Person.parent recovered",
		"/Query.me/Person.parent/Person.parent <nil>",
	}, seen)
}
