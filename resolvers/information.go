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
	Node    bool    // query the node for an account that is not indexed
}

// AccountInformation is the state of one account with code and data. An account that the index does not know is
// Nonexist with zeros.
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
	if row == nil {
		if s.node == nil || !q.Node && !lost {
			return &chain.AccountState{Account: q.Account, Status: chain.Nonexist}, nil
		}
		acc, err := s.emulator.AccountOutsideIndex(ctx, v, q.Account)
		if err != nil {
			return nil, err
		}
		return new(acc.State), nil
	}
	return row, s.emulator.FillCells(ctx, v, row)
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
