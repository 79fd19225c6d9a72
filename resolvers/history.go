package resolvers

import (
	"context"
	"slices"

	"tonql/indexer/decode"
	"tonql/internal/chain"
)

// HistoryRequest is a request for an account's transactions, newest first.
type HistoryRequest struct {
	Account chain.Address
	From    *chain.TransactionRef // begin with this one; nil: with the newest
	ToLT    uint64                // leave out this LT and what is older
	Limit   int
	Indexed bool // leave out what the index lacks
}

// NoTransactionError says that LT and hash name no transaction of the account, in the words of a liteserver. It is
// wrapped in a [chain.Error] of kind NotFound.
type NoTransactionError struct{}

// Error returns the text of a liteserver.
func (NoTransactionError) Error() string {
	return "cannot locate transaction in block with specified logical time"
}

func noTransaction() error {
	return &chain.Error{Kind: chain.NotFound, Message: NoTransactionError{}.Error(), Err: NoTransactionError{}}
}

// History lists an account's transactions from the index, and older ones from the node. The list ends with the account's
// first transaction, or where no server has older ones.
func (s *Service) History(ctx context.Context, q HistoryRequest) ([]RawTransaction, error) {
	rows, next, err := s.indexedHistory(ctx, q)
	if err != nil {
		return nil, err
	}
	q.Limit -= len(rows)
	if q.Limit <= 0 || next.LT <= q.ToLT || s.node == nil || q.Indexed && len(rows) > 0 {
		return rows, nil
	}
	older, err := s.olderHistory(ctx, q, next)
	if chain.KindOf(err) == chain.NotFound && err != nil {
		if len(rows) == 0 && q.From != nil {
			return nil, noTransaction()
		}
		return rows, nil
	}
	return append(rows, older...), err
}

// indexedHistory reads indexed transactions up to the first gap, and returns the reference to the next older one; LT 0 when
// there is none.
func (s *Service) indexedHistory(ctx context.Context, q HistoryRequest) (_ []RawTransaction, next chain.TransactionRef, err error) {
	f := chain.TransactionFilter{Accounts: []chain.Address{q.Account}}
	if q.From != nil {
		first, err := s.index.TransactionsByKey(ctx, []chain.TransactionKey{{Account: q.Account, LT: q.From.LT}})
		if err != nil {
			return nil, next, err
		}
		if len(first) == 0 && s.node != nil && !q.Indexed {
			return nil, *q.From, nil
		}
		if len(first) == 0 || first[0].Hash != q.From.Hash {
			return nil, next, noTransaction()
		}
		f.EndLT = &q.From.LT
	}
	if q.ToLT > 0 {
		f.StartLT = new(q.ToLT + 1)
	}
	txs, err := s.Transactions(ctx, f, chain.Page{Limit: q.Limit, Sort: chain.Descending})
	if err != nil {
		return nil, next, err
	}
	if next, err = s.lastInGap(ctx, q, txs); err != nil || next.LT != 0 {
		return nil, next, err
	}
	if len(txs) == 0 {
		next, err = s.lastOutsideIndex(ctx, q)
		return nil, next, err
	}
	for i := 1; i < len(txs); i++ {
		if txs[i-1].PrevLT != txs[i].LT {
			txs = txs[:i]
			break
		}
	}
	last := &txs[len(txs)-1]
	rows, err := s.WithCells(ctx, txs)
	return rows, chain.TransactionRef{LT: last.PrevLT, Hash: last.PrevHash}, err
}

// lastInGap returns the account's newest transaction if newest are the newest indexed ones, and a gap of the index has a later one; LT 0
// otherwise.
func (s *Service) lastInGap(ctx context.Context, q HistoryRequest, newest []chain.Transaction) (none chain.TransactionRef, err error) {
	if q.From != nil {
		return none, nil
	}
	v, err := s.emulator.At(ctx, nil)
	if err != nil || v.Since == 0 || len(newest) > 0 && newest[0].McSeqno >= v.Since {
		return none, err
	}
	acc, err := s.emulator.Account(ctx, v, q.Account)
	if err != nil || len(newest) > 0 && acc.State.LT <= newest[0].LT {
		return none, err
	}
	return chain.TransactionRef{LT: acc.State.LT, Hash: acc.State.TxHash}, nil
}

// lastOutsideIndex returns the newest transaction of an account without indexed transactions.
func (s *Service) lastOutsideIndex(ctx context.Context, q HistoryRequest) (none chain.TransactionRef, err error) {
	head, err := s.MasterchainInfo(ctx)
	if err != nil || q.From != nil || s.node == nil || q.Indexed || head.First.Seqno <= 1 {
		return none, err
	}
	v, err := s.emulator.At(ctx, nil)
	if err != nil {
		return none, err
	}
	acc, err := s.emulator.Account(ctx, v, q.Account)
	if err != nil {
		return none, err
	}
	return chain.TransactionRef{LT: acc.State.LT, Hash: acc.State.TxHash}, nil
}

// olderHistory reads transactions from the node.
func (s *Service) olderHistory(ctx context.Context, q HistoryRequest, from chain.TransactionRef) ([]RawTransaction, error) {
	raws, err := s.node.History(ctx, q.Account, from, q.Limit)
	if err != nil {
		return nil, err
	}
	var rows []RawTransaction
	for _, raw := range raws {
		one, err := decode.Transaction(raw.Root, q.Account.Workchain)
		if err != nil {
			return nil, err
		}
		one.Block = raw.Block.BlockID
		rows = append(rows, RawTransaction{FullTransaction: one.FullTransaction, BOC: one.BOC})
	}
	if i := slices.IndexFunc(rows, func(t RawTransaction) bool { return t.LT <= q.ToLT }); i >= 0 {
		rows = rows[:i]
	}
	return rows, nil
}
