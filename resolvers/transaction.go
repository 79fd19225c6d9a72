package resolvers

import (
	"context"
	"math"
	"slices"

	"tonql/internal/chain"
)

// Transactions lists the transactions that match f, newest first unless p sets the order. It is NotFound when the masterchain
// seqno of f is not indexed.
func (s *Service) Transactions(ctx context.Context, f chain.TransactionFilter, p chain.Page) ([]chain.Transaction, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	return s.transactions(ctx, f, p)
}

// transactions is [Service.Transactions] without the limits of a page.
func (s *Service) transactions(ctx context.Context, f chain.TransactionFilter, p chain.Page) (txs []chain.Transaction, err error) {
	lists := []list{{"account", len(f.Accounts)}, {"exclude_account", len(f.ExcludeAccounts)}, {"hash", len(f.Hashes)}}
	if f.Message != nil {
		lists = append(lists, list{"msg_hash", len(f.Message.Hashes)})
	}
	err = s.checkLists(lists)
	if err != nil {
		return nil, err
	}
	impossible := !chooseAccounts(&f) || f.LT != nil && *f.LT > math.MaxInt64 || boundLT(&f.StartLT, &f.EndLT) || emptyUtime(f.StartUtime, f.EndUtime)
	if !impossible {
		if txs, err = s.index.Transactions(ctx, f, p); err != nil {
			return nil, err
		}
	}
	if err := s.ofBlock(ctx, f.McSeqno); err != nil {
		return nil, err
	}
	return listed(ctx, s, txs, nil, f.EndLT, f.EndUtime)
}

// chooseAccounts leaves excluded accounts out of those that the filter names: all transactions of an account would otherwise be searched for others. It
// reports whether any account is left.
func chooseAccounts(f *chain.TransactionFilter) bool {
	if len(f.Accounts) == 0 || len(f.ExcludeAccounts) == 0 {
		return true
	}
	f.Accounts = slices.DeleteFunc(slices.Clone(f.Accounts), func(a chain.Address) bool { return slices.Contains(f.ExcludeAccounts, a) })
	f.ExcludeAccounts = nil
	return len(f.Accounts) > 0
}

// FullTransactions are transactions with messages and account states.
type FullTransactions struct {
	Rows []chain.FullTransaction
	// Long completes the rows of a long page in parts; such a page has no Rows and no AddressBook. It is nil for a short page.
	Long *Parts[chain.FullTransaction]
	// AddressBook has a row for every address that the transactions name, each once, in order of appearance; nil unless it
	// was requested.
	AddressBook []chain.AddressBookRow
}

// FullTransactions is [Service.Transactions] with messages and account states, and with the address book if addressBook is
// set. The address book is the last query of a snapshot, see [Service.Last].
func (s *Service) FullTransactions(ctx context.Context, f chain.TransactionFilter, p chain.Page, addressBook bool) (FullTransactions, error) {
	txs, err := s.Transactions(ctx, f, p)
	return s.complete(ctx, txs, addressBook, err)
}

// TransactionsByMessage lists the transactions that received or sent a message that matches f, like
// [Service.FullTransactions]. At least one of hashes, body hash and opcode must be set. An opcode alone matches receivers
// only.
func (s *Service) TransactionsByMessage(ctx context.Context, f chain.MessageFilter, p chain.Page, addressBook bool) (FullTransactions, error) {
	p, err := s.page(p)
	if err != nil {
		return FullTransactions{}, err
	}
	if len(f.Hashes) == 0 && f.BodyHash == nil && f.Opcode == nil {
		return FullTransactions{}, chain.Invalidf("at least one of msg_hash, body_hash, opcode should be specified")
	}
	if err := s.several("msg_hash", len(f.Hashes)); err != nil {
		return FullTransactions{}, err
	}
	if f.Opcode != nil {
		f.Direction = chain.In
	}
	txs, err := s.index.TransactionsByMessage(ctx, f, p)
	return s.complete(ctx, txs, addressBook, err)
}

// AdjacentTransactions lists the transactions one message away from the transaction with this hash, by LT: In its parent,
// Out its children. NotFound when there are none or the hash is not indexed. See [Service.FullTransactions].
func (s *Service) AdjacentTransactions(ctx context.Context, hash chain.Hash, d chain.Direction, addressBook bool) (FullTransactions, error) {
	txs, err := s.index.AdjacentTransactions(ctx, hash, d)
	if err == nil && len(txs) == 0 {
		err = chain.NotFoundf("adjacent transactions not found")
	}
	return s.complete(ctx, txs, addressBook, err)
}

// complete adds messages, account states and the address book to transactions, and names the trace of each as /api/v3 defines it: one whose first sender is
// not indexed has the id of its first transaction that is. It leaves a long page to its parts.
func (s *Service) complete(ctx context.Context, txs []chain.Transaction, addressBook bool, err error) (page FullTransactions, _ error) {
	if err == nil {
		err = s.index.NameBroken(ctx, txs)
	}
	if err != nil || len(txs) == 0 {
		return page, err
	}
	if len(txs) > partTransactions {
		parts := PartsOf(txs, func(int) int { return 1 }, func(ctx context.Context, first, end int) ([]chain.FullTransaction, error) {
			return s.index.Full(ctx, txs[first:end])
		})
		return FullTransactions{Long: &parts}, nil
	}
	if addressBook {
		page.Rows, page.AddressBook, err = s.index.FullNamed(ctx, txs)
		markWallets(page.AddressBook)
		return page, err
	}
	page.Rows, err = s.index.Full(ctx, txs)
	return page, err
}

func (s *Service) full(ctx context.Context, txs []chain.Transaction, err error) ([]chain.FullTransaction, error) {
	if err != nil || len(txs) == 0 {
		return nil, err
	}
	return s.index.Full(ctx, txs)
}
