package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/loaders"
)

// SeqnoAt returns the masterchain seqno that at names; nil for nil. A time or LT needs the following block in the index, too;
// otherwise the error is of kind Behind.
func (s *Service) SeqnoAt(ctx context.Context, at *chain.AtBlock) (*uint32, error) {
	if at == nil {
		return nil, nil
	}
	if err := at.Validate(); err != nil {
		return nil, err
	}
	if at.Seqno != nil {
		return at.Seqno, nil
	}
	workchain, shard := chain.MasterchainID, chain.FullShard
	f := chain.BlockFilter{Workchain: &workchain, Shard: &shard, EndLT: at.LT, EndUtime: at.Utime}
	blocks, err := s.index.Blocks(ctx, f, chain.Page{Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(blocks) == 0 {
		if err := s.inDropped(ctx, at.LT, at.Utime); err != nil {
			return nil, err
		}
		return nil, chain.NotFoundf("that moment is before the first masterchain block in the index")
	}
	seqno := blocks[0].Seqno
	next, err := s.index.BlocksByID(ctx, []chain.BlockID{chain.MasterBlockID(seqno + 1)})
	if err != nil {
		return nil, err
	}
	if len(next) == 0 {
		return nil, &chain.Error{
			Kind:    chain.Behind,
			Message: "the index does not hold the masterchain block that follows that moment, so the last block before that moment is not known",
		}
	}
	return &seqno, nil
}

// AccountStateAt returns the state of an account at a masterchain block; nil when the account did not exist. Where the index
// lacks it, the node proves it.
func (s *Service) AccountStateAt(ctx context.Context, a chain.Address, mcSeqno uint32) (*chain.AccountState, error) {
	return existing(s.AccountInformation(ctx, AccountRequest{Account: a, Seqno: &mcSeqno, Node: true}))
}

// JettonWalletAt returns a Jetton wallet at a masterchain block; nil when the account was none. It has no code, data or
// unclaimed amount. Where the index lacks it, the contract's get-methods return it.
func (s *Service) JettonWalletAt(ctx context.Context, a chain.Address, mcSeqno uint32) (*chain.JettonWallet, error) {
	if _, err := s.emulator.At(ctx, &mcSeqno); err != nil {
		return nil, err
	}
	w, err := s.index.JettonWalletAt(ctx, a, mcSeqno)
	if err == nil {
		w.McSeqno = &mcSeqno
		return &w, nil
	}
	if chain.KindOf(err) != chain.NotFound {
		return nil, err
	}
	t, err := s.TokenData(ctx, a, &mcSeqno)
	if err != nil || t == nil || t.Kind != JettonWallet {
		return nil, err
	}
	_, last, err := s.LastTransaction(ctx, a, mcSeqno)
	return &chain.JettonWallet{Address: a, Balance: t.Amount, Owner: *t.Owner, Jetton: *t.Parent, LastTxLT: last.LT, McSeqno: &mcSeqno}, err
}

// NFTOwnerAt returns the owner of an item at a masterchain block; nil when the account was no item.
func (s *Service) NFTOwnerAt(ctx context.Context, a chain.Address, mcSeqno uint32) (*chain.NFTOwnership, error) {
	if _, err := s.emulator.At(ctx, &mcSeqno); err != nil {
		return nil, err
	}
	o := &chain.NFTOwnership{Account: account(&a), McSeqno: mcSeqno}
	owner, err := s.index.NFTOwnerAt(ctx, a, mcSeqno)
	if err == nil {
		o.Owner = account(owner)
		return o, nil
	}
	if chain.KindOf(err) != chain.NotFound {
		return nil, err
	}
	t, err := s.TokenData(ctx, a, &mcSeqno)
	if err != nil || t == nil || t.Kind != NFTItem {
		return nil, err
	}
	o.Owner = account(t.Owner)
	return o, nil
}

// stateOf returns the state of an account at its McSeqno, or its latest state; with FromNode that of the node where the index lacks it.
func (r *Resolver) stateOf(ctx context.Context, a *chain.Account) (*chain.AccountState, error) {
	if a.McSeqno != nil {
		return r.Service.AccountStateAt(ctx, a.Address, *a.McSeqno)
	}
	state, err := loaders.From(ctx).AccountState.Load(ctx, a.Address)()
	if err != nil || state != nil || !a.FromNode {
		return state, err
	}
	return existing(r.Service.AccountInformation(ctx, AccountRequest{Account: a.Address}))
}

// existing returns nil for an account that does not exist.
func existing(state *chain.AccountState, err error) (*chain.AccountState, error) {
	if err != nil || state.Status == chain.Nonexist {
		return nil, err
	}
	return state, nil
}
