package rest_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/graph"
	"tonql/indexer"
	"tonql/indexer/trace"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest"
	"tonql/rest/graphql"
)

// hoarder is a contract that makes cells of levels, each with four references to the next one, for every message and
// get-method, stores them and leaves them on the stack.
func hoarder(t *testing.T, levels byte) contracts.Contract {
	t.Helper()
	// SETCP0; ACCEPT; NEWC; ENDC; levels PUSHINT; <{ 3 x DUP; NEWC; 4 x STREF; ENDC }> PUSHCONT; REPEAT; DUP; c4 POP
	code, err := hex.DecodeString("ff00f800c8c98100" + hex.EncodeToString([]byte{levels}) + "99202020c8ccccccccc9e420ed54")
	require.NoError(t, err)
	init := &tlb.StateInit{Code: cell.BeginCell().MustStoreSlice(code, uint(len(code)*8)).EndCell(), Data: cell.BeginCell().EndCell()}
	return contracts.Contract{Address: init.CalcAddress(0), Init: init}
}

// localNetwork is a local chain with its index and all APIs.
type localNetwork struct {
	t      *testing.T
	ctx    context.Context //nolint:containedctx // of one test
	devnet *devnettest.Network
	db     *store.DB
	api    http.Handler
	faucet *contracts.Wallet
	seqno  uint32
}

func startHostile(t *testing.T) *localNetwork {
	t.Helper()
	return startLocal(t, devnet.Options{Seed: [32]byte{0xda}})
}

// startLocal starts a local chain without traffic, whose blocks are made by hand.
func startLocal(t *testing.T, opts devnet.Options) *localNetwork {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*5*time.Minute)
	t.Cleanup(cancel)
	d := devnettest.Start(ctx, t, devnettest.Options{Devnet: opts})
	n := &localNetwork{t: t, ctx: ctx, devnet: d, db: testdb.New(t), faucet: d.FaucetWallet}
	d.Index(t, n.db, indexer.Options{})

	service := resolvers.New(n.db.Reader(), d.Client, resolvers.Options{
		Network: "devnet", TestOnly: true, HeadTTL: time.Nanosecond,
		Pending: n.db.Pending(store.PendingLimits{}), Classifier: trace.Classifier{},
	})
	t.Cleanup(service.Close)
	resolver := &resolvers.Resolver{Service: service, Limits: graphql.DefaultLimits}
	silent := slog.New(slog.DiscardHandler)
	n.api = rest.New(rest.Options{
		Service: service, Logger: silent,
		GraphQL: graphql.New(graphql.Options{
			Schema: graph.NewExecutableSchema(graph.Config{Resolvers: resolver}), Limits: graphql.DefaultLimits,
			Logger: silent, RequestID: func(context.Context) string { return "" }, Prepare: resolver.Prepare,
		}),
	})
	return n
}

// order sends up to four messages from the faucet.
func (n *localNetwork) order(messages ...*tlb.InternalMessage) {
	n.t.Helper()
	orders := make([]contracts.Order, len(messages))
	for i, m := range messages {
		orders[i].Message = m
	}
	c, err := n.faucet.External(contracts.Ticket{Seqno: n.seqno, ValidUntil: n.devnet.Chain.Now() + 600}, orders...)
	require.NoError(n.t, err)
	require.NoError(n.t, n.devnet.Chain.SendExternal(n.ctx, c))
	n.seqno++
}

// advance makes blocks and waits until they are indexed.
func (n *localNetwork) advance(blocks uint32) {
	n.t.Helper()
	n.devnet.AdvanceTo(n.t, n.devnet.Head()+blocks)
	n.devnet.WaitIndexed(n.t, n.db)
}

// do sends a request and returns status and body of the response. The timeout is a minute, while a walk over the cells
// as a tree would not end.
func (n *localNetwork) do(method, target string, body any) (int, string) {
	n.t.Helper()
	ctx, cancel := context.WithTimeout(n.ctx, pacetest.Slow*time.Minute)
	defer cancel()
	data, err := json.Marshal(body)
	require.NoError(n.t, err)
	req := httptest.NewRequestWithContext(ctx, method, target, strings.NewReader(string(data)))
	req.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	n.api.ServeHTTP(rec, req)
	require.NoError(n.t, ctx.Err(), target)
	return rec.Code, rec.Body.String()
}

func (n *localNetwork) graph(query string, variables map[string]any) string {
	n.t.Helper()
	_, text := n.do(http.MethodPost, "/graphql", map[string]any{"query": query, "variables": variables})
	return text
}

func bag(c *cell.Cell) string { return base64.StdEncoding.EncodeToString(c.ToBOC()) }

func externalTo(t *testing.T, m *tlb.ExternalMessage) *cell.Cell {
	t.Helper()
	c, err := tlb.ToCell(m)
	require.NoError(t, err)
	return c
}

const (
	emulatePath   = "/api/emulate/v1/emulateTrace"
	sendMutation  = `mutation($b: Boc!) { sendMessage(boc: $b) { hash } }`
	simulateQuery = `query($b: Boc!) { simulate(message: {boc: $b}) { accepted refusal } }`
	internalQuery = `query($m: InternalMessageInput!) { simulate(message: {internal: $m}) { accepted refusal } }`
	estimateQuery = `query($a: Address!, $b: Boc!, $c: Boc, $d: Boc) { estimateFee(address: $a, body: $b, initCode: $c, initData: $d) { accepted } }`
	decodeQuery   = `query($b: [String!]) { decode(bodies: $b) { bodies } }`
	methodQuery   = `query($a: Address!, $s: [StackInput!]) { runGetMethod(address: $a, method: "seqno", stack: $s) { exitCode } }`
)

// Cells that are small as a bag of cells and endless as a tree are sent to every entry point that takes cells, and
// every request ends in time.
func TestHostileCells_AreRefusedInTime(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	n := startHostile(t)
	n.advance(3)
	wallet := n.faucet.Address
	for _, levels := range cellgraphtest.Levels {
		for name, m := range hostileMessages(wallet, levels) {
			n.everywhere(fmt.Sprintf("%s of %d levels", name, levels), externalTo(t, m), m)
		}
	}
	// No worker is left busy: get-methods, simulations and blocks continue.
	require.Contains(t, n.graph(methodQuery, map[string]any{"a": wallet.String()}), `"exitCode":0`)
	n.order(contracts.Transfer(wallet, 1, "to myself"))
	n.advance(2)
}

func hostileMessages(to *address.Address, levels int) map[string]*tlb.ExternalMessage {
	dag, empty := cellgraphtest.Shared(levels, nil), cell.BeginCell().EndCell()
	leaf := cell.BeginCell().MustStoreBoolBit(true).MustStoreRef(empty)
	return map[string]*tlb.ExternalMessage{
		"body":      {DstAddr: to, Body: dag},
		"text":      {DstAddr: to, Body: cellgraphtest.Snake(min(levels, 300), cell.BeginCell().MustStoreUInt(0, 32))},
		"code":      {DstAddr: to, StateInit: &tlb.StateInit{Code: dag, Data: empty}, Body: empty},
		"data":      {DstAddr: to, StateInit: &tlb.StateInit{Code: empty, Data: dag}, Body: empty},
		"libraries": {DstAddr: to, StateInit: &tlb.StateInit{Code: empty, Data: empty, Lib: cellgraphtest.Dict(256, leaf).AsDict(256)}, Body: empty},
	}
}

// everywhere sends a message, and its parts, to every entry point that takes cells. All its levels are above the limits
// of emulation.
func (n *localNetwork) everywhere(name string, root *cell.Cell, m *tlb.ExternalMessage) {
	n.t.Helper()
	a, boc, body := n.faucet.Address.String(), bag(root), bag(m.Body)
	var code, data any
	if m.StateInit != nil {
		code, data = bag(m.StateInit.Code), bag(m.StateInit.Data)
	}
	emulated := []string{"cannot be emulated", "too many entries"}
	if m.StateInit != nil && m.StateInit.Lib != nil {
		code, data = nil, nil // estimates take code and data, no libraries
	}
	for target, parameters := range map[string]map[string]any{
		"/api/v2/sendBoc":           {"boc": boc},
		"/api/v2/sendBocReturnHash": {"boc": boc},
		"/api/v3/message":           {"boc": boc},
	} {
		status, text := n.do(http.MethodPost, target, parameters)
		require.NotEqual(n.t, http.StatusOK, status, "%s %s: %s", name, target, text)
		requireAny(n.t, text, name+" "+target, "does not execute the message", "too many entries")
	}
	requireAny(n.t, n.graph(sendMutation, map[string]any{"b": boc}), name, "does not execute the message", "too many entries")
	requireAny(n.t, n.graph(simulateQuery, map[string]any{"b": boc}), name, emulated...)
	status, text := n.do(http.MethodPost, emulatePath, map[string]any{"boc": boc})
	require.Equal(n.t, http.StatusUnprocessableEntity, status, "%s: %s", name, text)
	requireAny(n.t, text, name, emulated...)
	estimates := map[string]any{"address": a, "body": body, "ignore_chksig": true}
	if code != nil {
		estimates["init_code"], estimates["init_data"] = code, data
	}
	internal := map[string]any{"source": a, "destination": a, "value": "1000000000", "body": body, "initCode": code, "initData": data}
	if code != nil || m.StateInit == nil {
		for _, target := range []string{"/api/v2/estimateFee", "/api/v3/estimateFee"} {
			status, text := n.do(http.MethodPost, target, estimates)
			require.Equal(n.t, http.StatusUnprocessableEntity, status, "%s %s: %s", name, target, text)
			requireAny(n.t, text, name, emulated...)
		}
		requireAny(n.t, n.graph(estimateQuery, map[string]any{"a": a, "b": body, "c": code, "d": data}), name, emulated...)
		requireAny(n.t, n.graph(internalQuery, map[string]any{"m": internal}), name, emulated...)
	}
	for _, c := range []string{body, boc} {
		require.Contains(n.t, n.graph(decodeQuery, map[string]any{"b": []string{c}}), `"data"`, name)
		status, text := n.do(http.MethodPost, "/api/v3/decode", map[string]any{"bodies": []string{c}})
		require.Equal(n.t, http.StatusOK, status, text)
		stack := []map[string]any{{"type": "cell", "value": c}, {"type": "slice", "value": c}}
		require.Contains(n.t, n.graph(methodQuery, map[string]any{"a": a, "s": stack}), `"exitCode"`, name)
		status, text = n.do(http.MethodPost, "/api/v3/runGetMethod", map[string]any{"address": a, "method": "seqno", "stack": stack})
		require.Equal(n.t, http.StatusOK, status, text)
		status, text = n.do(http.MethodPost, "/api/v2/runGetMethod", map[string]any{
			"address": a, "method": "seqno", "stack": [][]string{{"tvm.Cell", c}, {"tvm.Slice", c}},
		})
		// Cells on the stack are printed up to a limit, above which the call has another exit code.
		require.Contains(n.t, []int{http.StatusOK, 533}, status, text)
	}
}

func requireAny(t *testing.T, text, name string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			return
		}
	}
	require.Fail(t, "none of "+strings.Join(parts, ", "), "%s: %s", name, text)
}

// Contracts store such cells and messages contain them, within the limits: all are indexed, verified and returned.
func TestHostileCells_OnTheChainAreIndexedAndShown(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	n := startHostile(t)
	c := hoarder(t, 200)
	n.order(c.Deploy(5e9, nil))
	n.advance(3)
	// The largest body of its kind that is executed: 87,381 ways from the root to a cell.
	dag := cellgraphtest.Shared(9, nil)
	for _, body := range []*cell.Cell{
		dag, cellgraphtest.Shared(9, cell.BeginCell().MustStoreUInt(0, 32)), cellgraphtest.Snake(9, cell.BeginCell().MustStoreUInt(0, 32)),
		cell.BeginCell().MustStoreUInt(0x0f8a7ea5, 32).MustStoreUInt(1, 64).MustStoreCoins(1).MustStoreAddr(n.faucet.Address).
			MustStoreAddr(n.faucet.Address).MustStoreMaybeRef(dag).MustStoreCoins(1).MustStoreBoolBit(true).MustStoreRef(dag).EndCell(),
	} {
		n.order(contracts.Call(c.Address, 2e9, body))
		n.advance(2)
	}
	n.advance(2)
	a := url.QueryEscape(c.Address.String())
	for _, target := range []string{
		"/api/v2/getAddressInformation?address=" + a, "/api/v2/getExtendedAddressInformation?address=" + a,
		"/api/v2/getTransactions?address=" + a, "/api/v3/accountStates?address=" + a + "&include_boc=true",
		"/api/v3/transactions?account=" + a, "/api/v3/messages?destination=" + a, "/api/v3/traces?account=" + a + "&include_actions=true",
		"/api/v3/actions?account=" + a, "/api/v3/pendingTraces?account=" + a, "/api/v3/walletInformation?address=" + a,
	} {
		status, text := n.do(http.MethodGet, target, nil)
		require.Less(t, status, http.StatusInternalServerError, "%s: %s", target, text)
	}
	require.NotContains(t, n.graph(`query($a: Address!) { account(address: $a) { state { dataBoc codeBoc } transactions(first: 20) { nodes {
		verification inMessage { body decodedBody } } } } }`, map[string]any{"a": c.Address.String()}), "PROVEN")
	// The get-method returns the same cells: small as a bag of cells, and above the limit when printed one by one.
	status, text := n.do(http.MethodPost, "/api/v3/runGetMethod", map[string]any{"address": c.Address.String(), "method": "any", "stack": []any{}})
	require.Equal(t, http.StatusOK, status, text)
	status, text = n.do(http.MethodPost, "/api/v2/runGetMethod", map[string]any{"address": c.Address.String(), "method": "any", "stack": []any{}})
	require.Equal(t, 533, status, text)
	require.Contains(t, text, "more than 10000 cells")
	status, text = n.do(http.MethodPost, "/api/v2/runGetMethodStd", map[string]any{"address": c.Address.String(), "method": "any", "stack": []any{}})
	require.Equal(t, http.StatusOK, status, text)
}

// Shared cells cost about as much as the same number of cells in a chain, at every entry point. Times and bytes are
// logged if TONQL_MEASURE is set.
func TestHostileCells_CostAsMuchAsSequentialCells(t *testing.T) {
	t.Parallel()
	n := startHostile(t)
	n.advance(3)
	for _, levels := range cellgraphtest.Levels {
		dag, row := cellgraphtest.Shared(levels, nil), cellgraphtest.Chain(levels, nil)
		for name := range n.requests(row) {
			n.requests(row)[name]() // both requests use the same caches
			inARow, rowBytes := measured(n.requests(row)[name])
			shared, dagBytes := measured(n.requests(dag)[name])
			if os.Getenv("TONQL_MEASURE") != "" {
				t.Logf("%-24s %3d levels: in a row %9s %8d B, shared %9s %8d B", name, levels, inARow, rowBytes, shared, dagBytes)
			}
			require.Less(t, shared, inARow+pacetest.Slow*10*time.Second, name)
			require.Less(t, dagBytes, rowBytes+200<<20, name) // other tests allocate at the same time
		}
	}
}

// requests returns the requests that take a cell, by name.
func (n *localNetwork) requests(c *cell.Cell) map[string]func() {
	a := n.faucet.Address.String()
	message := bag(externalTo(n.t, &tlb.ExternalMessage{DstAddr: n.faucet.Address, Body: c}))
	post := func(target string, body map[string]any) func() {
		return func() { n.do(http.MethodPost, target, body) }
	}
	graph := func(query string, variables map[string]any) func() { return func() { n.graph(query, variables) } }
	stack := []map[string]any{{"type": "cell", "value": bag(c)}}
	return map[string]func(){
		"v2 sendBoc":           post("/api/v2/sendBoc", map[string]any{"boc": message}),
		"v2 estimateFee":       post("/api/v2/estimateFee", map[string]any{"address": a, "body": bag(c)}),
		"v2 runGetMethod":      post("/api/v2/runGetMethod", map[string]any{"address": a, "method": "seqno", "stack": [][]string{{"tvm.Cell", bag(c)}}}),
		"v3 message":           post("/api/v3/message", map[string]any{"boc": message}),
		"v3 estimateFee":       post("/api/v3/estimateFee", map[string]any{"address": a, "body": bag(c)}),
		"v3 runGetMethod":      post("/api/v3/runGetMethod", map[string]any{"address": a, "method": "seqno", "stack": stack}),
		"v3 decode":            post("/api/v3/decode", map[string]any{"bodies": []string{bag(c)}}),
		"emulateTrace":         post(emulatePath, map[string]any{"boc": message, "with_actions": true, "include_code_data": true}),
		"GraphQL sendMessage":  graph(sendMutation, map[string]any{"b": message}),
		"GraphQL simulate":     graph(simulateQuery, map[string]any{"b": message}),
		"GraphQL estimateFee":  graph(estimateQuery, map[string]any{"a": a, "b": bag(c)}),
		"GraphQL decode":       graph(decodeQuery, map[string]any{"b": []string{bag(c)}}),
		"GraphQL runGetMethod": graph(methodQuery, map[string]any{"a": a, "s": stack}),
	}
}

// measured returns the time that f takes and the bytes that the process allocates meanwhile.
func measured(f func()) (time.Duration, uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	f()
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	return took, after.TotalAlloc - before.TotalAlloc
}
