package lite

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/ledger"
	"tonql/internal/pacetest"
)

// TestBlockProof_ProvesInBothDirections walks proof chains in both directions, from and to every block.
func TestBlockProof_ProvesInBothDirections(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	n.mine(11)
	ids := make([]*ton.BlockIDExt, 0, 12)
	for seqno := uint32(1); seqno <= n.chain.Head().ID.SeqNo; seqno++ {
		b, err := n.chain.BySeqno(-1, rootShard, seqno)
		require.NoError(t, err)
		ids = append(ids, b.ID.Copy())
	}
	c := n.client(ton.ProofCheckPolicySecure)
	for _, from := range ids {
		for _, to := range ids {
			require.NoError(t, c.VerifyProofChain(n.ctx, from, to), "%d to %d", from.SeqNo, to.SeqNo)
		}
	}
	part := call[ton.PartialBlockProof](n, ton.GetBlockProof{KnownBlock: ids[2]})
	require.True(t, part.Complete)
	require.True(t, part.To.Equals(&n.chain.Head().ID), "without a target, the newest block is proven")

	alien := ids[3].Copy()
	alien.RootHash[0] ^= 1
	n.refused(ton.GetBlockProof{Mode: proofToTarget, KnownBlock: ids[0], TargetBlock: alien}, codeBadRequest)
	ahead := ids[3].Copy()
	ahead.SeqNo = 1000
	n.refused(ton.GetBlockProof{Mode: proofToTarget, KnownBlock: ids[0], TargetBlock: ahead}, codeNotReady)
}

// TestBlockProof_ProvesFromTheZerostate checks the links that touch block 0, which has no
// header: the client library cannot follow them, so their parts are checked here.
func TestBlockProof_ProvesFromTheZerostate(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	n.mine(3)
	zero := n.chain.ZerostateID(-1)
	head := &n.chain.Head().ID

	up := call[ton.PartialBlockProof](n, ton.GetBlockProof{Mode: proofToTarget, KnownBlock: &zero, TargetBlock: head})
	require.True(t, up.Complete)
	first, ok := up.Steps[0].(ton.BlockLinkForward)
	require.True(t, ok)
	require.True(t, first.From.Equals(&zero))
	require.NoError(t, requireRoot(mustBOC(t, first.ConfigProof), zero.RootHash))
	_, err := ton.CheckBlockProof(mustBOC(t, first.DestProof), first.To.RootHash)
	require.NoError(t, err)

	down := call[ton.PartialBlockProof](n, ton.GetBlockProof{Mode: proofToTarget, KnownBlock: head, TargetBlock: &zero})
	require.True(t, down.Complete)
	last, ok := down.Steps[len(down.Steps)-1].(ton.BlockLinkBackward)
	require.True(t, ok)
	require.True(t, last.ToKeyBlock)
	require.True(t, last.To.Equals(&zero))
}

// changeConfig makes a key block by setting an unused parameter.
func (n *network) changeConfig(seqno uint32) {
	n.t.Helper()
	value := cell.BeginCell().MustStoreUInt(uint64(seqno), 32).EndCell()
	msg, err := genesis.ConfigChange(testSeed, seqno, n.chain.Now()+600, -1000, value)
	require.NoError(n.t, err)
	require.Equal(n.t, ton.SendMessageStatus{Status: 1}, n.query(ton.SendMessage{Body: msg.ToBOC()}))
	n.mineUntil("a key block", func() bool { return n.chain.Head().KeyBlock })
}

// TestBlockProof_ProvesAcrossKeyBlocks proves the newest block from the oldest over more
// key blocks than fit into one response, and back.
func TestBlockProof_ProvesAcrossKeyBlocks(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	first := n.chain.Head().ID
	const keyBlocks = maxProofLinks + 4
	for i := range uint32(keyBlocks) {
		n.changeConfig(i)
		n.mine(1 + int(i%2))
	}
	head := n.chain.Head().ID
	part := call[ton.PartialBlockProof](n, ton.GetBlockProof{Mode: proofToTarget, KnownBlock: &first, TargetBlock: &head})
	require.False(t, part.Complete)
	require.Len(t, part.Steps, maxProofLinks)
	for _, step := range part.Steps {
		forward, ok := step.(ton.BlockLinkForward)
		require.True(t, ok)
		require.True(t, forward.ToKeyBlock, "every link but the last leads to a key block")
	}
	c := n.client(ton.ProofCheckPolicySecure)
	require.NoError(t, c.VerifyProofChain(n.ctx, &first, &head))
	require.NoError(t, c.VerifyProofChain(n.ctx, &head, &first))
	for seqno := uint32(2); seqno <= head.SeqNo; seqno += 3 {
		b, err := n.chain.BySeqno(-1, rootShard, seqno)
		require.NoError(t, err)
		require.NoError(t, c.VerifyProofChain(n.ctx, &b.ID, &head), "from the middle, through the last key block before it")
		require.NoError(t, c.VerifyProofChain(n.ctx, &b.ID, &first))
	}

	all := call[ton.ConfigAll](n, ton.GetConfigAll{Mode: configFromKeyBlock, BlockID: &head})
	block, err := ton.CheckBlockProof(mustBOC(t, all.ConfigProof), all.ID.RootHash)
	require.NoError(t, err)
	require.True(t, block.BlockInfo.KeyBlock)
	require.Equal(t, n.chain.Config().Hash(), block.Extra.Custom.ConfigParams.Config.Params.AsCell().Hash())
}

// shardBlocks lists every shard block of the chain.
func (n *network) shardBlocks() (all []*ledger.Block) {
	n.t.Helper()
	for seqno := uint32(1); seqno <= n.chain.Head().ID.SeqNo; seqno++ {
		blocks, err := n.chain.Committed(seqno)
		require.NoError(n.t, err)
		all = append(all, blocks...)
	}
	return all
}

// splitAndMerge drives the chain through a split into four shards and back.
func (n *network) splitAndMerge() {
	n.t.Helper()
	left, right := children(rootShard)
	shards := func() int {
		ids, err := n.client(ton.ProofCheckPolicyFast).GetBlockShardsInfo(n.ctx, &n.chain.Head().ID)
		require.NoError(n.t, err)
		return len(ids)
	}
	require.NoError(n.t, n.chain.RequestSplit(0, rootShard))
	n.mineUntil("two shards", func() bool { return shards() == 2 })
	require.NoError(n.t, n.chain.RequestSplit(0, left))
	require.NoError(n.t, n.chain.RequestSplit(0, right))
	n.mineUntil("four shards", func() bool { return shards() == 4 })
	n.mine(1)
	require.NoError(n.t, n.chain.RequestMerge(0, left))
	require.NoError(n.t, n.chain.RequestMerge(0, right))
	n.mineUntil("two shards again", func() bool { return shards() == 2 })
	require.NoError(n.t, n.chain.RequestMerge(0, rootShard))
	n.mineUntil("one shard again", func() bool { return shards() == 1 })
	n.mine(2)
}

// TestShards_AreProvenAfterSplitAndMerge queries a chain that has split and merged.
func TestShards_AreProvenAfterSplitAndMerge(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for _, blocks := range []int{1, ledger.MaxShardBlocks} {
		t.Run(fmt.Sprintf("%d blocks of a shard in a masterchain block", blocks), func(t *testing.T) {
			t.Parallel()
			n := newNetworkOn(t, ledger.Options{ShardBlocks: blocks})
			n.splitAndMerge()
			requireShardBlockProofs(t, n)
			requireProvenLookups(t, n)
			requireShardInfo(t, n)
			requireAccountsEverywhere(t, n)
		})
	}
}

func requireShardBlockProofs(t *testing.T, n *network) {
	t.Helper()
	for _, b := range n.shardBlocks() {
		p := call[ton.ShardBlockProof](n, ton.GetShardBlockProof{ID: &b.ID})
		require.Equal(t, b.McSeqno, p.MasterchainID.SeqNo)
		requireLinks(t, p.MasterchainID, &b.ID, p.Links)
	}
	head := &n.chain.Head().ID
	p := call[ton.ShardBlockProof](n, ton.GetShardBlockProof{ID: head})
	require.Empty(t, p.Links, "a masterchain block is its own proof")
	require.True(t, p.MasterchainID.Equals(head))
}

// requireLinks follows shard links the way a client does: the first proof must be
// of the masterchain block and list the first id in its shard hashes; each next
// one must be of the id before and name the next id among its parents.
func requireLinks(t *testing.T, master, target *ton.BlockIDExt, links []ton.ShardBlockLink) {
	t.Helper()
	require.NotEmpty(t, links)
	at := master
	for _, link := range links {
		block, err := ton.CheckBlockProof(mustBOC(t, link.Proof), at.RootHash)
		require.NoError(t, err)
		var named []*ton.BlockIDExt
		if at.Workchain == -1 {
			require.NotNil(t, block.Extra)
			require.NotNil(t, block.Extra.Custom)
			named, err = ton.LoadShardsFromHashes(block.Extra.Custom.ShardHashes, true)
		} else {
			named, err = ton.GetParentBlocks(&block.BlockInfo)
		}
		require.NoError(t, err)
		require.True(t, containsID(named, link.ID), "link to %v", link.ID)
		at = link.ID
	}
	require.True(t, at.Equals(target))
}

func containsID(ids []*ton.BlockIDExt, id *ton.BlockIDExt) bool {
	for _, have := range ids {
		if have.Equals(id) {
			return true
		}
	}
	return false
}

// requireProvenLookups finds every block by seqno, LT and time, from the newest
// masterchain block and from the oldest one that can prove it.
func requireProvenLookups(t *testing.T, n *network) {
	t.Helper()
	head := n.chain.Head()
	blocks := n.shardBlocks()
	for seqno := uint32(1); seqno <= head.ID.SeqNo; seqno++ {
		b, err := n.chain.BySeqno(-1, rootShard, seqno)
		require.NoError(t, err)
		blocks = append(blocks, b)
	}
	for _, b := range blocks {
		own, err := n.chain.BySeqno(-1, rootShard, b.McSeqno)
		require.NoError(t, err)
		for _, trusted := range []*ledger.Block{head, own} {
			for _, q := range []ton.LookupBlockWithProof{
				{Mode: lookupSeqno, ID: shortID(b)},
				{Mode: lookupLT, ID: shortID(b), LT: b.EndLT},
			} {
				q.MCBlockID = &trusted.ID
				r := call[ton.LookupBlockResult](n, q)
				require.True(t, r.ID.Equals(&b.ID), "mode %d: %v instead of %v", q.Mode, r.ID, b.ID)
				requireProvenLookup(t, n, q, r)
			}
		}
		q := ton.LookupBlockWithProof{Mode: lookupUtime, ID: shortID(b), MCBlockID: &head.ID, UTime: b.GenUtime}
		r := call[ton.LookupBlockResult](n, q)
		requireProvenLookup(t, n, q, r)
	}
	shard := blocks[0]
	old := ton.LookupBlockWithProof{Mode: lookupSeqno, ID: shortID(head), MCBlockID: &shard.ID}
	n.refused(old, codeBadRequest)
	first, err := n.chain.BySeqno(-1, rootShard, 1)
	require.NoError(t, err)
	old.MCBlockID = &first.ID
	require.Contains(t, n.refused(old, codeBadRequest), "older")
	old.Mode = 3
	n.refused(old, codeBadRequest)
}

func shortID(b *ledger.Block) *ton.BlockInfoShort {
	return &ton.BlockInfoShort{Workchain: b.ID.Workchain, Shard: b.ID.Shard, Seqno: int32(b.ID.SeqNo)}
}

// requireProvenLookup checks all parts of a response against the trusted block.
func requireProvenLookup(t *testing.T, n *network, q ton.LookupBlockWithProof, r ton.LookupBlockResult) {
	t.Helper()
	header, err := ton.CheckBlockProof(mustBOC(t, r.Header), r.ID.RootHash)
	require.NoError(t, err)
	switch q.Mode {
	case lookupSeqno:
		require.EqualValues(t, q.ID.Seqno, header.BlockInfo.SeqNo)
	case lookupLT:
		require.LessOrEqual(t, q.LT, header.BlockInfo.EndLt)
	case lookupUtime:
		require.LessOrEqual(t, q.UTime, header.BlockInfo.GenUtime)
	}
	if q.Mode != lookupSeqno && r.ID.SeqNo > 1 {
		requirePreviousTooEarly(t, q, r, &header.BlockInfo)
	}
	if r.ID.Workchain != -1 {
		requireLinks(t, r.MCBlockID, r.ID, r.ShardLinks)
	} else {
		require.True(t, r.MCBlockID.Equals(r.ID))
		require.Empty(t, r.ShardLinks)
	}
	if r.MCBlockID.Equals(q.MCBlockID) {
		return
	}
	requireAncestor(t, q.MCBlockID, r.MCBlockID, r.ClientMCStateProof, r.MCBlockProof)
}

// requirePreviousTooEarly checks that the header of the parent is before the requested LT or time.
func requirePreviousTooEarly(t *testing.T, q ton.LookupBlockWithProof, r ton.LookupBlockResult, info *tlb.BlockHeader) {
	t.Helper()
	parents, err := ton.GetParentBlocks(info)
	require.NoError(t, err)
	var fits bool
	for _, p := range parents {
		prev, err := ton.CheckBlockProof(mustBOC(t, r.PrevHeader), p.RootHash)
		if err != nil {
			continue
		}
		fits = true
		if q.Mode == lookupLT {
			require.Less(t, prev.BlockInfo.EndLt, q.LT)
		} else {
			require.Less(t, prev.BlockInfo.GenUtime, q.UTime)
		}
	}
	require.True(t, fits, "the previous header belongs to a parent")
}

// requireAncestor checks that old is listed in the state of a trusted block.
func requireAncestor(t *testing.T, trusted, old *ton.BlockIDExt, blockProof, stateProof []byte) {
	t.Helper()
	state, err := ton.CheckBlockShardStateProof(
		append(roots(t, blockProof), roots(t, stateProof)...), trusted.RootHash)
	require.NoError(t, err)
	var extra tlb.McStateExtra
	require.NoError(t, tlb.Parse(&extra, state.McStateExtra))
	s, err := extra.Info.BeginParse()
	require.NoError(t, err)
	var info tlb.McStateExtraBlockInfo
	require.NoError(t, tlb.LoadFromCellAsProof(&info, s))
	v, _, err := info.PrevBlocks.LoadValueExtra(uintKey(uint64(old.SeqNo), 32))
	require.NoError(t, err)
	var ref tlb.KeyExtBlkRef
	require.NoError(t, tlb.LoadFromCellAsProof(&ref, v))
	require.True(t, bytes.Equal(ref.BlkRef.RootHash, old.RootHash))
}

func requireShardInfo(t *testing.T, n *network) {
	t.Helper()
	for seqno := uint32(1); seqno <= n.chain.Head().ID.SeqNo; seqno++ {
		master, err := n.chain.BySeqno(-1, rootShard, seqno)
		require.NoError(t, err)
		all := call[ton.AllShardsInfo](n, ton.GetAllShardsInfo{ID: &master.ID})
		var hashes tlb.AllShardsInfo
		require.NoError(t, tlb.Parse(&hashes, all.Data))
		ids, err := ton.LoadShardsFromHashes(hashes.ShardHashes, false)
		require.NoError(t, err)
		for _, id := range ids {
			info := call[ton.ShardInfo](n, ton.GetShardInfo{ID: &master.ID, Workchain: 0, Shard: id.Shard, Exact: true})
			require.True(t, info.ShardBlock.Equals(id))
			require.NoError(t, ton.CheckShardInMasterProof(&master.ID, info.ShardProof, 0, id.RootHash))
			require.NotNil(t, info.ShardDescription)
		}
		none := call[ton.ShardInfo](n, ton.GetShardInfo{ID: &master.ID, Workchain: 5, Shard: rootShard})
		require.Nil(t, none.ShardDescription)
		require.Equal(t, invalidChain, none.ShardBlock.Workchain)
	}
}

// requireAccountsEverywhere finds an account after every masterchain block, in every
// shard that it was in, and after every block of its shard.
func requireAccountsEverywhere(t *testing.T, n *network) {
	t.Helper()
	c := n.client(ton.ProofCheckPolicySecure)
	for seqno := uint32(1); seqno <= n.chain.Head().ID.SeqNo; seqno++ {
		master, err := n.chain.BySeqno(-1, rootShard, seqno)
		require.NoError(t, err)
		acc, err := c.GetAccount(n.ctx, &master.ID, n.faucet.Address)
		require.NoError(t, err)
		require.True(t, acc.IsActive)
		_, err = c.RunGetMethod(n.ctx, &master.ID, n.faucet.Address, "seqno")
		require.NoError(t, err)
	}
	for _, b := range n.shardBlocks() {
		id := ton.AccountID{Workchain: 0, ID: n.faucet.Address.Data()}
		if !contains(b.ID.Shard, accountPrefix(id.ID)) {
			n.refused(ton.GetAccountState{ID: &b.ID, Account: id}, codeBadRequest)
			continue
		}
		acc, err := c.GetAccount(n.ctx, &b.ID, n.faucet.Address)
		require.NoError(t, err)
		require.True(t, acc.IsActive)
		_, err = c.RunGetMethod(n.ctx, &b.ID, n.faucet.Address, "seqno")
		require.NoError(t, err, "a get-method at a shard block")
	}
}
