package node_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/adnl"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/node"
)

// honestResponses are responses of a local chain that the client believes, with what it reads from them.
func honestResponses(f *testing.F) (responses [][]byte, truths map[string]bool, queried node.Expectation) {
	f.Helper()
	d := newDevnet(f, 6)
	d.pay(f, addresses(2)...)
	d.mine(f, 2)
	first, err := d.chain.BySeqno(-1, -1<<63, 1)
	require.NoError(f, err)
	queried = node.Expectation{States: node.NewStateHashes(), Block: d.head(), Master: d.head(), Account: addressOf(d.faucet.Address), From: idOf(first.ID), To: d.head()}

	key, err := base64.StdEncoding.DecodeString(d.config.Liteservers[0].ID.Key)
	require.NoError(f, err)
	conn, err := adnl.Dial(d.ctx, d.server, key)
	require.NoError(f, err)
	f.Cleanup(conn.Close)
	head := d.chain.Head().ID
	truths = map[string]bool{}
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
		responses = append(responses, response)
	}
	return responses, truths, queried
}

// FuzzResponses_ChangedOnesAreRefused changes valid responses of a liteserver: the client refuses the result or reads
// the original content.
func FuzzResponses_ChangedOnesAreRefused(f *testing.F) {
	responses, truths, queried := honestResponses(f)
	for _, r := range responses {
		f.Add(r)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := node.CheckResponse(raw, queried)
		if err == nil {
			require.True(t, truths[got] || got == node.NoLink(queried), "believed: %s", got)
		}
	})
}

// FuzzProofs_ChangedCellsShowNothingElse changes and prunes the cells in valid responses: the client refuses the result or reads the original
// content.
func FuzzProofs_ChangedCellsShowNothingElse(f *testing.F) {
	responses, truths, queried := honestResponses(f)
	for i := range responses[1:] {
		for n := range byte(4) {
			f.Add(byte(i), n, []byte{})
			f.Add(byte(i), n, []byte{8, 0, 3, 0, 0})
			f.Add(byte(i), n, []byte{8, 0, 1, 0, 0, 0, 0, 4, 0, 9})
		}
	}
	f.Fuzz(func(t *testing.T, kind, place byte, program []byte) {
		if len(program) > 10*cellgraphtest.MutationSize {
			return
		}
		var response tl.Serializable
		_, err := tl.Parse(&response, responses[1:][int(kind)%(len(responses)-1)], true)
		require.NoError(t, err)
		raw, err := tl.Serialize(withCells(t, response, int(place), program), true)
		require.NoError(t, err)
		got, err := node.CheckResponse(raw, queried)
		if err == nil {
			require.True(t, truths[got] || got == node.NoLink(queried), "believed: %s", got)
		}
	})
}

// withCells returns a response after a program has changed the cells of one of its places.
func withCells(t *testing.T, response tl.Serializable, place int, program []byte) tl.Serializable {
	t.Helper()
	cells := func(list []*cell.Cell) {
		list[place/2%len(list)] = cellgraphtest.Mutate(list[place/2%len(list)], program)
	}
	bag := func(bags ...*[]byte) {
		at := bags[place%len(bags)]
		root, err := cell.FromBOC(*at)
		require.NoError(t, err)
		*at = cellgraphtest.Mutate(root, program).ToBOC()
	}
	switch a := response.(type) {
	case ton.AllShardsInfo:
		cells(a.Proof)
		return a
	case ton.ConfigAll:
		bag(&a.StateProof, &a.ConfigProof)
		return a
	case ton.AccountState:
		lists := [][]*cell.Cell{a.Proof, a.ShardProof, {a.State}}
		cells(lists[place%len(lists)])
		a.State = lists[2][0]
		return a
	case ton.PartialBlockProof:
		l, ok := a.Steps[place/2%len(a.Steps)].(ton.BlockLinkForward)
		require.True(t, ok)
		bag(&l.ConfigProof, &l.DestProof)
		a.Steps[place/2%len(a.Steps)] = l
		return a
	default:
		require.Failf(t, "unexpected response", "%T", response)
		return nil
	}
}
