package graphql_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action/details"
	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// calling classifies each trace as a call_contract action with its only transaction.
type calling struct{}

func (calling) Version() int16 { return 1 }

func (calling) Read(t *chain.TraceContent) chain.TraceReading { return call{t} }

type call struct{ *chain.TraceContent }

func (call) Accounts(chain.TraceRecords) []chain.Address { return nil }

func (call) NeedsData() bool { return false }

func (c call) Classify(chain.TraceRecords) ([]chain.Action, error) {
	tx := c.Transactions[0]
	text, err := json.Marshal(&details.CallContract{Destination: &tx.Account, ExtraCurrencies: details.Currencies{}})
	a := chain.Action{
		TraceID: c.ID, ID: tx.StateHashAfter, Type: "call_contract", Success: true, StartLT: tx.LT, EndLT: tx.LT, StartUtime: tx.Now,
		EndUtime: tx.Now, TxHashes: []chain.Hash{tx.Hash}, Accounts: []chain.Address{tx.Account}, Ancestors: []string{}, Details: text,
		TraceEndLT: c.EndLT, TraceEndUtime: c.EndUtime, ParentID: &tx.Hash,
	}
	return []chain.Action{a}, err
}

// newTraceIndex returns an index of n wallets, each with a trace of one transaction.
func newTraceIndex(t *testing.T, n int) *testIndex {
	t.Helper()
	w, db := emptyTestIndex(t)
	db.Writer().SetClassifier(calling{})
	for i := range n {
		mb := testdb.Master(uint32(i + 1))
		tx := testdb.NewTransaction(mb, testdb.Address())
		testdb.AddTransaction(mb, &tx)
		mb.States = append(mb.States, testdb.NewStateAfter(mb, &tx, chain.Coins(1000+i)))
		require.NoError(t, db.Writer().Apply(t.Context(), mb))
		w.txs = append(w.txs, tx)
	}
	return w
}

// Fields of traces and actions cost as many statements for 50 rows as for 10. Actions of transactions cost two, because
// they are read by their traces; the tree and the transactions of a trace are read together.
//
//nolint:tparallel // the statements of one shape at a time are counted
func TestTraces_StatementsDoNotGrowWithRows(t *testing.T) {
	t.Parallel()
	w := newTraceIndex(t, 60)
	for name, c := range map[string]struct {
		most  int64
		query string
	}{
		"transactions":        {4, `query($n: Int!) { transactions(first: $n) { nodes { hash trace { hash } actions { hash details { __typename } } } } }`},
		"accounts":            {3, `query($n: Int!) { topAccounts(first: $n) { nodes { traces(first: 2) { nodes { hash } } actions(first: 2) { nodes { hash } } } } }`},
		"traces":              {3, `query($n: Int!) { traces(first: $n) { nodes { root { hash } actions(first: 2) { nodes { hash accounts { address } } } } } }`},
		"traces with trees":   {8, `query($n: Int!) { traces(first: $n) { nodes { tree { transaction { hash } } warning transactions(first: 2) { nodes { hash } } } } }`},
		"actions":             {4, `query($n: Int!) { actions(first: $n) { nodes { trace { hash } transactions { hash } parent { hash } accounts { address } } } }`},
		"accounts of actions": {2, `query($n: Int!) { actions(first: $n) { nodes { accounts { state { balance } } } } }`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, rows := range []int{10, 50} {
				best := int64(1 << 62)
				for range 5 {
					var got map[string]struct{ Nodes []json.RawMessage }
					before := w.count.n.Load()
					w.query(t, c.query, map[string]any{"n": rows}, &got)
					best = min(best, w.count.n.Load()-before)
					for _, list := range got {
						require.Len(t, list.Nodes, rows)
					}
				}
				require.LessOrEqual(t, best, c.most, "%d rows", rows)
			}
		})
	}
}

// Pages by cursor return every trace and every action once.
func TestTraces_PagesReturnEveryRowOnce(t *testing.T) {
	t.Parallel()
	w := newTraceIndex(t, 7)
	for _, list := range []string{"traces", "actions"} {
		for _, sort := range []string{"DESC", "ASC"} {
			var hashes []string
			after := ""
			for {
				var got map[string]struct {
					Nodes    []struct{ Hash string }
					PageInfo struct {
						HasNextPage bool
						EndCursor   string
					}
				}
				w.query(t, fmt.Sprintf(`{ %s(first: 3, sort: %s%s) { nodes { hash } pageInfo { hasNextPage endCursor } } }`, list, sort, after), nil, &got)
				for _, n := range got[list].Nodes {
					hashes = append(hashes, n.Hash)
				}
				if !got[list].PageInfo.HasNextPage {
					break
				}
				after = `, after: "` + got[list].PageInfo.EndCursor + `"`
			}
			require.Len(t, hashes, 7)
			for i := range w.txs {
				want := w.txs[i].Hash
				if list == "actions" {
					want = w.txs[i].StateHashAfter
				}
				at := i
				if sort == "DESC" {
					at = 6 - i
				}
				require.Equal(t, want.String(), hashes[at], "%s %s", list, sort)
			}
		}
	}
}

// One query can select the details of all kinds, because a field name has one type in all of them.
func TestActionDetails_AllKindsFitInOneQuery(t *testing.T) {
	t.Parallel()
	w := newTraceIndex(t, 1)
	var fragments strings.Builder
	for _, kind := range details.Kinds() {
		d, err := details.New(kind)
		require.NoError(t, err)
		fmt.Fprintf(&fragments, "... on %sDetails { %s} ", reflect.TypeOf(d).Elem().Name(), selection(reflect.TypeOf(d).Elem()))
	}
	var got struct {
		Actions struct {
			Nodes []struct{ Details map[string]any }
		}
	}
	w.query(t, `{ actions(first: 20) { nodes { details { `+fragments.String()+` } } } }`, nil, &got)
	require.Equal(t, w.txs[0].Account.String(), got.Actions.Nodes[0].Details["destination"])
}

// selection selects every field of a type of details.
func selection(t reflect.Type) string {
	var text strings.Builder
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		parts := strings.Split(name, "_")
		for j := 1; j < len(parts); j++ {
			parts[j] = strings.ToUpper(parts[j][:1]) + parts[j][1:]
		}
		name = strings.Join(parts, "")
		of := f.Type
		if of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() == reflect.Struct && strings.HasSuffix(of.PkgPath(), "details") {
			if name == "value" {
				name = "record"
			}
			name += " { " + selection(of) + "}"
		}
		text.WriteString(name + " ")
	}
	return text.String()
}
