package node

import (
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chain"
)

// toTL converts an id to its TL form.
func toTL(id chain.BlockIDExt) *ton.BlockIDExt {
	return &ton.BlockIDExt{
		Workchain: id.Workchain,
		Shard:     int64(id.Shard),
		SeqNo:     id.Seqno,
		RootHash:  id.RootHash[:],
		FileHash:  id.FileHash[:],
	}
}

// fromTL converts an id from its TL form. nil becomes the zero id, which equals no block.
func fromTL(id *ton.BlockIDExt) chain.BlockIDExt {
	if id == nil {
		return chain.BlockIDExt{}
	}
	return chain.BlockIDExt{
		BlockID:  chain.BlockID{Workchain: id.Workchain, Shard: chain.Shard(id.Shard), Seqno: id.SeqNo},
		RootHash: chain.HashFrom(id.RootHash),
		FileHash: chain.HashFrom(id.FileHash),
	}
}

// master returns the BlockID of a masterchain block.
func master(seqno uint32) chain.BlockID {
	return chain.BlockID{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: seqno}
}
