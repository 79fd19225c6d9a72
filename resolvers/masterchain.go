package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// Masterchain is the masterchain as of a block; nil: the newest indexed one. It is nil while the index is empty.
func (s *Service) Masterchain(ctx context.Context, seqno *uint32) (*chain.Masterchain, error) {
	head, err := s.McSeqno(ctx)
	if err != nil || head == 0 {
		return nil, err
	}
	v, err := s.emulator.At(ctx, seqno)
	if err != nil {
		return nil, err
	}
	return &chain.Masterchain{Block: &v.Master, Shards: v.Shards}, nil
}

// zerostate is what the network began with; nil when this process does not know it.
func (s *Service) zerostate() *chain.Zerostate {
	if s.node == nil {
		return nil
	}
	id := s.Zerostate()
	return &chain.Zerostate{RootHash: id.RootHash, FileHash: id.FileHash}
}

// stateRoot is the hash of the masterchain's state after a block; nil without a node.
func (s *Service) stateRoot(ctx context.Context, master *chain.Block) (*chain.Hash, error) {
	if s.node == nil {
		return nil, nil
	}
	root, err := s.StateRoot(ctx, master.BlockIDExt)
	return &root, err
}
