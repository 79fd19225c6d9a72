package lite

import (
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/ledger"
)

// maxShardLinks limits the number of blocks of a shard in one masterchain block.
const maxShardLinks = 8

func (a *api) getShardBlockProof(q ton.GetShardBlockProof) (tl.Serializable, error) {
	b, err := a.blockOf(q.ID)
	if err != nil {
		return nil, err
	}
	if b.ID.Workchain == masterWorkchain {
		return ton.ShardBlockProof{MasterchainID: b.ID.Copy()}, nil
	}
	master, links, err := a.shardLinks(b)
	if err != nil {
		return nil, err
	}
	return ton.ShardBlockProof{MasterchainID: master.ID.Copy(), Links: links}, nil
}

// shardLinks leads from the masterchain block that committed b down to b: the
// first link proves the newest block of b's shard there, each next one a parent.
// A link names the block it leads to and proves it from the block before.
func (a *api) shardLinks(b *ledger.Block) (*ledger.Block, []ton.ShardBlockLink, error) {
	master, err := a.chain.BySeqno(masterWorkchain, rootShard, b.McSeqno)
	if err != nil {
		return nil, nil, prefixed("cannot load masterchain block : ", err)
	}
	var links []ton.ShardBlockLink
	for at := master; ; {
		if len(links) == maxShardLinks {
			return nil, nil, fail(codeBadRequest, "proof chain is too long")
		}
		next, proof, err := linkTowards(at, b)
		if err != nil {
			return nil, nil, err
		}
		links = append(links, ton.ShardBlockLink{ID: next.Copy(), Proof: proof})
		if next.Equals(&b.ID) {
			return master, links, nil
		}
		if at, err = a.blockOf(next); err != nil {
			return nil, nil, err
		}
	}
}

// linkTowards finds, within the block at, the id of the next block on the way to b.
func linkTowards(at, b *ledger.Block) (*ton.BlockIDExt, []byte, error) {
	var next *ton.BlockIDExt
	proof, err := prove(at.Root, func(root *cell.Cell) (err error) {
		if at.ID.Workchain == masterWorkchain {
			next, err = topOfShard(root, b.ID)
		} else {
			next, err = parentTowards(root, b.ID.Shard)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	data, err := boc(proof)
	return next, data, err
}

func topOfShard(root *cell.Cell, id ton.BlockIDExt) (*ton.BlockIDExt, error) {
	master, err := openBlockMaster(root)
	if err != nil {
		return nil, err
	}
	leaf, err := findShard(master.shards, id.Workchain, leftmost(id.Shard), false)
	if err != nil {
		return nil, err
	}
	if leaf == nil {
		return nil, fail(codeBadRequest, "shard not found")
	}
	return &leaf.id, nil
}

// parentTowards returns the parent of a block whose shard overlaps the given one.
func parentTowards(root *cell.Cell, shard int64) (*ton.BlockIDExt, error) {
	h, _, err := openHeader(root)
	if err != nil {
		return nil, err
	}
	parents, err := ton.GetParentBlocks(h)
	if err != nil {
		return nil, err
	}
	for _, p := range parents {
		if intersects(p.Shard, shard) {
			return p, nil
		}
	}
	return nil, fail(codeBadRequest, "failed to find block chain")
}

// lookupBlockWithProof finds a block and proves, from a masterchain block that the
// client trusts, that it is part of the chain and matches the search: by LT or time the
// parent's header shows that no earlier block matches.
func (a *api) lookupBlockWithProof(q ton.LookupBlockWithProof) (tl.Serializable, error) {
	if !validFull(q.MCBlockID) || q.MCBlockID.Workchain != masterWorkchain {
		return nil, fail(codeBadRequest, "masterchain block id must be specified")
	}
	b, err := a.find(q.ID, q.Mode, q.LT, q.UTime)
	if err != nil {
		return nil, err
	}
	if b.McSeqno > q.MCBlockID.SeqNo {
		return nil, fail(codeBadRequest, "specified mc block is older than block's masterchain ref")
	}
	trusted, err := a.masterOf(q.MCBlockID)
	if err != nil {
		return nil, err
	}
	response := ton.LookupBlockResult{ID: b.ID.Copy(), Mode: q.Mode}
	if response.Header, err = headerProof(b); err != nil {
		return nil, err
	}
	if q.Mode&(lookupLT|lookupUtime) != 0 {
		if response.PrevHeader, err = a.prevHeader(b, q.ID.Shard); err != nil {
			return nil, err
		}
	}
	master := b
	if b.ID.Workchain != masterWorkchain {
		if master, response.ShardLinks, err = a.shardLinks(b); err != nil {
			return nil, err
		}
	}
	response.MCBlockID = master.ID.Copy()
	if master.ID.SeqNo == trusted.ID.SeqNo {
		return response, nil
	}
	err = a.ancestorProofs(trusted, master, &response.ClientMCStateProof, &response.MCBlockProof)
	return response, err
}

// headerProof proves a block's info with its references.
func headerProof(b *ledger.Block) ([]byte, error) {
	proof, err := prove(b.Root, func(root *cell.Cell) error {
		_, _, err := openHeader(root)
		return err
	})
	if err != nil {
		return nil, err
	}
	return boc(proof)
}

// prevHeader proves the header of the parent on the side of the requested prefix. The
// first block of a chain follows a zerostate, which has no header.
func (a *api) prevHeader(b *ledger.Block, shard int64) ([]byte, error) {
	for _, p := range b.Prev {
		if p.SeqNo == 0 || !intersects(p.Shard, shard) {
			continue
		}
		parent, err := a.blockOf(&p)
		if err != nil {
			return nil, err
		}
		return headerProof(parent)
	}
	return nil, nil
}

// ancestorProofs sets the two proofs that old is a previous block of trusted.
func (a *api) ancestorProofs(trusted, old *ledger.Block, stateProof, blockProof *[]byte) error {
	state, err := a.stateOf(trusted)
	if err != nil {
		return err
	}
	first, err := a.stateRootProof(trusted)
	if err != nil {
		return err
	}
	second, err := ancestorProof(state, old.ID)
	if err != nil {
		return err
	}
	if *stateProof, err = boc(first); err != nil {
		return err
	}
	*blockProof, err = boc(second)
	return err
}
