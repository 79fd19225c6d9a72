package node_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/adnl"
	"tonql/internal/node"
)

// FuzzResponses_ChangedOnesAreRefused changes valid responses of a liteserver: the client refuses the result or reads
// the original content.
func FuzzResponses_ChangedOnesAreRefused(f *testing.F) {
	d := newDevnet(f, 6)
	d.pay(f, addresses(2)...)
	d.mine(f, 2)
	first, err := d.chain.BySeqno(-1, -1<<63, 1)
	require.NoError(f, err)
	queried := node.Expectation{States: node.NewStateHashes(), Block: d.head(), Master: d.head(), Account: addressOf(d.faucet.Address), From: idOf(first.ID), To: d.head()}

	key, err := base64.StdEncoding.DecodeString(d.config.Liteservers[0].ID.Key)
	require.NoError(f, err)
	conn, err := adnl.Dial(d.ctx, d.server, key)
	require.NoError(f, err)
	f.Cleanup(conn.Close)
	head := d.chain.Head().ID
	truths := map[string]bool{}
	for _, q := range []tl.Serializable{
		ton.GetBlockData{ID: &head},
		ton.GetAllShardsInfo{ID: &head},
		ton.GetConfigAll{BlockID: &head},
		ton.GetAccountState{ID: &head, Account: ton.AccountID{ID: d.faucet.Address.Data()}},
		ton.GetBlockProof{Mode: 1, KnownBlock: &first.ID, TargetBlock: &head},
	} {
		query, err := tl.Serialize(q, true)
		require.NoError(f, err)
		response, err := conn.Query(d.ctx, query)
		require.NoError(f, err)
		truth, err := node.CheckResponse(response, queried)
		require.NoError(f, err)
		truths[truth] = true
		f.Add(response)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := node.CheckResponse(raw, queried)
		if err == nil {
			require.True(t, truths[got] || got == node.NoLink(queried), "believed: %s", got)
		}
	})
}
