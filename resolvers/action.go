package resolvers

import (
	"context"
	"slices"

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
	var actions []chain.Action
	if chooseTypes(&f) {
		actions, err = s.index.Actions(ctx, f, p)
	}
	if err == nil {
		err = s.ofBlock(ctx, f.McSeqno)
	}
	return listed(ctx, s, actions, err, f.EndLT, f.EndUtime)
}

// commonTypes are the types of which the actions of a network mainly are.
var commonTypes = []string{"call_contract", "jetton_transfer", "ton_transfer"}

// chooseTypes replaces excluded types by those that are left, where an index serves these: a list without the common types would otherwise be searched
// for among all actions. It reports whether any type is left.
func chooseTypes(f *chain.ActionFilter) bool {
	if len(f.ExcludeTypes) == 0 {
		return true
	}
	wanted := f.Types
	if len(wanted) == 0 {
		wanted = f.Supported
	}
	left := slices.DeleteFunc(slices.Clone(wanted), func(t string) bool { return slices.Contains(f.ExcludeTypes, t) })
	common := func(t string) bool { return slices.Contains(commonTypes, t) }
	if len(f.Types) > 0 || f.Account != nil || !slices.ContainsFunc(left, common) {
		f.Types, f.ExcludeTypes = left, nil
	}
	return len(left) > 0
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
