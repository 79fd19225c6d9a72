package conformance_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/rules"
	"go.uber.org/goleak"

	"tonql/graph/exec/conformance/inline"
	"tonql/graph/exec/conformance/stock"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// documents is the number of generated documents that both executors execute.
const documents = 2000

func TestExecutors_GeneratedDocumentsHaveEqualResponses(t *testing.T) {
	t.Parallel()
	schema := stock.NewExecutableSchema(stock.Config{}).Schema()
	r := rand.New(rand.NewPCG(1, 2))
	executed, withErrors := 0, 0
	for i := 0; executed < documents; i++ {
		require.Less(t, i, 10*documents, "too few generated documents are valid")
		text, variables := newDocument(r, schema)
		if _, errs := gqlparser.LoadQueryWithRules(schema, text, rules.NewDefaultRules()); len(errs) > 0 {
			continue // such as two arguments for one name
		}
		executed++
		want := execute(t, stock.NewExecutableSchema(stock.Config{Resolvers: stockRoot{newMutations()}}), text, variables)
		got := execute(t, inline.NewExecutableSchema(inline.Config{Resolvers: inlineRoot{newMutations()}}), text, variables)
		require.Equal(t, want.data, got.data, "document %d: %s\nvariables: %v", i, text, variables)
		require.Equal(t, want.errors, got.errors, "errors of document %d: %s\nvariables: %v", i, text, variables)
		if len(want.errors) > 0 {
			withErrors++
		}
	}
	t.Logf("%d documents, %d of them with errors", executed, withErrors)
	require.Greater(t, withErrors, documents/20, "the documents hardly test errors")
}

func newMutations() mutationResolver { return mutationResolver{new(int)} }

// result is a response in a form that two executors can agree on. The order of errors depends on the scheduling of
// resolvers. A null that the schema does not allow has another message in each executor. For that and for a panic only ours adds the location.
type result struct {
	data   string
	errors []string
}

func execute(t *testing.T, schema graphql.ExecutableSchema, text string, variables map[string]any) result {
	t.Helper()
	e := executor.New(schema)
	e.SetRecoverFunc(func(context.Context, any) error { return gqlerror.Errorf("recovered") })
	ctx := graphql.StartOperationTrace(t.Context())
	op, errs := e.CreateOperationContext(ctx, &graphql.RawParams{Query: text, Variables: variables})
	if len(errs) > 0 {
		return result{"refused", messages(errs)}
	}
	respond, ctx := e.DispatchOperation(ctx, op)
	response := respond(ctx)
	return result{string(response.Data), messages(response.Errors)}
}

func messages(errs gqlerror.List) []string {
	var all []string
	for _, e := range errs {
		text := e.Message
		if text == "the requested element is null which the schema does not allow" || text == "must not be null" {
			all = append(all, fmt.Sprintf("%s: null", e.Path))
			continue
		}
		if text == "recovered" {
			all = append(all, fmt.Sprintf("%s: recovered", e.Path))
			continue
		}
		all = append(all, fmt.Sprintf("%s: %s %v", e.Path, text, e.Locations))
	}
	slices.Sort(all)
	return all
}

// newDocument returns an operation with random selections of the schema, and its variables. Not every one is valid.
func newDocument(r *rand.Rand, schema *ast.Schema) (text string, variables map[string]any) {
	g := &generator{Rand: r, schema: schema, fragments: map[string]string{}}
	root, keyword := schema.Query, "query"
	if r.IntN(10) == 0 {
		root, keyword = schema.Mutation, "mutation"
	}
	selection := g.selection(root, 0)
	definitions := []string{selection}
	for _, name := range slices.Sorted(keysOf(g.fragments)) {
		definitions = append(definitions, g.fragments[name])
	}
	selection = strings.Join(definitions, "\n")
	var declared []string
	variables = map[string]any{}
	for _, v := range []struct {
		declaration string
		value       any // nil: not given
	}{
		{"$yes: Boolean! = true", nil},
		{"$no: Boolean!", false},
		{"$n: Int = 3", pick[any](r, nil, 0, 2)},
		{"$c: Color", pick[any](r, nil, "RED", "BLUE")},
	} {
		name, _, _ := strings.Cut(v.declaration, ":")
		if !regexp.MustCompile(regexp.QuoteMeta(name) + `\b`).MatchString(selection) {
			continue // an unused variable is invalid
		}
		declared = append(declared, v.declaration)
		if v.value != nil {
			variables[name[1:]] = v.value
		}
	}
	if len(declared) == 0 {
		return keyword + " " + selection, variables
	}
	text = fmt.Sprintf("%s(%s) %s", keyword, strings.Join(declared, ", "), selection)
	return text, variables
}

func keysOf[K cmp.Ordered, V any](m map[K]V) func(yield func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func pick[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

// generator writes the selections of one document.
type generator struct {
	*rand.Rand

	schema    *ast.Schema
	fragments map[string]string
}

const maxDepth = 5

func (g *generator) selection(d *ast.Definition, depth int) string {
	var b strings.Builder
	b.WriteString("{ ")
	for range 1 + g.IntN(5) {
		switch {
		case g.IntN(8) == 0:
			fmt.Fprintf(&b, "%s__typename%s ", g.alias(), g.condition())
		case g.IntN(6) == 0 && depth < maxDepth:
			on := d
			if possible := g.schema.GetPossibleTypes(d); len(possible) > 1 {
				on = pick(g.Rand, possible...)
			}
			fmt.Fprintf(&b, "... on %s%s %s ", on.Name, g.condition(), g.selection(on, depth+1))
		case g.IntN(8) == 0 && depth < maxDepth:
			name := fmt.Sprintf("F%d", len(g.fragments))
			g.fragments[name] = ""
			g.fragments[name] = fmt.Sprintf("fragment %s on %s %s", name, d.Name, g.selection(d, depth+1))
			fmt.Fprintf(&b, "...%s%s ", name, g.condition())
		case len(d.Fields) > 0:
			b.WriteString(g.field(pick(g.Rand, d.Fields...), depth))
		}
	}
	b.WriteString("__typename }")
	return b.String()
}

func (g *generator) field(f *ast.FieldDefinition, depth int) string {
	below := g.schema.Types[f.Type.Name()]
	if strings.HasPrefix(f.Name, "__") || below.IsCompositeType() && depth >= maxDepth {
		return ""
	}
	text := g.alias() + f.Name
	var arguments []string
	for _, a := range f.Arguments {
		if a.Type.NonNull || g.IntN(2) == 0 {
			arguments = append(arguments, a.Name+": "+g.value(a.Type))
		}
	}
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	text += g.condition() + " "
	if below.IsCompositeType() {
		text += g.selection(below, depth+1) + " "
	}
	return text
}

func (g *generator) alias() string {
	if g.IntN(2) == 0 {
		return ""
	}
	return fmt.Sprintf("a%d: ", g.IntN(40))
}

func (g *generator) condition() string {
	return pick(g.Rand, "", "", "", "", "", " @skip(if: $no)", " @include(if: $yes)", " @include(if: $no)", " @skip(if: true)")
}

func (g *generator) value(t *ast.Type) string {
	switch {
	case t.Elem != nil:
		return "[" + g.value(t.Elem) + ", " + g.value(t.Elem) + "]"
	case t.Name() == "Int":
		if !t.NonNull && g.IntN(3) == 0 {
			return pick(g.Rand, "$n", "null")
		}
		return pick(g.Rand, "-1", "0", "1", "2", "3", "40")
	case t.Name() == "Color":
		if !t.NonNull && g.IntN(3) == 0 {
			return pick(g.Rand, "$c", "null")
		}
		return pick(g.Rand, "RED", "GREEN", "BLUE")
	case t.Name() == "Boolean":
		return pick(g.Rand, "true", "false", "$yes")
	case t.Name() == "Filter":
		return pick(g.Rand, "{}", "{limit: 5}", "{limit: 12, color: $c}", `{names: ["a"], color: null, limit: 3}`)
	default:
		return `"te\"xt é"`
	}
}
