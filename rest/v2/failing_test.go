package v2_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chaintest"
	"tonql/internal/devnet/contracts"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
)

// With one of two liteservers dead, slow or lying, every request that the other can serve succeeds, without long
// delays.
func TestFailingLiteserver_RequestsSucceed(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const begins = 24
	n := startNetwork(t, begins, begins+2)
	config, err := n.devnet.GlobalConfig()
	require.NoError(t, err)
	faulty, honest := nodetest.NewProxy(t, config.Liteservers[0]), nodetest.NewProxy(t, config.Liteservers[0])
	client, err := node.Open(n.ctx, node.Options{
		Config:  nodetest.Config(config, faulty.Liteserver(), honest.Liteserver()),
		Timeout: pacetest.Slow * 3 * time.Second, BrokenPause: 100 * time.Millisecond, LiarPause: 300 * time.Millisecond,
	})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	usable := func() bool { return client.States()[0].Usable && client.States()[1].Usable }

	for _, tc := range []struct {
		name  string
		fault nodetest.Fault
	}{
		{"hangs up", nodetest.HangUps()},
		{"stalls", nodetest.Stall()},
		{"drops responses", nodetest.DropEvery(2)},
		{"refuses", nodetest.Refuse(228, "too many requests")},
		{"limits", nodetest.Limit(3, 500*time.Millisecond, ton.LSError{Code: 429, Text: "too many requests"})},
		{"times out", nodetest.Refuse(-503, "timeout")},
		{"is not synchronized", nodetest.Refuse(651, "node not synced")},
		{"has no old blocks", nodetest.Lacking(func(id ton.BlockIDExt) bool { return id.SeqNo < begins })},
		{"is slow", nodetest.Slow(pacetest.Slow * 500 * time.Millisecond)},
		{"lies about blocks", nodetest.FlippedBlockByte()},
		{"lies about look-ups", nodetest.ForeignLookup()},
		{"lies about proofs", nodetest.WrongBlockProof()},
		{"lies about accounts", nodetest.WrongAccount()},
		{"mixes up responses", nodetest.Mixup()},
		{"sends garbage", nodetest.Gibberish()},
	} {
		require.Eventually(t, usable, pacetest.Slow*time.Minute, 10*time.Millisecond, tc.name)
		n.serve(t, client) // a new service, so that nothing is cached
		faulty.Break(tc.fault)
		var took []time.Duration
		for i := range uint32(8) {
			for _, q := range requestsBeforeIndex(begins, 2+i*2) {
				start := time.Now()
				n.read(q.route, q.params, nil)
				took = append(took, time.Since(start))
			}
		}
		slices.Sort(took)
		p99 := took[len(took)*99/100]
		t.Logf("%s: %d requests, p99 %s, longest %s", tc.name, len(took), p99.Round(time.Millisecond), took[len(took)-1].Round(time.Millisecond))
		require.Less(t, p99, pacetest.Slow*2*time.Second, tc.name)
		faulty.Heal()
	}

	// Messages are sent to both liteservers, so one is enough.
	require.Eventually(t, usable, pacetest.Slow*time.Minute, 10*time.Millisecond)
	faulty.Break(nodetest.Stall())
	order := contracts.Order{Message: contracts.Transfer(n.faucet.Address, 1e6, "")}
	message, err := n.faucet.External(contracts.Ticket{Seqno: n.faucetSeqno(), ValidUntil: n.devnet.Chain.Now() + 300}, order)
	require.NoError(t, err)
	n.read("sendBocReturnHash", params{"boc": message.ToBOC()}, nil)

	// While no liteserver can say whether the data exists, nothing counts as missing; the client tries again.
	faulty.Heal()
	require.Eventually(t, usable, pacetest.Slow*time.Minute, 10*time.Millisecond)
	for _, refusal := range []ton.LSError{{Code: 652, Text: "timeout"}, {Code: 228, Text: "Ratelimit"}, {Code: 651, Text: "node not synced"}} {
		faulty.Break(nodetest.Only[ton.GetAccountState](nodetest.Refuse(refusal.Code, refusal.Text)))
		honest.Break(nodetest.Only[ton.GetAccountState](nodetest.Refuse(refusal.Code, refusal.Text)))
		n.serve(t, client)
		e := n.post("getAddressInformation", params{"address": chaintest.Wallet.String(), "seqno": 3})
		if pacetest.Slow > 1 && e.Code == http.StatusGatewayTimeout {
			continue // the client tries for longer than a request may take
		}
		require.Equal(t, 542, e.Code, "%d: %s", refusal.Code, e.Error)
	}

	// Without a working liteserver requests fail immediately.
	honest.Break(nodetest.HangUps())
	faulty.Break(nodetest.HangUps())
	require.Eventually(t, func() bool { return !client.States()[0].Usable && !client.States()[1].Usable }, pacetest.Slow*time.Minute, 10*time.Millisecond)
	e := n.post("getOutMsgQueueSize", params{})
	require.Equal(t, 542, e.Code, e.Error)
	n.read("getMasterchainInfo", params{}, nil)
}

type request struct {
	route  string
	params params
}

// requestsBeforeIndex returns requests about blocks that an index starting at first lacks.
func requestsBeforeIndex(first, seqno uint32) []request {
	full := params{"workchain": -1, "shard": "-9223372036854775808"}
	at := params{"address": chaintest.Wallet.String(), "seqno": seqno}
	return []request{
		{"lookupBlock", with(full, params{"seqno": seqno})},
		{"getBlockHeader", with(full, params{"seqno": seqno})},
		{"getBlock", with(full, params{"seqno": seqno})},
		{"getBlockTransactionsExt", with(full, params{"seqno": seqno})},
		{"getShards", params{"seqno": seqno}},
		{"getAddressInformation", at},
		{"getConfigParam", params{"config_id": 0, "seqno": seqno}},
		{"getMasterchainBlockSignatures", params{"seqno": seqno}},
		{"getShardBlockProof", with(full, params{"seqno": seqno, "from_seqno": first})},
		{"getOutMsgQueueSize", params{}},
		{"getMasterchainInfo", params{}},
	}
}

// faucetSeqno returns the seqno of the faucet's next message.
func (n *network) faucetSeqno() uint32 {
	n.t.Helper()
	var w struct{ Seqno uint32 }
	n.read("getWalletInformation", params{"address": n.faucet.Address.String()}, &w)
	return w.Seqno
}
