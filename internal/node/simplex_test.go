package node_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/adnl"
	"tonql/internal/chain"
	"tonql/internal/devnet/genesis"
	"tonql/internal/node"
)

// configure sets a config parameter of the devnet in the next block, a key block.
func (d *devnet) configure(t *testing.T, seqno uint32, param int32, value *cell.Cell) {
	t.Helper()
	msg, err := genesis.ConfigChange(devnetSeed, seqno, d.chain.Now()+1000, param, value)
	require.NoError(t, err)
	require.NoError(t, d.chain.SendExternal(d.ctx, msg))
	require.True(t, d.mine(t, 1).KeyBlock)
}

func (d *devnet) setConsensus(t *testing.T, seqno uint32, to genesis.Consensus) {
	t.Helper()
	param, err := genesis.ConsensusParam(to, 1000)
	require.NoError(t, err)
	d.configure(t, seqno, genesis.ParamConsensus, param)
}

// link returns the forward link between two masterchain blocks of the devnet, of which the first is a key block.
func (d *devnet) link(t *testing.T, from, to uint32) ton.BlockLinkForward {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(d.config.Liteservers[0].ID.Key)
	require.NoError(t, err)
	conn, err := adnl.Dial(d.ctx, d.server, key)
	require.NoError(t, err)
	defer conn.Close()
	first, err := d.chain.BySeqno(-1, -1<<63, from)
	require.NoError(t, err)
	last, err := d.chain.BySeqno(-1, -1<<63, to)
	require.NoError(t, err)
	query, err := tl.Serialize(ton.GetBlockProof{Mode: 1, KnownBlock: &first.ID, TargetBlock: &last.ID}, true)
	require.NoError(t, err)
	response, err := conn.Query(d.ctx, query)
	require.NoError(t, err)
	part := parseProof(t, response)
	require.Len(t, part.Steps, 1)
	require.IsType(t, ton.BlockLinkForward{}, part.Steps[0])
	return part.Steps[0].(ton.BlockLinkForward)
}

// checkLink checks a link as a client does when it is the complete response to getBlockProof.
func checkLink(t *testing.T, l ton.BlockLinkForward) error {
	t.Helper()
	raw, err := tl.Serialize(ton.PartialBlockProof{Complete: true, From: l.From, To: l.To, Steps: []any{l}}, true)
	require.NoError(t, err)
	q := node.Expectation{From: idOf(*l.From), To: idOf(*l.To)}
	believed, err := node.CheckResponse(raw, q)
	if err == nil {
		require.NotEqual(t, node.NoLink(q), believed)
	}
	return err
}

// signAll signs a payload with the keys of validators of the devnet, by their numbers.
func signAll(t *testing.T, payload []byte, numbers ...int) (list []ton.Signature) {
	t.Helper()
	for _, i := range numbers {
		key := genesis.ValidatorKey(devnetSeed, i)
		id, err := genesis.NodeIDShort(key.Public().(ed25519.PublicKey))
		require.NoError(t, err)
		list = append(list, ton.Signature{NodeIDShort: id, Signature: ed25519.Sign(key, payload)})
	}
	return list
}

var everyValidator = []int{0, 1, 2, 3, 4, 5, 6}

// notarizeVote is the vote that comes before the final one.
type notarizeVote struct {
	ID any `tl:"struct boxed [consensus.candidateId]"`
}

func init() {
	tl.Register(notarizeVote{}, "consensus.simplex.notarizeVote id:consensus.CandidateId = consensus.simplex.UnsignedVote")
}

// vote is what validators sign for the candidate of a set, as the client library serializes it.
func vote(t *testing.T, set ton.SignatureSetSimplex, final bool) []byte {
	t.Helper()
	hash := sha256.Sum256(set.Candidate)
	id := ton.ConsensusCandidateID{Slot: set.Slot, Hash: hash[:]}
	var unsigned tl.Serializable = ton.ConsensusSimplexFinalizeVote{ID: id}
	if !final {
		unsigned = notarizeVote{ID: id}
	}
	data, err := tl.Serialize(unsigned, true)
	require.NoError(t, err)
	payload, err := tl.Serialize(ton.ConsensusDataToSign{SessionID: set.SessionID, Data: data}, true)
	require.NoError(t, err)
	return payload
}

func candidate(t *testing.T, v tl.Serializable) []byte {
	t.Helper()
	data, err := tl.Serialize(v, true)
	require.NoError(t, err)
	return data
}

// TestSimplex_WrongVotesAreRefused changes a valid link in one way each. Where validators sign the change, all of them
// do, so that only the rule refuses it.
func TestSimplex_WrongVotesAreRefused(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 8)
	valid := d.link(t, 1, 8)
	require.NoError(t, checkLink(t, valid))
	original := valid.SignatureSet.(ton.SignatureSetSimplex)
	block, other := *valid.To, *valid.To
	other.RootHash = slices.Clone(other.RootHash)
	other.RootHash[31] ^= 1
	anotherFile := *valid.To
	anotherFile.FileHash = other.RootHash
	parent := ton.ConsensusCandidateID{Slot: original.Slot - 1, Hash: make([]byte, 32)}
	signed := func(s *ton.SignatureSetSimplex) { s.Signatures = signAll(t, vote(t, *s, true), everyValidator...) }

	accepted := map[string]func(*ton.SignatureSetSimplex){
		"everybody signs": signed,
		"an empty candidate that repeats the block": func(s *ton.SignatureSetSimplex) {
			s.Candidate = candidate(t, ton.ConsensusCandidateHashDataEmpty{Block: block, Parent: parent})
			signed(s)
		},
		"the first candidate of a session": func(s *ton.SignatureSetSimplex) {
			s.Candidate = candidate(t, ton.ConsensusCandidateHashDataOrdinary{Block: block, CollatedFileHash: make([]byte, 32), Parent: ton.ConsensusCandidateWithoutParents{}})
			s.Slot = 0
			signed(s)
		},
		"the last slot": func(s *ton.SignatureSetSimplex) { s.Slot = -1; signed(s) }, // slots are unsigned
		"a session under other consensus options": func(s *ton.SignatureSetSimplex) {
			s.SessionID = slices.Repeat([]byte{7}, 32) // no proof shows what it is the hash of
			signed(s)
		},
	}
	for name, change := range accepted {
		l, set := valid, original
		change(&set)
		l.SignatureSet = set
		require.NoError(t, checkLink(t, l), name)
	}

	refused := map[string]struct {
		change func(*ton.SignatureSetSimplex)
		reason string
	}{
		"no signature": {func(s *ton.SignatureSetSimplex) { s.Signatures = nil }, "no signatures"},
		"a signature missing": {func(s *ton.SignatureSetSimplex) {
			s.Signatures = s.Signatures[1:]
		}, "not more than two thirds"},
		"a signer twice": {func(s *ton.SignatureSetSimplex) {
			s.Signatures = append(slices.Clone(s.Signatures[1:]), s.Signatures[1])
		}, "signed twice"},
		"a signer outside of the set": {func(s *ton.SignatureSetSimplex) {
			s.Signatures = append(slices.Clone(s.Signatures), signAll(t, vote(t, *s, true), 7)...)
		}, "no validator of the session"},
		"more signatures than validators": {func(s *ton.SignatureSetSimplex) {
			s.Signatures = slices.Repeat(s.Signatures, 1000)
		}, "signatures of 7 validators"},
		"votes to notarize": {func(s *ton.SignatureSetSimplex) {
			s.Signatures = signAll(t, vote(t, *s, false), everyValidator...)
		}, "does not hold"},
		"signatures of the ordinary form": {func(s *ton.SignatureSetSimplex) {
			s.Signatures = signAll(t, candidate(t, ton.BlockID{RootHash: block.RootHash, FileHash: block.FileHash}), everyValidator...)
		}, "does not hold"},
		"another session": {func(s *ton.SignatureSetSimplex) { s.SessionID = make([]byte, 32) }, "does not hold"},
		"another slot":    {func(s *ton.SignatureSetSimplex) { s.Slot++ }, "does not hold"},
		"another candidate of the block": {func(s *ton.SignatureSetSimplex) {
			s.Candidate = candidate(t, ton.ConsensusCandidateHashDataEmpty{Block: block, Parent: parent})
		}, "does not hold"},
		"a candidate with another block": {func(s *ton.SignatureSetSimplex) {
			s.Candidate = candidate(t, ton.ConsensusCandidateHashDataEmpty{Block: other, Parent: parent})
			signed(s)
		}, "the candidate is another block"},
		"a candidate with another file hash": {func(s *ton.SignatureSetSimplex) {
			s.Candidate = candidate(t, ton.ConsensusCandidateHashDataEmpty{Block: anotherFile, Parent: parent})
			signed(s)
		}, "the candidate is another block"},
		"bytes after the candidate": {func(s *ton.SignatureSetSimplex) {
			s.Candidate = append(slices.Clone(s.Candidate), 0, 0, 0, 0)
			signed(s)
		}, "candidate: it ends with 40 bytes instead of 36"},
		"a huge candidate": {func(s *ton.SignatureSetSimplex) {
			s.Candidate = append(slices.Clone(s.Candidate), make([]byte, 1<<20)...)
			signed(s)
		}, "instead of 36"},
		"a candidate cut short": {func(s *ton.SignatureSetSimplex) {
			s.Candidate = s.Candidate[:len(s.Candidate)-4]
			signed(s)
		}, "candidate: it ends with 32 bytes instead of 36"},
		"half a candidate": {func(s *ton.SignatureSetSimplex) { s.Candidate = s.Candidate[:60]; signed(s) }, "candidate: it is too short"},
		"no candidate":     {func(s *ton.SignatureSetSimplex) { s.Candidate = nil; signed(s) }, "candidate: it is too short"},
		"a candidate of an unknown form": {func(s *ton.SignatureSetSimplex) {
			s.Candidate = slices.Clone(s.Candidate)
			s.Candidate[0] ^= 1
			signed(s)
		}, "unknown constructor 0xe8f9bcdd"},
		"a parent of an unknown form": {func(s *ton.SignatureSetSimplex) {
			s.Candidate = slices.Clone(s.Candidate)
			s.Candidate[4+80+32] ^= 1
			signed(s)
		}, "its parent has the unknown constructor 0x1a4b9af0"},
		"a parent's id of an unknown form": {func(s *ton.SignatureSetSimplex) {
			s.Candidate = slices.Clone(s.Candidate)
			s.Candidate[4+80+32+4] ^= 1
			signed(s)
		}, "its parent has the unknown constructor 0xb691cd3e"},
		"another catchain session": {func(s *ton.SignatureSetSimplex) { s.CCSeqno++ }, "another validator session"},
		"another list of validators": {func(s *ton.SignatureSetSimplex) {
			s.ValidatorSetHash++
		}, "another validator session"},
	}
	for name, tc := range refused {
		l, set := valid, original
		tc.change(&set)
		l.SignatureSet = set
		start := time.Now()
		require.ErrorContains(t, checkLink(t, l), tc.reason, name)
		require.Less(t, time.Since(start), 10*time.Second, name)
	}
}

// TestSimplex_TwoThirdsOfTheWeightAreNotEnough has three validators of equal weight, of which two are just two thirds.
func TestSimplex_TwoThirdsOfTheWeightAreNotEnough(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 2)
	list := cell.NewDict(16)
	for i := range 3 {
		pub := genesis.ValidatorKey(devnetSeed, i).Public().(ed25519.PublicKey)
		one, err := tlb.ToCell(tlb.ValidatorAddr{PublicKey: tlb.SigPubKeyED25519{Key: pub}, Weight: 100, ADNLAddr: make([]byte, 32)})
		require.NoError(t, err)
		require.NoError(t, list.SetIntKey(big.NewInt(int64(i)), one))
	}
	set, err := tlb.ToCell(tlb.ValidatorSetExt{UTimeUntil: 1<<32 - 1, Total: 3, Main: 3, TotalWeight: 300, List: list})
	require.NoError(t, err)
	d.configure(t, 0, 34, set)
	d.mine(t, 1)
	l := d.link(t, 3, 4)
	require.NoError(t, checkLink(t, l))
	votes := l.SignatureSet.(ton.SignatureSetSimplex)
	require.Len(t, votes.Signatures, 3)
	votes.Signatures = signAll(t, vote(t, votes, true), 0, 2)
	l.SignatureSet = votes
	require.ErrorContains(t, checkLink(t, l), "a weight of 200 out of 300, which is not more than two thirds")
}

// ordinary replaces the votes of a link by signatures of all validators in the ordinary form, which are valid by
// themselves.
func ordinary(t *testing.T, l ton.BlockLinkForward) ton.BlockLinkForward {
	t.Helper()
	votes := l.SignatureSet.(ton.SignatureSetSimplex)
	payload := candidate(t, ton.BlockID{RootHash: l.To.RootHash, FileHash: l.To.FileHash})
	l.SignatureSet = ton.SignatureSet{
		ValidatorSetHash: votes.ValidatorSetHash, CatchainSeqno: votes.CCSeqno, Signatures: signAll(t, payload, everyValidator...),
	}
	return l
}

// TestSimplex_OrdinarySignaturesAreRefusedWhereTheProofShowsTheConsensus uses the key block that decides the consensus,
// and an earlier one, which does not.
func TestSimplex_OrdinarySignaturesAreRefusedWhereTheProofShowsTheConsensus(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 3)
	l := ordinary(t, d.link(t, 1, 3))
	require.ErrorContains(t, checkLink(t, l), "signatures of the ordinary form in a session of Simplex")

	// A proof without the parameter, as liteservers of the main network give it, does not decide.
	hidden := l
	hidden.ConfigProof = withoutParam(t, l.ConfigProof, genesis.ParamConsensus)
	require.NoError(t, checkLink(t, hidden))

	// Block 4 ends Simplex: the configuration of block 1 says nothing about block 5.
	d.setConsensus(t, 0, genesis.Ordinary)
	d.mine(t, 1)
	after := d.link(t, 4, 5)
	require.IsType(t, ton.SignatureSetOrdinary{}, after.SignatureSet)
	require.NoError(t, checkLink(t, after))
	skipping := d.link(t, 1, 4)
	skipping.To, skipping.DestProof, skipping.SignatureSet, skipping.ToKeyBlock = after.To, after.DestProof, after.SignatureSet, false
	require.NoError(t, checkLink(t, skipping))
	require.ErrorContains(t, checkLink(t, ordinary(t, d.link(t, 1, 4))), "session of Simplex", "the key block itself")

	// Block 6 begins Simplex again: block 7 is signed by it, which block 4 does not know.
	d.setConsensus(t, 1, genesis.Simplex)
	d.mine(t, 1)
	again := d.link(t, 6, 7)
	require.IsType(t, ton.SignatureSetSimplex{}, again.SignatureSet)
	require.NoError(t, checkLink(t, again))
	skipping = d.link(t, 4, 6)
	skipping.To, skipping.DestProof, skipping.SignatureSet, skipping.ToKeyBlock = again.To, again.DestProof, again.SignatureSet, false
	require.NoError(t, checkLink(t, skipping))
}

// withoutParam prunes a parameter from the proof of a key block's configuration, whose hashes stay right.
func withoutParam(t *testing.T, boc []byte, number uint64) []byte {
	t.Helper()
	proof, err := cell.FromBOC(boc)
	require.NoError(t, err)
	body := proof.MustPeekRef(0)
	key := cell.BeginCell().MustStoreUInt(number, 32).EndCell()
	// Block, extra, masterchain part; its last reference is the dictionary.
	path := []int{3, 3}
	custom := body.MustPeekRef(3).MustPeekRef(3)
	path = append(path, int(custom.RefsNum())-1)
	at := custom.MustPeekRef(int(custom.RefsNum()) - 1)
	path = append(path, forkOf(t, at, key)...)
	return pruned(proof, path...).ToBOC()
}

// forkOf returns the references from the root of a dictionary to the leaf of a key.
func forkOf(t *testing.T, root, key *cell.Cell) (path []int) {
	t.Helper()
	bits := key.MustBeginParse()
	for left := uint(32); ; {
		s := root.MustBeginParse()
		label := readLabel(t, s, left)
		if label > 0 {
			bits.MustLoadUInt(label)
		}
		if left -= label; left == 0 {
			return path
		}
		side := int(bits.MustLoadUInt(1))
		left--
		path = append(path, side)
		root = root.MustPeekRef(side)
	}
}

// readLabel skips the label of a node of a dictionary and returns its length.
func readLabel(t *testing.T, s *cell.Slice, left uint) uint {
	t.Helper()
	if !s.MustLoadBoolBit() { // hml_short
		n := uint(0)
		for s.MustLoadBoolBit() {
			n++
		}
		return n
	}
	size := uint(big.NewInt(int64(left)).BitLen())
	if !s.MustLoadBoolBit() { // hml_long
		return uint(s.MustLoadUInt(size))
	}
	s.MustLoadBoolBit() // hml_same
	return uint(s.MustLoadUInt(size))
}

// TestClient_FollowsSwitchesOfTheConsensus proves every block of a chain that leaves Simplex and returns to it, forward
// and back, and reads the signatures of each.
func TestClient_FollowsSwitchesOfTheConsensus(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 4)
	c := open(t, d.config)
	ctx := within(t, time.Minute)
	switches := []genesis.Consensus{genesis.Ordinary, genesis.Simplex, genesis.Ordinary}
	for i, to := range switches {
		d.setConsensus(t, uint32(i), to)
		d.mine(t, 1+i)
		head, err := c.Wait(ctx, d.head().Seqno)
		require.NoError(t, err)
		require.Equal(t, d.head(), head)
	}
	late := open(t, d.config) // it proves the chain at once
	for _, c := range []*node.Client{c, late} {
		var forms strings.Builder
		for seqno := uint32(1); seqno <= d.head().Seqno; seqno++ {
			id, err := c.MasterBlockID(ctx, seqno)
			require.NoError(t, err)
			require.Equal(t, d.id(t, seqno), id)
			s, err := c.BlockSignatures(ctx, seqno)
			require.NoError(t, err)
			want, err := d.chain.Signatures(seqno)
			require.NoError(t, err)
			forms.WriteString(sameSignatures(t, s, want))
		}
		require.Equal(t, "SSSSSOOSSSOOO", forms.String())
		require.Zero(t, c.States()[0].Failures)
	}
}

// id returns the id of a masterchain block of the devnet.
func (d *devnet) id(t *testing.T, seqno uint32) chain.BlockIDExt {
	t.Helper()
	b, err := d.chain.BySeqno(-1, -1<<63, seqno)
	require.NoError(t, err)
	return idOf(b.ID)
}

// sameSignatures compares signatures with those of the chain, also in their order, and returns a letter for their form.
func sameSignatures(t *testing.T, got *chain.BlockSignatures, want any) string {
	t.Helper()
	var list []ton.Signature
	form := "O"
	switch s := want.(type) {
	case ton.SignatureSet:
		require.Nil(t, got.SessionID)
		list = s.Signatures
	case ton.SignatureSetSimplex:
		require.Equal(t, chain.HashFrom(s.SessionID), *got.SessionID)
		require.Equal(t, uint32(s.Slot), got.Slot)
		require.Equal(t, s.Candidate, got.Candidate)
		list, form = s.Signatures, "S"
	}
	require.Len(t, got.Signatures, len(list))
	for i, s := range list {
		require.Equal(t, chain.HashFrom(s.NodeIDShort), got.Signatures[i].NodeIDShort)
		require.Equal(t, s.Signature, got.Signatures[i].Signature)
	}
	return form
}

// TestSimplex_EveryBitOfARealSetCounts flips each bit of the session id, the slot and the candidate of recorded votes of
// the main network, and a bit of each signer and signature.
func TestSimplex_EveryBitOfARealSetCounts(t *testing.T) {
	t.Parallel()
	raw, _ := recordedLinks[1].read(t)
	l := parseProof(t, raw).Steps[0].(ton.BlockLinkForward)
	original := l.SignatureSet.(ton.SignatureSetSimplex)
	check := node.SimplexOf(t, l)
	require.NoError(t, check(original))
	flip := func(b []byte, bit int) []byte {
		b = slices.Clone(b)
		b[bit/8] ^= 1 << (bit % 8)
		return b
	}
	for bit := range 256 {
		set := original
		set.SessionID = flip(set.SessionID, bit)
		require.Error(t, check(set), "session id, bit %d", bit)
	}
	for bit := range 32 {
		set := original
		set.Slot ^= 1 << bit
		require.Error(t, check(set), "slot, bit %d", bit)
	}
	for bit := range 8 * len(original.Candidate) {
		set := original
		set.Candidate = flip(set.Candidate, bit)
		require.Error(t, check(set), "candidate, bit %d", bit)
	}
	for i := range original.Signatures {
		set := original
		set.Signatures = slices.Clone(set.Signatures)
		set.Signatures[i].Signature = flip(set.Signatures[i].Signature, 7*i)
		require.Error(t, check(set), "signature %d", i)
		set.Signatures[i] = original.Signatures[i]
		set.Signatures[i].NodeIDShort = flip(set.Signatures[i].NodeIDShort, 3*i)
		require.Error(t, check(set), "signer %d", i)
	}
}
