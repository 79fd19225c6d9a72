package resolvers

import (
	"context"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// needNode returns the error of requests that need a node, when there is none.
func (s *Service) needNode() error {
	if s.node == nil {
		return chain.Unavailablef(nil, "this service has no connection to the network, which this request needs")
	}
	return nil
}

// BlockSignatures are the validators' signatures under a masterchain block.
func (s *Service) BlockSignatures(ctx context.Context, seqno uint32) (*chain.BlockSignatures, error) {
	if err := s.needNode(); err != nil {
		return nil, err
	}
	return s.node.BlockSignatures(ctx, seqno)
}

// ShardBlockProof proves a block from a masterchain block; nil: the newest of the network. Invalid when that one is
// older than the block.
func (s *Service) ShardBlockProof(ctx context.Context, q chain.BlockSearch, from *uint32) (*chain.ShardBlockProof, error) {
	if err := s.needNode(); err != nil {
		return nil, err
	}
	b, err := s.FindBlock(ctx, q)
	if err != nil {
		return nil, err
	}
	var trusted chain.BlockIDExt
	if from == nil {
		trusted, err = s.node.Head(ctx)
	} else {
		trusted, err = s.node.MasterBlockID(ctx, *from)
	}
	if err != nil {
		return nil, err
	}
	return s.node.ShardBlockProof(ctx, b.BlockIDExt, trusted)
}

// BlockData reads a block in bytes, whose SHA-256 is its file hash, from the node.
func (s *Service) BlockData(ctx context.Context, id chain.BlockIDExt) (chain.BOC, error) {
	if err := s.needNode(); err != nil {
		return nil, err
	}
	return s.emulator.BlockData(ctx, id)
}

// QueueSizes are the out-queues after the newest masterchain block of the network.
func (s *Service) QueueSizes(ctx context.Context) (*chain.QueueSizes, error) {
	if err := s.needNode(); err != nil {
		return nil, err
	}
	return s.node.QueueSizes(ctx)
}

// StateRoot is the root hash of the state after a masterchain block; the zero hash without a node.
func (s *Service) StateRoot(ctx context.Context, id chain.BlockIDExt) (chain.Hash, error) {
	return s.emulator.StateRoot(ctx, id)
}

// ShardAccount is the cell ShardAccount: the account with the transaction that made it. One that does not exist is an
// empty account with zeros.
func (s *Service) ShardAccount(ctx context.Context, a chain.Address, seqno *uint32) (*cell.Cell, error) {
	v, err := s.emulator.At(ctx, seqno)
	if err != nil {
		return nil, err
	}
	acc, err := s.emulator.Account(ctx, v, a)
	if err != nil {
		return nil, err
	}
	root, err := s.emulator.AccountCell(ctx, v, acc)
	if err != nil {
		return nil, err
	}
	last := lastOf(&acc.State)
	return tlb.ToCell(&tlb.ShardAccount{Account: root, LastTransHash: last.Hash[:], LastTransLT: last.LT})
}
