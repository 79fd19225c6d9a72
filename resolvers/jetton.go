package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// JettonMasters lists genuine Jetton masters by address, ascending unless p says otherwise.
func (s *Service) JettonMasters(ctx context.Context, f chain.JettonMasterFilter, p chain.Page) ([]chain.JettonMaster, error) {
	p, err := s.lists(p, list{"address", len(f.Addresses)}, list{"admin_address", len(f.Admins)})
	if err != nil {
		return nil, err
	}
	return s.index.JettonMasters(ctx, f, p)
}

// JettonWallets lists the wallets that their masters own up to: by owner, Jetton and address as far as f names them, or
// by balance when f says so.
func (s *Service) JettonWallets(ctx context.Context, f chain.JettonWalletFilter, p chain.Page) ([]chain.JettonWallet, error) {
	p, err := s.lists(p, list{"address", len(f.Addresses)}, list{"owner_address", len(f.Owners)}, list{"jetton_address", len(f.Jettons)})
	if err != nil {
		return nil, err
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	return s.index.JettonWallets(ctx, f, p)
}

// JettonTransfers lists transfers that were carried out, newest first unless p says otherwise.
func (s *Service) JettonTransfers(ctx context.Context, f chain.JettonTransferFilter, p chain.Page) ([]chain.JettonTransfer, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	return s.jettonTransfers(ctx, f, p)
}

func (s *Service) jettonTransfers(ctx context.Context, f chain.JettonTransferFilter, p chain.Page) ([]chain.JettonTransfer, error) {
	err := s.checkLists([]list{{"owner_address", len(f.Owners)}, {"jetton_wallet", len(f.JettonWallets)}})
	if err != nil || emptyRange(&f.TransferRange) {
		return nil, err
	}
	rows, err := s.index.JettonTransfers(ctx, f, p)
	return listed(ctx, s, rows, err, f.EndLT, f.EndUtime)
}

// JettonBurns lists burns as [Service.JettonTransfers] lists transfers, aborted ones included.
func (s *Service) JettonBurns(ctx context.Context, f chain.JettonBurnFilter, p chain.Page) ([]chain.JettonBurn, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	return s.jettonBurns(ctx, f, p)
}

func (s *Service) jettonBurns(ctx context.Context, f chain.JettonBurnFilter, p chain.Page) ([]chain.JettonBurn, error) {
	err := s.checkLists([]list{{"owner_address", len(f.Owners)}, {"jetton_wallet", len(f.JettonWallets)}})
	if err != nil || emptyRange(&f.TransferRange) {
		return nil, err
	}
	rows, err := s.index.JettonBurns(ctx, f, p)
	return listed(ctx, s, rows, err, f.EndLT, f.EndUtime)
}

// emptyRange brings a range into what the chain can hold and says whether nothing is left of it.
func emptyRange(r *chain.TransferRange) bool {
	return boundLT(&r.StartLT, &r.EndLT) || emptyUtime(r.StartUtime, r.EndUtime)
}
