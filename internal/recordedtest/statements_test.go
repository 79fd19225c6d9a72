package recordedtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/internal/pacetest"
	"tonql/internal/recordedtest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// statements counts the statements that reach the database.
type statements struct{ n atomic.Int64 }

func (c *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	c.n.Add(int64(data.Batch.Len()))
	return ctx
}

func (c *statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (c *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// few and many are the numbers of rows that are compared. slack is the number of statements that many rows may take more: a batch can be
// sent in parts, and rows of several kinds are read from several tables.
const few, many, slack = 3, 40, 3

// edgeTest counts the statements of queries for rows of a list.
type edgeTest struct {
	t     *testing.T
	h     http.Handler
	count *statements
}

// of returns the statements of a query, and the number of rows of its list; the lowest of several tries, as other tests use the processors.
func (e edgeTest) of(query string, tries int) (lowest int64, rows int) {
	e.t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	require.NoError(e.t, err)
	for try := range tries {
		r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		before := e.count.n.Load()
		e.h.ServeHTTP(w, r)
		n := e.count.n.Load() - before
		var response struct {
			Data struct {
				List struct{ Nodes []json.RawMessage }
			}
			Errors []struct{ Message string }
		}
		require.NoError(e.t, json.Unmarshal(w.Body.Bytes(), &response))
		require.Empty(e.t, response.Errors, query)
		if rows = len(response.Data.List.Nodes); try == 0 || n < lowest {
			lowest = n
		}
	}
	return lowest, rows
}

// requireFlat requires that a selection of the rows of a list takes as many statements for many rows as for few.
func (e edgeTest) requireFlat(list, selection string) {
	e.t.Helper()
	query := func(rows int) string {
		return fmt.Sprintf("{ list: %s(first: %d) { nodes { %s } } }", list, rows, selection)
	}
	least, _ := e.of(query(few), 1)
	most, rows := e.of(query(many), 1)
	if most > least+slack {
		most, rows = e.of(query(many), 4)
	}
	require.LessOrEqual(e.t, most, least+slack, "%d rows of %s { %s }: %d statements for %d rows", rows, list, selection, least, few)
}

// ready reports whether a field can be selected without arguments.
func ready(f *ast.FieldDefinition) bool {
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil {
			return false
		}
	}
	return !strings.HasPrefix(f.Name, "__")
}

// shape returns the selection of a field up to the object inside, with % in its place, and the type of that object; nil for a leaf.
func shape(f *ast.FieldDefinition) (string, *ast.Definition) {
	t := schema.Types[f.Type.Name()]
	if t.Kind != ast.Object {
		if t.IsCompositeType() {
			return f.Name + " { __typename }", nil
		}
		return f.Name, nil
	}
	if nodes := t.Fields.ForName("nodes"); nodes != nil {
		return f.Name + "(first: 2) { nodes { % } }", schema.Types[nodes.Type.Name()]
	}
	return f.Name + " { % }", t
}

// Every field of every object costs a fixed number of statements, however many rows a list has, also a level below. Get-methods and
// states at past blocks, which are executed or read one by one, need arguments.
func TestStatements_OfNoFieldGrowWithRows(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := devnetBlocks(t)
	count := &statements{}
	db, err := store.Open(t.Context(), store.Config{WriteURL: testdb.URL(t), MaxWriteConns: 2, MaxReadConns: 4, Tracer: count})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	recordedtest.Write(t, db, blocks)
	e := edgeTest{t, newService(t, db, "devnet"), count}
	seen, edges := map[string]bool{}, 0
	for _, list := range schema.Query.Fields {
		nodes := schema.Types[list.Type.Name()].Fields.ForName("nodes")
		if !ready(list) || nodes == nil {
			continue
		}
		row := schema.Types[nodes.Type.Name()]
		if _, rows := e.of(fmt.Sprintf("{ list: %s(first: %d) { nodes { __typename } } }", list.Name, many), 1); rows < few*3 || seen[row.Name] {
			continue
		}
		seen[row.Name] = true
		for _, f := range row.Fields {
			if !ready(f) {
				continue
			}
			text, object := shape(f)
			e.requireFlat(list.Name, strings.Replace(text, "%", "__typename", 1))
			edges++
			if object == nil {
				continue
			}
			for _, g := range object.Fields {
				if ready(g) && !seen[f.Name+"."+object.Name+"."+g.Name] {
					seen[f.Name+"."+object.Name+"."+g.Name] = true
					inner, _ := shape(g)
					e.requireFlat(list.Name, strings.Replace(text, "%", strings.Replace(inner, "%", "__typename", 1), 1))
					edges++
				}
			}
		}
	}
	require.Greater(t, edges, 400)

	// A filtered list within another object is read for itself, as its cost says, so the count does grow.
	filtered := `{ list: topAccounts(first: %d) { nodes { transactions(first: 1, where: {startLt: "1"}) { nodes { hash } } } } }`
	least, _ := e.of(fmt.Sprintf(filtered, few), 1)
	most, _ := e.of(fmt.Sprintf(filtered, many), 1)
	require.Greater(t, most, least+many/2)
}
