package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// Actions lists the actions that match f by the end of their trace, newest first unless p says otherwise: by the trace's
// end LT and id, then by the action's end LT and id; with a time range by times instead of LTs. A masterchain seqno that
// is not indexed is NotFound.
func (s *Service) Actions(ctx context.Context, f chain.ActionFilter, p chain.Page) ([]chain.Action, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	return s.actions(ctx, f, p)
}

func (s *Service) actions(ctx context.Context, f chain.ActionFilter, p chain.Page) ([]chain.Action, error) {
	err := s.checkLists([]list{
		{"tx_hash", len(f.TxHashes)},
		{"msg_hash", len(f.MsgHashes)},
		{"action_id", len(f.IDs)},
		{"trace_id", len(f.TraceIDs)},
		{"action_type", len(f.Types)},
		{"exclude_action_type", len(f.ExcludeTypes)},
		{"supported_action_types", len(f.Supported)},
	})
	if err != nil {
		return nil, err
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if boundLT(&f.StartLT, &f.EndLT) || emptyUtime(f.StartUtime, f.EndUtime) {
		return nil, nil
	}
	if f.Supported == nil {
		f.Supported = chain.ExpandActionTypes(nil)
	}
	actions, err := s.index.Actions(ctx, f, p)
	if err == nil {
		err = s.ofBlock(ctx, f.McSeqno)
	}
	return listed(ctx, s, actions, err, f.EndLT, f.EndUtime)
}

// ActionTransactions gives the transactions that actions cover, by hash, each once.
func (s *Service) ActionTransactions(ctx context.Context, actions []chain.Action) (map[chain.Hash]*chain.FullTransaction, error) {
	var hashes []chain.Hash
	for i := range actions {
		hashes = append(hashes, actions[i].TxHashes...)
	}
	if len(hashes) == 0 {
		return nil, nil
	}
	txs, err := s.index.TransactionsByHash(ctx, hashes)
	if err != nil {
		return nil, err
	}
	full, err := s.full(ctx, txs, nil)
	if err != nil {
		return nil, err
	}
	byHash := make(map[chain.Hash]*chain.FullTransaction, len(full))
	for i := range full {
		byHash[full[i].Hash] = &full[i]
	}
	return byHash, nil
}
