package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/emulate"
)

// AccountRequest is a request for one account.
type AccountRequest struct {
	Account chain.Address
	Seqno   *uint32 // the masterchain block of the state; nil: the newest indexed one
	Node    bool    // query the node for an account that is not indexed, also when the index holds the chain from its beginning
}

// AccountInformation is the state of one account with code and data. An account that the index lacks is read from the node unless
// the index holds every block: in a block that is not indexed, the account may have got what it has. Without a node it is Nonexist with zeros.
func (s *Service) AccountInformation(ctx context.Context, q AccountRequest) (*chain.AccountState, error) {
	v, err := s.emulator.At(ctx, q.Seqno)
	if err != nil {
		return nil, err
	}
	return s.informationAt(ctx, v, q)
}

func (s *Service) informationAt(ctx context.Context, v *emulate.View, q AccountRequest) (*chain.AccountState, error) {
	row, err := s.emulator.State(ctx, v, q.Account, true)
	lost := chain.KindOf(err) == chain.NotFound && s.node != nil
	if err != nil && !lost {
		return nil, err
	}
	if row != nil {
		return row, s.emulator.FillCells(ctx, v, row)
	}
	outside := q.Node || lost
	if !outside && s.node != nil {
		complete, err := s.holdsEveryBlock(ctx)
		if err != nil {
			return nil, err
		}
		outside = !complete
	}
	if s.node == nil || !outside {
		return &chain.AccountState{Account: q.Account, Status: chain.Nonexist}, nil
	}
	acc, err := s.emulator.AccountOutsideIndex(ctx, v, q.Account)
	if err != nil {
		return nil, err
	}
	state := acc.State
	state.FromNode = true
	return &state, nil
}

// holdsEveryBlock reports whether the index holds all blocks from the first of the chain to its own newest one.
func (s *Service) holdsEveryBlock(ctx context.Context) (bool, error) {
	ranges, err := s.index.Ranges(ctx)
	return len(ranges) == 1 && ranges[0].First <= 1, err
}

// WalletInformation is [Service.AccountInformation] with what the wallet's data says; its Wallet is nil when the account
// is no known wallet.
func (s *Service) WalletInformation(ctx context.Context, q AccountRequest) (*WalletState, error) {
	state, err := s.AccountInformation(ctx, q)
	if err != nil {
		return nil, err
	}
	return &WalletState{AccountState: *state, Wallet: readWallet(state)}, nil
}
