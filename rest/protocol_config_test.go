package rest_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/node"
)

const (
	paramForwardPrices  = 25
	paramPrevValidators = 32
	paramValidators     = 34
	paramNextValidators = 36
)

// param returns the hash of a config parameter as of a masterchain block; empty when it is not set. All APIs agree.
func (n *localNetwork) param(index int, seqno uint32) string {
	n.t.Helper()
	var graph struct {
		Config struct {
			McSeqno uint32
			Params  []struct{ Value string }
		}
	}
	query(n.t, n.api, `query($s: UInt32!, $i: [Int!]) { config(at: {seqno: $s}) { mcSeqno params(indexes: $i) { value } } }`,
		map[string]any{"s": seqno, "i": []int{index}}, &graph)
	require.Equal(n.t, seqno, graph.Config.McSeqno)
	var v2 struct {
		Result struct{ Config struct{ Bytes string } }
	}
	fetch(n.t, n.api, http.MethodGet, fmt.Sprintf("/api/v2/getConfigParam?config_id=%d&seqno=%d", index, seqno), "", &v2)
	if len(graph.Config.Params) == 0 {
		require.Empty(n.t, v2.Result.Config.Bytes)
		return ""
	}
	value := fromBag(n.t, graph.Config.Params[0].Value)
	require.Equal(n.t, value.Hash(), fromBag(n.t, v2.Result.Config.Bytes).Hash())
	fetch(n.t, n.api, http.MethodGet, fmt.Sprintf("/api/v2/getConfigAll?seqno=%d", seqno), "", &v2)
	all, err := fromBag(n.t, v2.Result.Config.Bytes).AsDict(32).LoadValue(cell.BeginCell().MustStoreInt(int64(index), 32).EndCell())
	require.NoError(n.t, err)
	inAll, err := all.LoadRefCell()
	require.NoError(n.t, err)
	require.Equal(n.t, value.Hash(), inAll.Hash())
	return base64Hash(value)
}

// signers returns the validators that signed a masterchain block.
func (n *localNetwork) signers(seqno uint32) []string {
	n.t.Helper()
	var v2 struct {
		Result struct {
			Signatures []struct {
				Node string `json:"node_id_short"`
			}
		}
	}
	fetch(n.t, n.api, http.MethodGet, fmt.Sprintf("/api/v2/getMasterchainBlockSignatures?seqno=%d", seqno), "", &v2)
	require.NotEmpty(n.t, v2.Result.Signatures)
	var nodes []string
	for _, s := range v2.Result.Signatures {
		nodes = append(nodes, s.Node)
	}
	return nodes
}

// keyBlocks returns the seqnos of the key blocks from a masterchain block on, which /api/v3 and GraphQL agree on.
func (n *localNetwork) keyBlocks(from uint32) []uint32 {
	n.t.Helper()
	var list []uint32
	for seqno := from; seqno <= n.devnet.Head(); seqno++ {
		var v3 struct {
			Blocks []struct {
				Key bool `json:"key_block"`
			}
		}
		fetch(n.t, n.api, http.MethodGet, fmt.Sprintf("/api/v3/blocks?workchain=-1&seqno=%d", seqno), "", &v3)
		require.Len(n.t, v3.Blocks, 1)
		if v3.Blocks[0].Key {
			list = append(list, seqno)
		}
	}
	return list
}

// The validators vote for a new price of messages, a part of them in one round, and other validators, who begin meanwhile, in the
// next. Every API shows each configuration as of its blocks; the blocks after the change of validators have the signatures of the
// new ones, and a client that starts at the zerostate follows.
func TestProtocol_ValidatorsVoteAndChange(t *testing.T) {
	t.Parallel()
	seed := [32]byte{0xc0, 0xde}
	n := startLocal(t, devnet.Options{Seed: seed})
	now := n.devnet.Chain.Now
	first := n.devnet.Head()
	prices, err := tlb.ToCell(tlb.ConfigMsgForwardPrices{
		LumpPrice: 500_000, BitPrice: 400 << 16, CellPrice: 40_000 << 16, IHRFactor: 98304, FirstFrac: 21845, NextFrac: 21845,
	})
	require.NoError(t, err)
	proposal := genesis.Proposal(paramForwardPrices, prices)
	config, faucet := genesis.ConfigAddress, n.faucet.Address
	call := func(bodies ...*cell.Cell) {
		t.Helper()
		for some := range slices.Chunk(bodies, 4) {
			var messages []*tlb.InternalMessage
			for _, body := range some {
				messages = append(messages, contracts.Call(config, 2e9, body))
			}
			n.order(messages...)
			n.advance(4)
		}
	}
	call(genesis.NewProposal(1, now()+2_000_000, proposal))
	require.Equal(t, []string{hex32(genesis.OpProposalAccepted)}, n.opcodes())

	old, later := [genesis.ValidatorCount]int{0, 1, 2, 3, 4, 5, 6}, [genesis.ValidatorCount]int{7, 8, 9, 10, 11, 12, 13}
	vote := func(position int, key int) *cell.Cell {
		return genesis.Vote(seed, uint64(position), uint16(position), key, proposal.Hash())
	}
	// 10 + 9 + 8 + 7 of 49 do not suffice, 6 more do. A vote with another key fails and bounces, a second one does not count.
	call(vote(0, 0), vote(1, 1), vote(2, 2), vote(3, 3))
	call(vote(4, 3), vote(3, 3), vote(4, 4))
	counted, won := hex32(genesis.OpVoted+genesis.VoteCounted), hex32(genesis.OpVoted+genesis.VoteWonRound)
	require.ElementsMatch(t, []string{counted, counted, counted, counted, "0xffffffff", hex32(genesis.OpVoted - 2), won}, n.opcodes()[1:])
	require.Empty(t, n.keyBlocks(first+1), "one round is not enough")

	next, err := genesis.ValidatorSet(seed, now()+6, 0xffffffff, later)
	require.NoError(t, err)
	change, err := genesis.ConfigChange(seed, 0, now()+600, paramNextValidators, next)
	require.NoError(t, err)
	require.NoError(t, n.devnet.Chain.SendExternal(n.ctx, change))
	n.advance(12)
	keys := n.keyBlocks(first + 1)
	require.Len(t, keys, 2, "the next validators are known, and begin")
	current := n.param(paramValidators, first)
	require.Equal(t, []string{"", current, ""}, n.params(keys[0]-1))
	require.Equal(t, []string{"", current, base64Hash(next)}, n.params(keys[0]))
	require.Equal(t, []string{"", current, base64Hash(next)}, n.params(keys[1]-1))
	require.Equal(t, []string{current, base64Hash(next), ""}, n.params(keys[1]))
	require.Subset(t, nodesOf(t, seed, old), n.signers(keys[1]), "the old validators sign the block with the change")
	require.Subset(t, nodesOf(t, seed, later), n.signers(keys[1]+1))

	replies := len(n.opcodes())
	call(vote(0, 0), vote(0, 7), vote(1, 8), vote(2, 9))
	call(vote(3, 10), vote(4, 11), vote(5, 12))
	accepted, unknown := hex32(genesis.OpVoted+genesis.VoteAccepted), hex32(genesis.OpVoted-1)
	require.ElementsMatch(t, []string{"0xffffffff", counted, counted, counted, counted, accepted, unknown}, n.opcodes()[replies:])
	keys = n.keyBlocks(keys[1] + 1)
	require.Len(t, keys, 1)
	before := n.param(paramForwardPrices, first)
	require.Equal(t, before, n.param(paramForwardPrices, keys[0]-1))
	require.Equal(t, base64Hash(prices), n.param(paramForwardPrices, keys[0]))
	require.Equal(t, base64Hash(prices), n.param(paramForwardPrices, n.devnet.Head()))
	n.order(contracts.Transfer(faucet, 1, "at the new price"))
	n.advance(3)
	n.requireReplayed()

	global, err := n.devnet.GlobalConfig()
	require.NoError(t, err)
	client, err := node.Open(n.ctx, node.Options{Config: global})
	require.NoError(t, err)
	defer client.Close()
	_, err = client.Wait(n.ctx, n.devnet.Head())
	require.NoError(t, err)
}

// params returns the previous, current and next validators as of a masterchain block.
func (n *localNetwork) params(seqno uint32) []string {
	n.t.Helper()
	return []string{n.param(paramPrevValidators, seqno), n.param(paramValidators, seqno), n.param(paramNextValidators, seqno)}
}

// opcodes returns the opcodes of the replies of the config contract, oldest first.
func (n *localNetwork) opcodes() []string {
	n.t.Helper()
	var list []string
	for _, m := range n.messages(genesis.ConfigAddress, n.faucet.Address) {
		list = append(list, *m.Opcode)
	}
	return list
}

func hex32(op int64) string { return fmt.Sprintf("0x%08x", op) }

func nodesOf(t *testing.T, seed [32]byte, keys [genesis.ValidatorCount]int) []string {
	t.Helper()
	var nodes []string
	for _, key := range keys {
		id, err := genesis.NodeIDShort(genesis.ValidatorKey(seed, key).Public().(ed25519.PublicKey))
		require.NoError(t, err)
		nodes = append(nodes, base64.StdEncoding.EncodeToString(id))
	}
	return nodes
}
