package resolvers

import (
	"context"
	"math"

	"tonql/internal/chain"
)

// Transactions lists the transactions that match f, newest first unless p says otherwise. A masterchain seqno that is
// not indexed is NotFound, any other filter that matches nothing an empty list.
func (s *Service) Transactions(ctx context.Context, f chain.TransactionFilter, p chain.Page) ([]chain.Transaction, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	return s.transactions(ctx, f, p)
}

func (s *Service) transactions(ctx context.Context, f chain.TransactionFilter, p chain.Page) (txs []chain.Transaction, err error) {
	none, err := s.checkTransactions(&f)
	if err != nil {
		return nil, err
	}
	if !none {
		if txs, err = s.index.Transactions(ctx, f, p); err != nil {
			return nil, err
		}
	}
	if len(txs) == 0 && f.McSeqno != nil {
		return nil, s.indexed(ctx, *f.McSeqno)
	}
	return txs, nil
}

// checkTransactions bounds f; none says that nothing can match.
func (s *Service) checkTransactions(f *chain.TransactionFilter) (none bool, err error) {
	for _, list := range []struct {
		name string
		n    int
	}{{"account", len(f.Accounts)}, {"exclude_account", len(f.ExcludeAccounts)}, {"hash", len(f.Hashes)}} {
		if err := s.several(list.name, list.n); err != nil {
			return false, err
		}
	}
	if f.LT != nil && *f.LT > math.MaxInt64 {
		return true, nil
	}
	return boundLT(&f.StartLT, &f.EndLT) || emptyUtime(f.StartUtime, f.EndUtime), nil
}

// TransactionConnection is a page of [Service.Transactions] by cursor.
func (s *Service) TransactionConnection(ctx context.Context, f chain.TransactionFilter, p chain.Page) (*chain.TransactionConnection, error) {
	mcSeqno, err := s.pin(ctx, &p)
	if err != nil {
		return nil, err
	}
	return connect(p, mcSeqno, func(p chain.Page) ([]chain.Transaction, error) { return s.transactions(ctx, f, p) })
}

// FullTransactions is [Service.Transactions] with messages and account states.
func (s *Service) FullTransactions(ctx context.Context, f chain.TransactionFilter, p chain.Page) ([]chain.FullTransaction, error) {
	txs, err := s.Transactions(ctx, f, p)
	return s.full(ctx, txs, err)
}

// TransactionsByMasterchainBlock lists the transactions of all blocks masterchain block mcSeqno committed. NotFound
// when the index does not hold it.
func (s *Service) TransactionsByMasterchainBlock(ctx context.Context, mcSeqno uint32, p chain.Page) ([]chain.FullTransaction, error) {
	return s.FullTransactions(ctx, chain.TransactionFilter{McSeqno: &mcSeqno}, p)
}

// TransactionsByMessage lists the transactions that received or sent a message that matches f; at least one of hashes,
// body hash and opcode must be given. An opcode alone looks at receivers only.
func (s *Service) TransactionsByMessage(ctx context.Context, f chain.MessageFilter, p chain.Page) ([]chain.FullTransaction, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	if len(f.Hashes) == 0 && f.BodyHash == nil && f.Opcode == nil {
		return nil, chain.Invalidf("at least one of msg_hash, body_hash, opcode should be specified")
	}
	if err := s.several("msg_hash", len(f.Hashes)); err != nil {
		return nil, err
	}
	if f.Opcode != nil {
		f.Direction = chain.In
	}
	txs, err := s.index.TransactionsByMessage(ctx, f, p)
	return s.full(ctx, txs, err)
}

// AdjacentTransactions lists the transactions one message away from the transaction with this hash, by LT: In its
// parent, Out its children. NotFound when there are none or the hash is unknown.
func (s *Service) AdjacentTransactions(ctx context.Context, hash chain.Hash, d chain.Direction) ([]chain.FullTransaction, error) {
	txs, err := s.index.AdjacentTransactions(ctx, hash, d)
	if err == nil && len(txs) == 0 {
		err = chain.NotFoundf("adjacent transactions not found")
	}
	return s.full(ctx, txs, err)
}

func (s *Service) full(ctx context.Context, txs []chain.Transaction, err error) ([]chain.FullTransaction, error) {
	if err != nil || len(txs) == 0 {
		return nil, err
	}
	return s.index.Full(ctx, txs)
}
