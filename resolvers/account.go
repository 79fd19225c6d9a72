package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// AccountStates lists the latest states of accounts, by address; unknown accounts are left out. Addresses or code
// hashes must be given.
func (s *Service) AccountStates(ctx context.Context, f chain.AccountFilter, p chain.Page) ([]chain.AccountState, error) {
	if len(f.Addresses) == 0 && len(f.CodeHashes) == 0 {
		return nil, chain.Invalidf("address of account is required")
	}
	if err := s.several("address", len(f.Addresses)); err != nil {
		return nil, err
	}
	if err := s.several("code_hash", len(f.CodeHashes)); err != nil {
		return nil, err
	}
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	if n := len(f.Addresses); n > 0 {
		p.Limit = min(p.Limit, n) // the reader allocates rows for a full page
	}
	return s.index.AccountStates(ctx, f, p)
}

// TopAccounts lists accounts by balance, the richest first; equal balances by address.
func (s *Service) TopAccounts(ctx context.Context, p chain.Page) ([]chain.AccountBalance, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	return s.index.TopAccounts(ctx, p)
}

// richest lists accounts as [Service.TopAccounts] does, with their balances as cursors.
func (s *Service) richest(ctx context.Context, p chain.Page) ([]chain.Account, error) {
	rows, err := s.index.TopAccounts(ctx, p)
	accounts := make([]chain.Account, len(rows))
	for i, r := range rows {
		accounts[i] = chain.Account{Address: r.Account, Ranked: r.Balance}
	}
	return accounts, err
}

// AddressBook returns one row per address, in the order of addresses; an address that is not indexed has a row, too.
func (s *Service) AddressBook(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, error) {
	if len(addresses) == 0 {
		return nil, nil
	}
	rows, err := s.index.AddressBook(ctx, addresses)
	return markWallets(rows), err
}

func markWallets(rows []chain.AddressBookRow) []chain.AddressBookRow {
	for i := range rows {
		rows[i].Wallet = isWallet(rows[i].CodeHash)
	}
	return rows
}

// Named returns [Service.AddressBook] and [Service.Metadata] of the same addresses in one query.
func (s *Service) Named(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, []chain.Metadata, error) {
	if len(addresses) == 0 {
		return nil, nil, nil
	}
	addressBook, tokens, err := s.index.Named(ctx, addresses)
	return markWallets(addressBook), s.present(tokens), err
}
