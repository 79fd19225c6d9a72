package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// searchHash looks for a transaction, a trace by the message that began it, another message, a block, and accounts whose id it is.
func (s *Service) searchHash(ctx context.Context, h chain.Hash) ([]chain.SearchHit, error) {
	one := chain.Page{Limit: 1}
	title := h.Hex()
	txs, err := s.index.Transactions(ctx, chain.TransactionFilter{Hashes: []chain.Hash{h}}, one)
	if err != nil {
		return nil, err
	}
	if len(txs) > 0 {
		return []chain.SearchHit{{Kind: chain.FoundTransaction, Title: title, Transaction: &txs[0]}}, nil
	}
	traces, err := s.index.Traces(ctx, chain.TraceFilter{MsgHashes: []chain.Hash{h}}, one)
	if err != nil {
		return nil, err
	}
	if len(traces) > 0 {
		return []chain.SearchHit{{Kind: chain.FoundTrace, Title: title, Trace: &traces[0]}}, nil
	}
	messages, err := s.index.Messages(ctx, chain.MessageFilter{Hashes: []chain.Hash{h}}, one)
	if err != nil {
		return nil, err
	}
	if len(messages) > 0 {
		return []chain.SearchHit{{Kind: chain.FoundMessage, Title: title, Message: &messages[0]}}, nil
	}
	for _, f := range []chain.BlockFilter{{RootHash: &h}, {FileHash: &h}} {
		blocks, err := s.index.Blocks(ctx, f, one)
		if err != nil {
			return nil, err
		}
		if len(blocks) > 0 {
			return []chain.SearchHit{{Kind: chain.FoundBlock, Title: title, Block: &blocks[0]}}, nil
		}
	}
	return s.searchAccountID(ctx, h)
}

// searchAccountID finds the indexed accounts with an id, in any of the two workchains.
func (s *Service) searchAccountID(ctx context.Context, id chain.Hash) (hits []chain.SearchHit, err error) {
	accounts := []chain.Address{{Workchain: chain.BasechainID, ID: id}, {Workchain: chain.MasterchainID, ID: id}}
	indexed, err := s.withState(ctx, accounts)
	for _, a := range accounts {
		if indexed[a] {
			hits = append(hits, accountHit(a))
		}
	}
	return hits, err
}

// searchPrefix finds transactions, messages, traces and blocks by the first digits of their hashes.
func (s *Service) searchPrefix(ctx context.Context, text string) ([]chain.SearchHit, error) {
	prefix, ok := chain.ParseHashPrefix(text)
	if !ok {
		return nil, nil
	}
	found, err := s.index.HashesByPrefix(ctx, prefix, maxHitsOfKind)
	if err != nil {
		return nil, err
	}
	var hits []chain.SearchHit
	page := chain.Page{Limit: maxHitsOfKind}
	if hashes := found[chain.FoundTransaction]; len(hashes) > 0 {
		rows, err := s.index.Transactions(ctx, chain.TransactionFilter{Hashes: hashes}, page)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			hits = append(hits, chain.SearchHit{Kind: chain.FoundTransaction, Title: rows[i].Hash.Hex(), Transaction: &rows[i]})
		}
	}
	if hashes := found[chain.FoundTrace]; len(hashes) > 0 {
		rows, err := s.index.Traces(ctx, chain.TraceFilter{IDs: hashes}, page)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			hits = append(hits, chain.SearchHit{Kind: chain.FoundTrace, Title: rows[i].ID.Hex(), Trace: &rows[i]})
		}
	}
	if hashes := found[chain.FoundMessage]; len(hashes) > 0 {
		rows, err := s.index.Messages(ctx, chain.MessageFilter{Hashes: hashes}, page)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			hits = append(hits, chain.SearchHit{Kind: chain.FoundMessage, Title: rows[i].Hash.Hex(), Message: &rows[i]})
		}
	}
	for _, h := range found[chain.FoundBlock] {
		rows, err := s.index.Blocks(ctx, chain.BlockFilter{RootHash: &h}, chain.Page{Limit: 1})
		if err != nil {
			return nil, err
		}
		for i := range rows {
			hits = append(hits, blockHit(&rows[i]))
		}
	}
	return hits, nil
}
