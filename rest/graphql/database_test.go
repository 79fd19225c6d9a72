package graphql_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/graph"
	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	gql "tonql/rest/graphql"
)

func TestMain(m *testing.M) {
	if os.Getenv(readersVariable) != "" {
		if err := readersMain(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	testdb.Main(m)
}

// counter counts the statements that reach the database.
type counter struct{ n atomic.Int64 }

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *counter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	c.n.Add(int64(data.Batch.Len()))
	return ctx
}

func (c *counter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (c *counter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// testIndex is an index of transfers along a line of wallets: transaction i of wallet i was caused by a message of
// wallet i-1 and sends one to wallet i+1. Every wallet is in a separate masterchain block.
type testIndex struct {
	h       http.Handler
	count   *counter
	wallets []chain.Address
	txs     []chain.Transaction
	db      *store.DB
	msgs    []chain.Message // msgs[i] goes from wallet i to wallet i+1
}

// emptyTestIndex returns the GraphQL API of an empty index.
func emptyTestIndex(t testing.TB) (*testIndex, *store.DB) {
	t.Helper()
	w := &testIndex{count: &counter{}}
	db, err := store.Open(t.Context(), store.Config{WriteURL: testdb.URL(t), MaxWriteConns: 1, MaxReadConns: 4, Tracer: w.count})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	w.db = db
	service := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "devnet", HeadTTL: time.Hour})
	r := &resolvers.Resolver{Service: service, Limits: gql.DefaultLimits}
	w.h = gql.New(gql.Options{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: r}), Limits: gql.DefaultLimits,
		Logger: slog.New(slog.DiscardHandler), RequestID: func(context.Context) string { return "" }, Prepare: r.Prepare,
		McSeqno: service.McSeqno,
	})
	return w, db
}

func newTestIndex(t *testing.T, n int) *testIndex {
	t.Helper()
	w, db := emptyTestIndex(t)
	for range n + 1 {
		w.wallets = append(w.wallets, testdb.Address())
	}
	for i := range n {
		mb := testdb.Master(uint32(i + 1))
		tx := testdb.NewTransaction(mb, w.wallets[i])
		out := testdb.NewSent(mb, &tx, w.wallets[i+1])
		if i > 0 {
			in := w.msgs[i-1]
			in.SentBy = nil // the index has the receiving transaction only
			testdb.Receive(&tx, &in)
			mb.Messages = append(mb.Messages, in)
		}
		testdb.AddTransaction(mb, &tx)
		mb.Messages = append(mb.Messages, out)
		mb.States = append(mb.States, testdb.NewStateAfter(mb, &tx, chain.Coins(1000+i)))
		require.NoError(t, db.Writer().Apply(t.Context(), mb))
		w.txs, w.msgs = append(w.txs, tx), append(w.msgs, out)
	}
	return w
}

// query sends a query that must succeed and decodes its data.
func (w *testIndex) query(t *testing.T, query string, variables map[string]any, into any) {
	t.Helper()
	rec, a := post(t, w.h, query, variables)
	require.Equal(t, http.StatusOK, rec.Code)
	require.Empty(t, a.Errors)
	require.NoError(t, json.Unmarshal(a.Data, into))
}

// Ten queries of an explorer: each field that reads the index costs one statement, whether a level has 10 rows or 100.
// Fields that share a loader may cost less. On a busy machine a batch may be sent in two parts, so the lowest count of
// several tries is compared.
//
//nolint:tparallel // the statements of one shape at a time are counted
func TestStatements_DoNotGrowWithRows(t *testing.T) {
	t.Parallel()
	const tries = 8
	w := newTestIndex(t, 110)
	for name, c := range map[string]struct {
		most  int64 // fields that read
		query string
	}{
		"blocks":                   {4, `query($n: Int!) { blocks(first: $n) { nodes { seqno parents { seqno } masterchainBlock { seqno } shardBlocks { seqno } } } }`},
		"blocks with transactions": {2, `query($n: Int!) { blocks(first: $n) { nodes { seqno transactions(first: 2) { nodes { hash account { address } } } } } }`},
		"transactions":             {4, `query($n: Int!) { transactions(first: $n) { nodes { hash block { seqno } account { address state { balance code } } } } }`},
		"transactions and messages": {7, `query($n: Int!) { transactions(first: $n) { nodes { inMessage { hash sourceTransaction { hash } source { state { balance } } }
			outMessages { hash destinationTransaction { hash block { seqno } } } } } }`},
		"states before and after": {5, `query($n: Int!) { transactions(first: $n) { nodes { previous { hash } stateBefore { balance } stateAfter { balance data } } } }`},
		"raw transactions":        {2, `query($n: Int!) { transactions(first: $n) { nodes { boc } } }`},
		"messages":                {3, `query($n: Int!) { messages(first: $n) { nodes { hash source { address state { status } } destination { state { status } } } } }`},
		"accounts' transactions":  {4, `query($n: Int!) { topAccounts(first: $n) { nodes { state { balance } transactions(first: 2) { nodes { hash outMessages { hash } } } } } }`},
		"accounts' messages":      {3, `query($n: Int!) { topAccounts(first: $n) { nodes { sentMessages(first: 1) { nodes { hash } } receivedMessages(first: 1) { nodes { hash } } } } }`},
		// Rows that an earlier level has loaded do not wait for the others, so that a level can cost two statements.
		"a trace by hand": {14, `query($n: Int!) { transactions(first: $n, sort: ASC) { nodes { outMessages { destinationTransaction { outMessages { destinationTransaction {
			outMessages { destinationTransaction { hash account { state { balance } } } } } } } } } } }`},
	} {
		t.Run(name, func(t *testing.T) {
			statements := map[int]int64{}
			for _, rows := range []int{10, 100} {
				best := int64(1 << 62)
				for range tries {
					var ignored json.RawMessage
					before := w.count.n.Load()
					w.query(t, c.query, map[string]any{"n": rows}, &ignored)
					best = min(best, w.count.n.Load()-before)
				}
				statements[rows] = best
				require.LessOrEqual(t, best, c.most, "%d rows", rows)
			}
			require.LessOrEqual(t, statements[100], statements[10])
		})
	}
}

func TestNestedFields_LinkRowsInEveryDirection(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 3)
	var got struct {
		Transaction struct {
			Hash, Lt, BlockID string
			Account           struct{ Address string }
			Block             struct {
				Seqno            int
				MasterchainBlock struct{ Seqno int }
				Parents          []struct{ Seqno int }
			}
			InMessage struct {
				Hash              string
				SourceTransaction struct{ Hash string }
			}
			OutMessages []struct {
				Hash                   string
				DestinationTransaction struct{ Hash string }
			}
			StateAfter struct{ Balance string }
		}
	}
	w.query(t, `query($h: Hash!) { transaction(hash: $h) { hash lt account { address }
		block { seqno masterchainBlock { seqno } parents { seqno } }
		inMessage { hash sourceTransaction { hash } } outMessages { hash destinationTransaction { hash } } stateAfter { balance } } }`,
		map[string]any{"h": w.txs[1].Hash.String()}, &got)
	tx := got.Transaction
	require.Equal(t, w.txs[1].Hash.String(), tx.Hash)
	require.Equal(t, w.wallets[1].String(), tx.Account.Address)
	require.Equal(t, 2, tx.Block.Seqno)
	require.Equal(t, 2, tx.Block.MasterchainBlock.Seqno)
	require.Len(t, tx.Block.Parents, 1)
	require.Equal(t, w.msgs[0].Hash.String(), tx.InMessage.Hash)
	require.Equal(t, w.txs[0].Hash.String(), tx.InMessage.SourceTransaction.Hash)
	require.Len(t, tx.OutMessages, 1)
	require.Equal(t, w.txs[2].Hash.String(), tx.OutMessages[0].DestinationTransaction.Hash)
	require.Equal(t, "1001", tx.StateAfter.Balance)
}

// Walking a list by cursor, forwards or backwards, visits every row once and in order.
func TestPages_ReturnEveryRowOnce(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 23)
	type page struct {
		Transactions struct {
			Nodes    []struct{ Hash string }
			PageInfo struct {
				HasNextPage, HasPreviousPage bool
				StartCursor, EndCursor       *string
			}
		}
	}
	var want []string
	for i := range w.txs {
		want = append(want, w.txs[len(w.txs)-1-i].Hash.String())
	}
	walk := func(q string, variables map[string]any, backwards bool) (got []string) {
		for range 100 {
			var p page
			w.query(t, q, variables, &p)
			var hashes []string
			for _, n := range p.Transactions.Nodes {
				hashes = append(hashes, n.Hash)
			}
			info := p.Transactions.PageInfo
			if backwards {
				got = append(hashes, got...)
				if !info.HasPreviousPage {
					return got
				}
				variables["c"] = *info.StartCursor
				continue
			}
			got = append(got, hashes...)
			if !info.HasNextPage {
				return got
			}
			variables["c"] = *info.EndCursor
		}
		return got
	}
	const info = ` { nodes { hash } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
	require.Equal(t, want, walk(`query($c: String) { transactions(first: 5, after: $c)`+info, map[string]any{}, false))
	require.Equal(t, want, walk(`query($c: String) { transactions(last: 5, before: $c)`+info, map[string]any{}, true))
	reversed := make([]string, len(want))
	for i, h := range want {
		reversed[len(want)-1-i] = h
	}
	require.Equal(t, reversed, walk(`query($c: String) { transactions(first: 4, after: $c, sort: ASC)`+info, map[string]any{}, false))
}

func TestFilters_SelectRows(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 6)
	hashes := func(where map[string]any) (got []string) {
		var p struct {
			Transactions struct{ Nodes []struct{ Hash string } }
		}
		w.query(t, `query($w: TransactionWhere) { transactions(where: $w) { nodes { hash } } }`, map[string]any{"w": where}, &p)
		for _, n := range p.Transactions.Nodes {
			got = append(got, n.Hash)
		}
		return got
	}
	tx := w.txs[2]
	require.Equal(t, []string{tx.Hash.String()}, hashes(map[string]any{"accounts": []string{w.wallets[2].String()}}))
	require.Equal(t, []string{tx.Hash.String()}, hashes(map[string]any{"hashes": []string{tx.Hash.Hex()}}))
	require.Equal(t, []string{tx.Hash.String()}, hashes(map[string]any{"mcSeqno": 3}))
	require.Equal(t, []string{tx.Hash.String()}, hashes(map[string]any{"block": map[string]any{"workchain": 0, "seqno": 3}}))
	require.Len(t, hashes(map[string]any{"excludeAccounts": []string{w.wallets[2].String()}}), 5)
	require.Len(t, hashes(map[string]any{"startLt": "3000000", "endLt": "4999999"}), 2)
	require.Empty(t, hashes(map[string]any{"accounts": []string{testdb.Address().String()}}))

	var messages struct {
		ByHash   struct{ Hash string }
		Received struct {
			ReceivedMessages struct{ Nodes []struct{ Hash string } }
			SentMessages     struct{ Nodes []struct{ Hash string } }
		}
		ByOpcode struct{ Nodes []struct{ Hash string } }
	}
	w.query(t, `query($h: Hash!, $a: Address!) { byHash: message(hash: $h) { hash }
		received: account(address: $a) { receivedMessages { nodes { hash } } sentMessages { nodes { hash } } }
		byOpcode: messages(where: {opcode: "0xfeedbeef"}) { nodes { hash } } }`,
		map[string]any{"h": w.msgs[0].Hash.String(), "a": w.wallets[1].Friendly(true, true)}, &messages)
	require.Equal(t, w.msgs[0].Hash.String(), messages.ByHash.Hash)
	require.Equal(t, w.msgs[0].Hash.String(), messages.Received.ReceivedMessages.Nodes[0].Hash)
	require.Equal(t, w.msgs[1].Hash.String(), messages.Received.SentMessages.Nodes[0].Hash)
	require.Empty(t, messages.ByOpcode.Nodes)
}

func TestNodes_AreReturnedByTheirIDs(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 2)
	var ids struct {
		Transaction struct {
			ID        string
			Account   struct{ ID string }
			Block     struct{ ID string }
			InMessage struct{ ID string }
		}
	}
	w.query(t, `query($h: Hash!) { transaction(hash: $h) { id account { id } block { id } inMessage { id } } }`,
		map[string]any{"h": w.txs[1].Hash.String()}, &ids)
	missing := (&chain.Transaction{Account: testdb.Address(), LT: 5}).NodeID()
	var got struct {
		Nodes []*struct {
			Typename string `json:"__typename"`
			ID       string
		}
	}
	requested := []string{ids.Transaction.ID, missing, ids.Transaction.Account.ID, ids.Transaction.Block.ID, ids.Transaction.InMessage.ID}
	w.query(t, `query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }`, map[string]any{"ids": requested}, &got)
	require.Len(t, got.Nodes, 5)
	require.Nil(t, got.Nodes[1])
	for i, typename := range map[int]string{0: "Transaction", 2: "Account", 3: "Block", 4: "Message"} {
		require.Equal(t, typename, got.Nodes[i].Typename)
		require.Equal(t, requested[i], got.Nodes[i].ID)
	}
}

func TestQueries_DataOutsideTheIndexIsNullOrEmpty(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 1)
	var got struct {
		Transaction, Message, Block *struct{ ID string }
		Account                     struct {
			State        *struct{ Balance string }
			Transactions struct{ Nodes []struct{ ID string } }
		}
		IndexStatus struct {
			Ranges []struct{ First, Last int }
			Gaps   []struct{ First, Last int }
		}
	}
	w.query(t, `query($h: Hash!, $a: Address!) { transaction(hash: $h) { id } message(hash: $h) { id } block(by: {rootHash: $h}) { id }
		account(address: $a) { state { balance } transactions { nodes { id } } }
		indexStatus { ranges { first last } gaps { first last } } }`,
		map[string]any{"h": testdb.Hash().String(), "a": testdb.Address().String()}, &got)
	require.Nil(t, got.Transaction)
	require.Nil(t, got.Message)
	require.Nil(t, got.Block)
	require.Nil(t, got.Account.State)
	require.Empty(t, got.Account.Transactions.Nodes)
	require.Len(t, got.IndexStatus.Ranges, 1)
	require.Empty(t, got.IndexStatus.Gaps)
}
