package node_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/node/nodetest"
	"tonql/internal/validator"
)

// archive serves the first blocks of the main network as a liteserver does, with their recorded proofs and signatures.
// What a node makes on request, proofs in states, is made here from the states after the blocks.
type archive struct {
	*mainnet.FirstBlocks
	files      map[chain.BlockID][]byte
	ids        map[chain.BlockID]chain.BlockIDExt
	committed  map[chain.BlockID]chain.BlockIDExt // masterchain block of a shard block
	parents    map[chain.BlockID][]*ton.BlockIDExt
	headers    map[chain.BlockID]*cell.Cell // the recorded Merkle proof of each block's header
	signatures map[chain.BlockID]ton.SignatureSet
	zerostates map[chain.BlockIDExt][]byte
	head       chain.BlockIDExt
}

func openArchive(t *testing.T) *archive {
	t.Helper()
	a := &archive{
		FirstBlocks: mainnet.OpenFirstBlocks(t), files: map[chain.BlockID][]byte{}, ids: map[chain.BlockID]chain.BlockIDExt{},
		committed: map[chain.BlockID]chain.BlockIDExt{}, parents: map[chain.BlockID][]*ton.BlockIDExt{},
		headers: map[chain.BlockID]*cell.Cell{}, signatures: map[chain.BlockID]ton.SignatureSet{}, zerostates: map[chain.BlockIDExt][]byte{},
	}
	for _, e := range mainnet.Packs(t) {
		if strings.HasPrefix(e.Name, "block_") {
			id := readID(t, e.Data)
			a.ids[id.BlockID], a.files[id.BlockID] = id, e.Data
			continue
		}
		a.readProof(t, e.Data)
	}
	var err error
	a.head, err = a.Head(t.Context())
	require.NoError(t, err)
	for seqno := uint32(1); seqno <= a.head.Seqno; seqno++ {
		m, err := a.MasterBlock(t.Context(), seqno)
		require.NoError(t, err)
		for _, s := range append(m.Shards, m.Master) {
			a.committed[s.ID.BlockID] = m.Master.ID
			var block tlb.Block
			require.NoError(t, tlb.Parse(&block, s.Root))
			a.parents[s.ID.BlockID], err = ton.GetParentBlocks(&block.BlockInfo)
			require.NoError(t, err)
		}
	}
	for _, workchain := range []int32{chain.MasterchainID, chain.BasechainID} {
		file := mainnet.ZerostateFile(t, workchain)
		root, err := cell.FromBOC(file)
		require.NoError(t, err)
		a.zerostates[chain.BlockIDExt{
			BlockID:  chain.BlockID{Workchain: workchain, Shard: chain.FullShard},
			RootHash: chain.Hash(root.HashKey()), FileHash: sha256.Sum256(file),
		}] = file
	}
	return a
}

// readProof reads a recorded proof: block_proof#c3 proof_for:BlockIdExt root:^Cell signatures:(Maybe ^BlockSignatures).
func (a *archive) readProof(t *testing.T, data []byte) {
	t.Helper()
	root, err := cell.FromBOC(data)
	require.NoError(t, err)
	s := root.MustBeginParse()
	require.EqualValues(t, 0xc3, s.MustLoadUInt(8))
	var shard tlb.ShardIdent
	require.NoError(t, tlb.LoadFromCell(&shard, s))
	workchain, prefix := tlb.ConvertShardIdentToShard(shard)
	id := chain.BlockID{Workchain: workchain, Shard: chain.Shard(prefix), Seqno: uint32(s.MustLoadUInt(32))}
	s.MustLoadSlice(512) // hashes, which are in the name, too
	a.headers[id], err = s.LoadRefCell()
	require.NoError(t, err)
	if !s.MustLoadBoolBit() {
		return
	}
	// block_signatures#11 validator_list_hash_short:uint32 catchain_seqno:uint32 sig_count:uint32 sig_weight:uint64
	//   signatures:(HashmapE 16 CryptoSignaturePair)
	s = s.MustLoadRef()
	require.EqualValues(t, 0x11, s.MustLoadUInt(8))
	set := ton.SignatureSet{ValidatorSetHash: int32(s.MustLoadUInt(32)), CatchainSeqno: int32(s.MustLoadUInt(32))}
	count := s.MustLoadUInt(32)
	s.MustLoadUInt(64)
	list := s.MustLoadDict(16)
	for i := range int64(count) {
		pair, err := list.LoadValueByIntKey(big.NewInt(i))
		require.NoError(t, err)
		node := pair.MustLoadSlice(256)
		require.EqualValues(t, 5, pair.MustLoadUInt(4))
		set.Signatures = append(set.Signatures, ton.Signature{NodeIDShort: node, Signature: pair.MustLoadSlice(512)})
	}
	a.signatures[id] = set
}

// serve starts a liteserver on the archive.
func (a *archive) serve(t *testing.T) *nodetest.Server {
	t.Helper()
	return nodetest.Serve(t, func(ctx context.Context, query tl.Serializable) (response tl.Serializable) {
		defer func() {
			if p := recover(); p != nil {
				response = ton.LSError{Code: 651, Text: fmt.Sprint(p)}
			}
		}()
		return a.respond(ctx, query)
	})
}

func (a *archive) respond(ctx context.Context, query tl.Serializable) tl.Serializable {
	switch q := query.(type) {
	case ton.GetMasterchainInf:
		return ton.MasterchainInfo{
			Last: tlID(a.head), StateRootHash: a.State(a.head.BlockID).Hash(),
			Init: &ton.ZeroStateIDExt{Workchain: -1, RootHash: a.Zerostate.RootHash[:], FileHash: a.Zerostate.FileHash[:]},
		}
	case ton.GetState:
		root := a.State(idOf(*q.ID).BlockID)
		return ton.BlockState{ID: q.ID, RootHash: root.Hash(), FileHash: q.ID.FileHash, Data: a.zerostates[idOf(*q.ID)]}
	case ton.GetBlockData:
		return ton.BlockData{ID: q.ID, Payload: a.files[idOf(*q.ID).BlockID]}
	case ton.GetBlockHeader:
		return ton.BlockHeader{ID: q.ID, HeaderProof: a.headers[idOf(*q.ID).BlockID].ToBOC()}
	case ton.LookupBlock:
		id := chain.BlockID{Workchain: q.ID.Workchain, Shard: chain.Shard(q.ID.Shard), Seqno: uint32(q.ID.Seqno)}
		return ton.BlockHeader{ID: tlID(a.ids[id]), HeaderProof: a.headers[id].ToBOC()}
	case ton.GetBlockProof:
		return a.blockProof(idOf(*q.KnownBlock), idOf(*q.TargetBlock))
	case ton.GetShardBlockProof:
		return a.shardBlockProof(idOf(*q.ID))
	case ton.GetAccountState:
		return a.accountState(idOf(*q.ID), chain.Address{Workchain: q.Account.Workchain, ID: chain.HashFrom(q.Account.ID)})
	case ton.GetConfigAll:
		at := idOf(*q.BlockID).BlockID
		proof := provenBy(a.State(at), func(root *cell.Cell) { visit(config(root).AsCell().MustBeginParse()) })
		return ton.ConfigAll{ID: q.BlockID, StateProof: a.headers[at].ToBOC(), ConfigProof: proof.ToBOC()}
	case []tl.Serializable: // there will be no next block
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
		return ton.LSError{Code: 652, Text: "timeout"}
	default:
		return ton.LSError{Code: -400, Text: fmt.Sprintf("unknown query %T", query)}
	}
}

// blockProof links two blocks, over the zerostate when the second one is newer.
func (a *archive) blockProof(from, to chain.BlockIDExt) tl.Serializable {
	p := ton.PartialBlockProof{Complete: true, From: tlID(from), To: tlID(to)}
	at := from
	if to.Seqno < from.Seqno || from != a.Zerostate {
		at = a.Zerostate
		if to.Seqno < from.Seqno {
			at = to
		}
		back := ton.BlockLinkBackward{ToKeyBlock: at == a.Zerostate, From: tlID(from), To: tlID(at), Proof: a.headers[from.BlockID].ToBOC()}
		if at != a.Zerostate {
			back.DestProof = a.headers[at.BlockID].ToBOC()
		}
		back.StateProof = provenBy(a.State(from.BlockID), func(root *cell.Cell) {
			var info tlb.McStateExtraBlockInfo
			must(tlb.LoadFromCell(&info, masterExtra(root).Info.MustBeginParse()))
			_, _, err := info.PrevBlocks.LoadValueExtraByIntKey(big.NewInt(int64(at.Seqno)))
			must(err)
		}).ToBOC()
		p.Steps = append(p.Steps, back)
	}
	if at != to {
		p.Steps = append(p.Steps, ton.BlockLinkForward{
			From: tlID(at), To: tlID(to), DestProof: a.headers[to.BlockID].ToBOC(),
			ConfigProof: provenBy(a.State(at.BlockID), func(root *cell.Cell) {
				_, err := validator.MasterSession(config(root), 0)
				must(err)
			}).ToBOC(),
			SignatureSet: a.signatures[to.BlockID],
		})
	}
	return p
}

// shardBlockProof links the masterchain block that commits a shard block to it, over the recorded headers.
func (a *archive) shardBlockProof(id chain.BlockIDExt) tl.Serializable {
	top := a.committed[id.BlockID]
	m, err := a.MasterBlock(context.Background(), top.Seqno)
	must(err)
	p := ton.ShardBlockProof{MasterchainID: tlID(top)}
	for _, at := range m.Top {
		links := []ton.ShardBlockLink{{ID: tlID(at), Proof: provenBy(m.Master.Root, func(root *cell.Cell) {
			var block tlb.Block
			must(tlb.LoadFromCell(&block, root.MustBeginParse()))
			visit(block.Extra.Custom.ShardHashes.AsCell().MustBeginParse())
		}).ToBOC()}}
		for at.Seqno > id.Seqno {
			header := a.headers[at.BlockID]
			at = idOf(*a.parents[at.BlockID][0])
			links = append(links, ton.ShardBlockLink{ID: tlID(at), Proof: header.ToBOC()})
		}
		if at == id {
			p.Links = links
			return p
		}
	}
	return ton.LSError{Code: 651, Text: "no way from a shard"}
}

// accountState proves an account in the state after a masterchain block or a block of its workchain.
func (a *archive) accountState(at chain.BlockIDExt, account chain.Address) tl.Serializable {
	r := ton.AccountState{ID: tlID(at), Shard: tlID(at)}
	shard := at
	if account.Workchain != at.Workchain {
		m, err := a.MasterBlock(context.Background(), at.Seqno)
		must(err)
		for _, top := range m.Top {
			if top.Workchain == account.Workchain && top.Shard.Contains(account.ID) {
				shard = top
			}
		}
		r.Shard = tlID(shard)
		r.ShardProof = []*cell.Cell{a.headers[at.BlockID], provenBy(a.State(at.BlockID), func(root *cell.Cell) {
			visit(masterExtra(root).ShardHashes.AsCell().MustBeginParse())
		})}
		if shard.Seqno == 0 {
			return r
		}
	}
	r.Proof = []*cell.Cell{a.headers[shard.BlockID], provenBy(a.State(shard.BlockID), func(root *cell.Cell) {
		var state tlb.ShardStateUnsplit
		must(tlb.LoadFromCell(&state, root.MustBeginParse()))
		if !state.Accounts.ShardAccounts.IsEmpty() {
			_, _, _ = state.Accounts.ShardAccounts.LoadValueExtra(cell.BeginCell().MustStoreSlice(account.ID[:], 256).EndCell())
		}
	})}
	if found, err := a.Account(context.Background(), shard, account); err == nil {
		r.State = found.Root
	}
	return r
}

// provenBy proves the cells of root that f reads.
func provenBy(root *cell.Cell, f func(root *cell.Cell)) *cell.Cell {
	b := cell.NewMerkleProofBuilder(root)
	f(b.Root())
	proof, err := b.CreateProof()
	must(err)
	return proof
}

func masterExtra(state *cell.Cell) (extra tlb.McStateExtra) {
	var s tlb.ShardStateUnsplit
	must(tlb.LoadFromCell(&s, state.MustBeginParse()))
	must(tlb.LoadFromCell(&extra, s.McStateExtra.MustBeginParse()))
	return extra
}

func config(state *cell.Cell) *cell.Dictionary { return masterExtra(state).ConfigParams.Config.Params }

func must(err error) {
	if err != nil {
		panic(err)
	}
}
