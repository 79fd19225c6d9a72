package node

import (
	"context"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chain"
)

// withStateUpdate requests a header's proof with the hashes of the state update.
const withStateUpdate = 1

// StateRoot returns the root hash of the state after a block, as the block names it.
func (c *Client) StateRoot(ctx context.Context, id chain.BlockIDExt) (chain.Hash, error) {
	w := want{what: "header of block " + id.String(), seqno: c.mcSeqno(id)}
	return query(ctx, c.pool, w, func(ctx context.Context, s *server) (chain.Hash, error) {
		var root chain.Hash
		err := readHeader(ctx, s, id, withStateUpdate, func(b *tlb.Block) error {
			after, err := b.StateUpdate.PeekRef(1)
			if err == nil {
				root = chain.Hash(after.HashKey(0))
			}
			return err
		})
		return root, err
	})
}

// header requests the header of a block from one server and compares it with the block's id.
func header(ctx context.Context, s *server, id chain.BlockIDExt) (*tlb.BlockHeader, error) {
	var h *tlb.BlockHeader
	err := readHeader(ctx, s, id, 0, func(b *tlb.Block) error {
		h = &b.BlockInfo
		return checkPlace(h, id)
	})
	return h, err
}

// checkPlace compares the place that a header names with that of its block. In a proof that leaves the header out, all fields are
// zero, so this check precedes every use of one.
func checkPlace(h *tlb.BlockHeader, id chain.BlockIDExt) error {
	workchain, shard := tlb.ConvertShardIdentToShard(h.Shard)
	place := chain.BlockID{Workchain: workchain, Shard: chain.Shard(shard), Seqno: h.SeqNo}
	if place != id.BlockID {
		return lie(nil, "returned a block of %s under the id of %s", place, id.BlockID)
	}
	return nil
}

func readHeader(ctx context.Context, s *server, id chain.BlockIDExt, mode uint32, look func(*tlb.Block) error) error {
	response, err := call[ton.BlockHeader](ctx, s, ton.GetBlockHeader{ID: toTL(id), Mode: mode})
	if err != nil {
		return err
	}
	return believable("a block header", func() error {
		if fromTL(response.ID) != id {
			return lie(nil, "returned the header of another block than %s", id)
		}
		proof, err := parseProof(response.HeaderProof)
		if err != nil {
			return err
		}
		b, err := ton.CheckBlockProof(proof, id.RootHash[:])
		if err != nil {
			return err
		}
		return look(b)
	})
}
