package ledger

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/genesis"
)

// change sets a config parameter in the next block.
func change(t *testing.T, c *Chain, seqno uint32, param int32, value *cell.Cell) *Block {
	t.Helper()
	msg, err := genesis.ConfigChange(c.opts.Seed, seqno, genesisTime+10_000, param, value)
	require.NoError(t, err)
	require.NoError(t, c.SendExternal(context.Background(), msg))
	return mine(t, c, 1)
}

func changeConsensus(t *testing.T, c *Chain, seqno uint32, to genesis.Consensus) *Block {
	t.Helper()
	param, err := genesis.ConsensusParam(to, 1000)
	require.NoError(t, err)
	return change(t, c, seqno, genesis.ParamConsensus, param)
}

func simplexSignatures(t *testing.T, c *Chain, seqno uint32) ton.SignatureSetSimplex {
	t.Helper()
	sigs, err := c.Signatures(seqno)
	require.NoError(t, err)
	require.IsType(t, ton.SignatureSetSimplex{}, sigs)
	return sigs.(ton.SignatureSetSimplex)
}

// TestSignatures_FormFollowsTheLastKeyBlock switches from Simplex to the ordinary form and back. A key block itself is
// signed by the session before it.
func TestSignatures_FormFollowsTheLastKeyBlock(t *testing.T) {
	t.Parallel()
	c := openChain(t, Options{})
	require.Equal(t, genesis.Simplex, c.Consensus())
	mine(t, c, 4)
	require.True(t, changeConsensus(t, c, 0, genesis.Ordinary).KeyBlock)
	require.Equal(t, genesis.Ordinary, c.Consensus())
	mine(t, c, 3)
	require.True(t, changeConsensus(t, c, 1, genesis.Simplex).KeyBlock)
	mine(t, c, 3)

	want := "SSSSSOOOOSSS" // blocks 5 and 9 are the key blocks
	var got strings.Builder
	sessions := map[string][]uint32{}
	for seqno := uint32(1); seqno <= c.Head().ID.SeqNo; seqno++ {
		b, err := c.Block(masterID(seqno))
		require.NoError(t, err)
		params, err := c.keyConfig(b.PrevKeySeqno)
		require.NoError(t, err)
		requireSignatures(t, c, b, params)
		sigs, err := c.Signatures(seqno)
		require.NoError(t, err)
		switch s := sigs.(type) {
		case ton.SignatureSet:
			got.WriteString("O")
			require.Len(t, s.Signatures, genesis.ValidatorCount)
		case ton.SignatureSetSimplex:
			got.WriteString("S")
			sessions[string(s.SessionID)] = append(sessions[string(s.SessionID)], seqno)
		}
	}
	require.Equal(t, want, got.String())
	require.Len(t, sessions, 3, "one from the zerostate, one from the first block, one from the second switch: %v", sessions)
	replayAll(t, c)
}

func TestSignatures_OrdinaryFromTheZerostate(t *testing.T) {
	t.Parallel()
	c := openChain(t, Options{Consensus: genesis.Ordinary})
	mine(t, c, 3)
	for seqno := uint32(1); seqno <= 3; seqno++ {
		sigs, err := c.Signatures(seqno)
		require.NoError(t, err)
		require.IsType(t, ton.SignatureSet{}, sigs)
	}
}

// TestSimplex_CandidatesFormAChain follows the candidates of a session back: each one names the one before it, slots
// increase, and both forms of candidates and skipped slots occur.
func TestSimplex_CandidatesFormAChain(t *testing.T) {
	t.Parallel()
	var c *Chain
	c = openChain(t, Options{Clock: roundClock(&c)})
	const last = 2*checkpointEvery + 40
	mine(t, c, last)
	simplexSignatures(t, c, last) // the first query of all is for the newest block

	var before *ton.ConsensusCandidateID
	var empty, skipped int
	for seqno := uint32(2); seqno <= last; seqno++ { // block 1 is a key block
		s := simplexSignatures(t, c, seqno)
		b, err := c.masterID(seqno)
		require.NoError(t, err)
		parent, isEmpty := parentOf(t, s.Candidate, b)
		if isEmpty {
			// Its parent is the notarized candidate with the block, whose parent is the candidate before.
			ordinary := ton.ConsensusCandidateHashDataOrdinary{Block: b, CollatedFileHash: noCollatedData[:], Parent: ton.ConsensusCandidateParent{ID: *before}}
			data, err := tl.Serialize(ordinary, true)
			require.NoError(t, err)
			hash := sha256.Sum256(data)
			require.Equal(t, hash[:], parent.Hash)
			require.Equal(t, s.Slot-1, parent.Slot)
			require.Greater(t, parent.Slot, before.Slot)
			empty++
		} else {
			require.Equal(t, before, parent, "block %d", seqno)
			if before != nil {
				require.Greater(t, s.Slot, before.Slot)
				if s.Slot > before.Slot+1 {
					skipped++
				}
			}
		}
		hash := sha256.Sum256(s.Candidate)
		before = &ton.ConsensusCandidateID{Slot: s.Slot, Hash: hash[:]}
	}
	require.Equal(t, (last-1)/emptyEvery, empty)
	require.NotZero(t, skipped)
	require.Len(t, c.sessions.mustGet(t, 1).candidates, 2, "checkpoints")
}

func (s *sessions) mustGet(t *testing.T, key uint32) *session {
	t.Helper()
	got, ok := s.lru.Get(key)
	require.True(t, ok)
	return got
}

// parentOf reads a candidate of a block.
func parentOf(t *testing.T, data []byte, block ton.BlockIDExt) (parent *ton.ConsensusCandidateID, empty bool) {
	t.Helper()
	var candidate tl.Serializable
	rest, err := tl.Parse(&candidate, data, true)
	require.NoError(t, err)
	require.Empty(t, rest)
	switch x := candidate.(type) {
	case ton.ConsensusCandidateHashDataOrdinary:
		require.True(t, block.Equals(&x.Block))
		if p, ok := x.Parent.(ton.ConsensusCandidateParent); ok {
			id := p.ID.(ton.ConsensusCandidateID)
			return &id, false
		}
		require.IsType(t, ton.ConsensusCandidateWithoutParents{}, x.Parent)
		return nil, false
	case ton.ConsensusCandidateHashDataEmpty:
		require.True(t, block.Equals(&x.Block))
		return &x.Parent, true
	default:
		require.Failf(t, "unexpected candidate", "%T", candidate)
		return nil, false
	}
}

// TestSimplex_CertificatesHaveJustOverTwoThirds checks that no signature of a certificate is superfluous, and that the
// certificates have different signers.
func TestSimplex_CertificatesHaveJustOverTwoThirds(t *testing.T) {
	t.Parallel()
	c := openChain(t, Options{})
	mine(t, c, 20)
	weights := map[string]uint64{}
	for _, m := range c.sessionFor(t, 2).set.members {
		weights[string(m.Node)] = m.Weight
	}
	require.Len(t, weights, genesis.ValidatorCount)
	var total uint64
	for _, w := range weights {
		total += w
		require.Less(t, 3*w, uint64(1<<60), "a validator has less than a third")
	}
	counts := map[int]bool{}
	for seqno := uint32(1); seqno <= 20; seqno++ {
		s := simplexSignatures(t, c, seqno)
		var signed, least uint64
		for _, sig := range s.Signatures {
			signed += weights[string(sig.NodeIDShort)]
			least = weights[string(sig.NodeIDShort)]
		}
		require.True(t, overTwoThirds(signed, total))
		require.False(t, overTwoThirds(signed-least, total), "without the last signature")
		require.Less(t, len(s.Signatures), genesis.ValidatorCount)
		counts[len(s.Signatures)] = true
	}
	require.Greater(t, len(counts), 1)
}

func (c *Chain) sessionFor(t *testing.T, seqno uint32) *session {
	t.Helper()
	b, err := c.Block(masterID(seqno))
	require.NoError(t, err)
	c.sessions.mu.Lock()
	defer c.sessions.mu.Unlock()
	s, err := c.sessionOf(b)
	require.NoError(t, err)
	return s
}

func TestOverTwoThirds_IsStrictAndDoesNotOverflow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		weight, total uint64
		want          bool
	}{
		{2, 3, false}, {3, 4, true}, {4, 6, false}, {5, 7, true}, {0, 0, false},
		{1 << 63, 1<<64 - 1, false}, {0xaaaaaaaaaaaaaaaa, 1<<64 - 1, false}, {0xaaaaaaaaaaaaaaab, 1<<64 - 1, true},
	} {
		require.Equal(t, c.want, overTwoThirds(c.weight, c.total), "%d of %d", c.weight, c.total)
	}
}

// TestSignatures_AreTheSameAfterRestart reads those of old blocks first.
func TestSignatures_AreTheSameAfterRestart(t *testing.T) {
	t.Parallel()
	opts := Options{Dir: t.TempDir(), Clock: steadyClock()}
	opts.Seed[0] = 7
	c, err := Open(context.Background(), opts)
	require.NoError(t, err)
	mine(t, c, 5)
	changeConsensus(t, c, 0, genesis.Ordinary)
	mine(t, c, 3)
	var want []any
	for seqno := uint32(1); seqno <= 9; seqno++ {
		s, err := c.Signatures(seqno)
		require.NoError(t, err)
		want = append(want, s)
	}
	require.NoError(t, c.Close())

	opts.Consensus = genesis.Simplex // a stored chain keeps its own
	again, err := Open(context.Background(), opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, again.Close()) })
	require.Equal(t, genesis.Ordinary, again.Consensus())
	for seqno := uint32(9); seqno >= 1; seqno-- {
		s, err := again.Signatures(seqno)
		require.NoError(t, err)
		require.Equal(t, want[seqno-1], s)
	}
}

// validatorsParam is a validator set of some of the chain's validators, and of one whose key the chain does not have.
func validatorsParam(t *testing.T, c *Chain, foreignWeight uint64, own ...int) *cell.Cell {
	t.Helper()
	list := cell.NewDict(16)
	total := foreignWeight
	var n uint16
	add := func(key []byte, weight uint64) {
		one, err := tlb.ToCell(tlb.ValidatorAddr{PublicKey: tlb.SigPubKeyED25519{Key: key}, Weight: weight, ADNLAddr: make([]byte, 32)})
		require.NoError(t, err)
		require.NoError(t, list.SetIntKey(big.NewInt(int64(n)), one))
		n++
	}
	for _, i := range own {
		add(genesis.ValidatorKey(c.opts.Seed, i).Public().(ed25519.PublicKey), 100)
		total += 100
	}
	if foreignWeight > 0 {
		add(make([]byte, 32), foreignWeight)
	}
	param, err := tlb.ToCell(tlb.ValidatorSetExt{UTimeUntil: 1<<32 - 1, Total: n, Main: n, TotalWeight: total, List: list})
	require.NoError(t, err)
	return param
}

// TestValidators_ChangeAtAKeyBlock elects others, then puts temporary ones before them, and proposes a set that could
// not sign.
func TestValidators_ChangeAtAKeyBlock(t *testing.T) {
	t.Parallel()
	c := openChain(t, Options{})
	mine(t, c, 2)
	require.True(t, change(t, c, 0, paramValidators, validatorsParam(t, c, 49, 3)).KeyBlock)
	mine(t, c, 1)
	require.Len(t, simplexSignatures(t, c, 3).Signatures, 5, "a key block is signed by the set before it")
	require.Len(t, simplexSignatures(t, c, 4).Signatures, 1)
	require.True(t, change(t, c, 1, paramTemporaryValidators, validatorsParam(t, c, 0, 1, 2)).KeyBlock)
	mine(t, c, 1)
	require.Len(t, simplexSignatures(t, c, 6).Signatures, 2)
	for seqno := uint32(3); seqno <= 6; seqno++ {
		s := simplexSignatures(t, c, seqno)
		b, err := c.Block(masterID(seqno))
		require.NoError(t, err)
		var blk tlb.Block
		require.NoError(t, tlb.Parse(&blk, b.Root))
		require.Equal(t, blk.BlockInfo.GenValidatorListHashShort, uint32(s.ValidatorSetHash))
	}
	require.False(t, change(t, c, 2, paramTemporaryValidators, validatorsParam(t, c, 50, 1)).KeyBlock, "just two thirds of the weight")
	replayAll(t, c)
}
