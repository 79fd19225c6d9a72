package v2_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	_ "tonql/internal/contract/all"
	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v2 "tonql/rest/v2"
)

// network is a devnet with traffic, an index that follows it, and the API on that index. Tests produce the blocks.
type network struct {
	*client
	ctx    context.Context
	devnet *devnettest.Network
	db     *store.DB
	svc    *resolvers.Service
	faucet *contracts.Wallet
}

// startNetwork produces blocks in which the scenario deploys its contracts and acts, and indexes those from first on.
func startNetwork(tb testing.TB, first, blocks uint32) *network {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), pacetest.Slow*4*time.Minute)
	tb.Cleanup(cancel)
	d := devnettest.Start(ctx, tb, devnettest.Options{
		Devnet: devnet.Options{Seed: [32]byte{0xd2}, Scenario: true, ActionsPerMinute: 240, ShardPeriod: 16}, Blocks: first,
	})
	n := &network{ctx: ctx, devnet: d, db: testdb.New(tb), faucet: d.FaucetWallet}
	from, err := indexer.ParseFrom(strconv.Itoa(int(first)))
	require.NoError(tb, err)
	d.Index(tb, n.db, indexer.Options{From: from})
	n.serve(tb, d.Client)
	n.advance(blocks)
	return n
}

// serve opens the API on the index. source is nil for a service without a node.
func (n *network) serve(tb testing.TB, source chain.Node) {
	tb.Helper()
	n.svc = resolvers.New(n.db.Reader(), source, resolvers.Options{Network: "devnet", TestOnly: true, HeadTTL: time.Nanosecond})
	tb.Cleanup(n.svc.Close)
	n.client = &client{t: tb, handler: v2.New(n.svc, v2.Options{})}
}

// advance produces blocks up to a seqno and waits until they are indexed.
func (n *network) advance(seqno uint32) {
	n.t.Helper()
	n.devnet.AdvanceTo(n.t, seqno)
	n.devnet.WaitIndexed(n.t, n.db)
}

func (n *network) head() uint32 { return n.devnet.Head() }

// post sends a POST request, checks the response against both documents and decodes it.
func (n *network) post(route string, params map[string]any) envelope {
	n.t.Helper()
	body, err := json.Marshal(params)
	require.NoError(n.t, err)
	w := n.do(http.MethodPost, route, string(body))
	fits(n.t, route, w.Code, w.Body.Bytes())
	return n.open(w)
}

// read sends a POST request that must succeed, and decodes its result.
func (n *network) read(route string, params map[string]any, into any) {
	n.t.Helper()
	e := n.post(route, params)
	require.True(n.t, e.OK, "%s %v: %s", route, params, e.Error)
	if into != nil {
		require.NoError(n.t, json.Unmarshal(e.Result, into), string(e.Result))
	}
}
