package graphql_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/graph"
	"tonql/internal/pacetest"
	"tonql/resolvers"
	gql "tonql/rest/graphql"
)

// drawn is a random document in two forms: with variables, as clients write them, and with literals.
type drawn struct {
	rand      *rand.Rand
	schema    *ast.Schema
	addresses []string

	declared  []string
	fragments []string // of both forms: forms[0] has variables, forms[1] literals
	literal   []string
	variables map[string]any
}

// pick returns one of several texts.
func (d *drawn) pick(of ...string) string { return of[d.rand.IntN(len(of))] }

// number writes a page size in both forms.
func (d *drawn) number(n int) (variable, literal string) {
	literal = strconv.Itoa(n)
	name := fmt.Sprintf("n%d", len(d.declared))
	switch d.rand.IntN(7) {
	case 0:
		return literal, literal
	case 1:
		d.variables[name] = n
	case 2:
		d.variables[name] = literal
	case 3:
		d.variables[name] = json.Number("00" + literal)[2:]
	case 4:
		d.declared = append(d.declared, "$"+name+": Int = "+literal)
		return "$" + name, literal
	case 5:
		d.declared = append(d.declared, "$"+name+": Int! = 100")
		d.variables[name] = "+" + literal
		return "$" + name, literal
	case 6:
		d.declared = append(d.declared, "$"+name+": Int")
		if d.rand.IntN(2) == 0 {
			d.variables[name] = nil
		}
		return "$" + name, "null"
	}
	d.declared = append(d.declared, "$"+name+": "+d.pick("Int", "Int!"))
	return "$" + name, literal
}

// list writes a list of addresses in both forms; a single one also without brackets.
func (d *drawn) list(t string) (variable, literal string) {
	n := d.rand.IntN(12)
	list := make([]string, n)
	for i := range list {
		list[i] = d.addresses[d.rand.IntN(len(d.addresses))]
	}
	text, _ := json.Marshal(list)
	name := fmt.Sprintf("l%d", len(d.declared))
	d.declared = append(d.declared, "$"+name+": "+t)
	d.variables[name] = list
	if n == 1 {
		d.variables[name] = list[0]
	}
	return "$" + name, string(text)
}

// selection draws the fields of a type in both forms.
func (d *drawn) selection(of string, depth int) (variable, literal string) {
	var v, l strings.Builder
	v.WriteString(" __typename")
	l.WriteString(" __typename")
	def := d.schema.Types[of]
	if def.Kind != ast.Object {
		return "{" + v.String() + "}", "{" + l.String() + "}"
	}
	for range 1 + d.rand.IntN(4) {
		f := def.Fields[d.rand.IntN(len(def.Fields))]
		target := d.schema.Types[f.Type.Name()]
		if target.IsCompositeType() && depth == 0 {
			continue
		}
		arguments, literals, ok := d.arguments(f)
		if !ok {
			continue
		}
		alias := " " + f.Name
		if arguments != "" {
			alias = fmt.Sprintf(" f%d:%s", d.rand.IntN(1_000_000), alias)
		}
		v1, l1 := "", ""
		if target.IsCompositeType() {
			v1, l1 = d.selection(target.Name, depth-1)
		}
		v1, l1 = alias+arguments+v1, alias+literals+l1
		switch d.rand.IntN(8) {
		case 0:
			v1, l1 = " ... on "+of+" {"+v1+"}", " ... on "+of+" {"+l1+"}"
		case 1:
			name := fmt.Sprintf("F%d", len(d.fragments))
			d.fragments = append(d.fragments, " fragment "+name+" on "+of+" {"+v1+"}")
			d.literal = append(d.literal, " fragment "+name+" on "+of+" {"+l1+"}")
			v1, l1 = " ..."+name, " ..."+name
		case 2:
			name := fmt.Sprintf("b%d", len(d.declared))
			d.declared = append(d.declared, "$"+name+": Boolean!")
			d.variables[name] = d.rand.IntN(2) == 0
			directive := fmt.Sprintf("@include(if: $%s)", name)
			v1 = " ... " + directive + " {" + v1 + "}"
			l1 = fmt.Sprintf(" ... @include(if: %v) {%s}", d.variables[name], l1)
		}
		v.WriteString(v1)
		l.WriteString(l1)
	}
	return "{" + v.String() + "}", "{" + l.String() + "}"
}

// arguments writes page sizes and lists of addresses; a field that needs more is left out.
func (d *drawn) arguments(f *ast.FieldDefinition) (variable, literal string, ok bool) {
	for _, a := range f.Arguments {
		if name := a.Type.Name(); a.Type.NonNull && a.DefaultValue == nil && name != "Address" {
			return "", "", false
		}
	}
	var v, l []string
	for _, a := range f.Arguments {
		var one, other string
		switch {
		case a.Name == "first" && d.rand.IntN(4) > 0:
			n := 1 + d.rand.IntN(4)
			if d.rand.IntN(6) == 0 {
				n = 40 + d.rand.IntN(61)
			}
			one, other = d.number(n)
		case a.Type.Elem != nil && a.Type.Name() == "Address":
			one, other = d.list(a.Type.String())
		case a.Type.NonNull && a.DefaultValue == nil:
			one = strconv.Quote(d.addresses[d.rand.IntN(len(d.addresses))])
			other = one
		default:
			continue
		}
		v, l = append(v, a.Name+": "+one), append(l, a.Name+": "+other)
	}
	if len(v) == 0 {
		return "", "", true
	}
	return "(" + strings.Join(v, ", ") + ")", "(" + strings.Join(l, ", ") + ")", true
}

// values counts the members of objects and the elements of lists of leaves in a response.
func values(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		n = len(v)
		for _, member := range v {
			n += values(member)
		}
	case []any:
		for _, element := range v {
			if inner := values(element); inner > 0 {
				n += inner
			} else {
				n++
			}
		}
	}
	return n
}

var pricedAt = regexp.MustCompile(`costs too much.*\((\d+), allowed 0\)`)

// The price of a document does not depend on whether values are variables or literals, and no response has more values
// than its price.
func TestPrice_IsAtLeastWhatIsProduced(t *testing.T) {
	t.Parallel()
	documents := 10_000
	if pacetest.Short() {
		documents = 500
	}
	h := newPortfolio(t, 100)
	var addresses []string
	for _, p := range h.people {
		addresses = append(addresses, p.String(), h.wallets[p][0].String(), h.multisig[p].String())
	}
	r := &resolvers.Resolver{Service: resolvers.New(nil, nil, resolvers.Options{}), Limits: gql.DefaultLimits}
	schema := graph.NewExecutableSchema(graph.Config{Resolvers: r})
	limits := gql.DefaultLimits
	limits.MaxCost, limits.MaxAliases, limits.MaxFields = 0, 1e6, 1e6 // every document is refused with its price
	pricer := gql.New(gql.Options{
		Schema: schema, Limits: limits, Logger: slog.New(slog.DiscardHandler),
		RequestID: func(context.Context) string { return "" }, Prepare: func(ctx context.Context) context.Context { return ctx },
	})
	var mu sync.Mutex
	executed, refused, most := 0, 0, 0
	var work sync.WaitGroup
	const workers = 4
	for worker := range workers {
		work.Go(func() {
			for i := worker; i < documents; i += workers {
				d := &drawn{rand: rand.New(rand.NewPCG(1, uint64(i))), schema: schema.Schema(), addresses: addresses, variables: map[string]any{}}
				v, l := d.selection("Query", 4)
				declared := ""
				if len(d.declared) > 0 {
					declared = "(" + strings.Join(d.declared, ", ") + ")"
				}
				query := "query" + declared + v + strings.Join(d.fragments, "")
				_, a := post(t, pricer, query, d.variables)
				_, b := post(t, pricer, "query"+l+strings.Join(d.literal, ""), nil)
				if !equalPrices(t, query, d.variables, a, b) {
					return
				}
				rec, body := post(t, h.h, query, d.variables)
				var beside extensions
				var data any
				if json.Unmarshal(rec.Body.Bytes(), &beside) != nil || json.Unmarshal(body.Data, &data) != nil || beside.Extensions.Cost == nil {
					mu.Lock()
					refused++
					mu.Unlock()
					continue
				}
				produced := values(data)
				mu.Lock()
				executed, most = executed+1, max(most, produced)
				mu.Unlock()
				if produced > beside.Extensions.Cost.Requested {
					t.Errorf("%d values for %d: %s %v", produced, beside.Extensions.Cost.Requested, query, d.variables)
					return
				}
			}
		})
	}
	work.Wait()
	t.Logf("%d documents executed, %d refused, at most %d values", executed, refused, most)
	require.Greater(t, executed, documents/2)
	require.Greater(t, most, 1000)
}

func equalPrices(t *testing.T, query string, variables map[string]any, a, b response) bool {
	t.Helper()
	price := func(a response) string {
		if len(a.Errors) == 0 {
			return "no error"
		}
		if m := pricedAt.FindStringSubmatch(a.Errors[0].Message); m != nil {
			return m[1]
		}
		return a.Errors[0].Message
	}
	if x, y := price(a), price(b); x != y {
		t.Errorf("priced at %s with variables and %s with literals: %s %v", x, y, query, variables)
		return false
	}
	return true
}

// A page size that is sent as text is a page size.
func TestPrice_OfTextForIntIsThatOfTheNumber(t *testing.T) {
	t.Parallel()
	h := newHandler(t)
	const query = `query($n: Int) { topAccounts(first: $n) { nodes { transactions(first: $n) { nodes { outMessages { source { transactions(first: $n) { nodes { hash lt } } } } } } } } }`
	var said []string
	for _, n := range []any{100, "100", "+100", "0100", json.Number("100")} {
		rec, a := post(t, h, query, map[string]any{"n": n})
		require.Equal(t, http.StatusOK, rec.Code)
		require.NotEmpty(t, a.Errors)
		require.Equal(t, "TOO_LARGE", a.Errors[0].Extensions["code"])
		said = append(said, a.Errors[0].Message)
		require.Equal(t, said[0], a.Errors[0].Message, "%v", n)
	}
	t.Log(said[0])
	for _, n := range []any{"1e2", "0x64", "1_0", "ten", "", 1.5, "1.0", true, []any{1}, map[string]any{}, "99999999999", 1e18} {
		rec, a := post(t, h, query, map[string]any{"n": n})
		require.Equal(t, http.StatusOK, rec.Code)
		require.NotEmpty(t, a.Errors, "%v", n)
		require.NotContains(t, a.Errors[0].Message, "internal error", "%v", n)
		require.NotEqual(t, "INTERNAL", a.Errors[0].Extensions["code"], "%v", n)
	}
}
