package resolvers

import (
	"context"
	"strconv"
	"strings"

	"tonql/internal/chain"
)

const (
	maxHits        = 10
	longestSearch  = 200 // bytes
	shortestSearch = 2   // letters of a name
)

// zones are the DNS zones that a person may leave out.
var zones = []string{"", ".ton", ".t.me"}

// Search returns up to ten objects that a text typed by a person may name, the likeliest first. The list may be empty.
func (s *Service) Search(ctx context.Context, text string) ([]chain.SearchHit, error) {
	text = strings.TrimSpace(text)
	if len(text) > longestSearch {
		return nil, chain.Invalidf("a search has at most %d characters", longestSearch)
	}
	if text == "" {
		return nil, nil
	}
	if a, err := chain.ParseAddress(text); err == nil {
		return []chain.SearchHit{{Kind: chain.FoundAccount, Title: a.String(), Account: &chain.Account{Address: a}}}, nil
	}
	if h, err := chain.ParseHash(text); err == nil {
		return s.searchHash(ctx, h)
	}
	var hits []chain.SearchHit
	for _, search := range []func(context.Context, string) ([]chain.SearchHit, error){s.searchSeqno, s.searchDomain, s.searchName} {
		found, err := search(ctx, text)
		if err != nil {
			return nil, err
		}
		hits = append(hits, found...)
	}
	return hits[:min(len(hits), maxHits)], nil
}

// searchHash looks for a transaction, a trace by the message that began it, another message, and a block.
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
	return nil, nil
}

// searchSeqno takes a number, which may have separators of thousands, as a masterchain seqno.
func (s *Service) searchSeqno(ctx context.Context, text string) ([]chain.SearchHit, error) {
	n, err := strconv.ParseUint(strings.NewReplacer(",", "", "_", "", " ", "").Replace(strings.TrimPrefix(text, "#")), 10, 32)
	if err != nil {
		return nil, nil //nolint:nilerr // it is no number, then
	}
	blocks, err := s.index.BlocksByID(ctx, []chain.BlockID{chain.MasterBlockID(uint32(n))})
	if err != nil || len(blocks) == 0 {
		return nil, err
	}
	return []chain.SearchHit{{Kind: chain.FoundBlock, Title: "Masterchain block " + strconv.FormatUint(n, 10), Block: &blocks[0]}}, nil
}

func (s *Service) searchDomain(ctx context.Context, text string) ([]chain.SearchHit, error) {
	if strings.ContainsAny(text, " \t") {
		return nil, nil
	}
	var hits []chain.SearchHit
	for _, zone := range zones {
		domain := strings.ToLower(strings.TrimSuffix(text, ".")) + zone
		found, err := s.index.DNSRecords(ctx, chain.DNSFilter{Domain: domain}, chain.Page{Limit: 1})
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			account := d.Item
			if d.Wallet != nil {
				account = *d.Wallet
			}
			hits = append(hits, chain.SearchHit{Kind: chain.FoundDomain, Title: d.Domain, Account: &chain.Account{Address: account}})
		}
	}
	return hits, nil
}

func (s *Service) searchName(ctx context.Context, text string) ([]chain.SearchHit, error) {
	if len([]rune(text)) < shortestSearch {
		return nil, nil
	}
	tokens, err := s.index.TokensNamed(ctx, text, maxHits)
	if err != nil || len(tokens) == 0 {
		return nil, err
	}
	addresses := make([]chain.Address, len(tokens))
	for i, t := range tokens {
		addresses[i] = t.Address
	}
	rows, err := s.Metadata(ctx, addresses)
	if err != nil {
		return nil, err
	}
	hits := make([]chain.SearchHit, 0, len(tokens))
	for _, t := range tokens {
		for i := range rows {
			m := &rows[i]
			if m.Address != t.Address || m.Kind != t.Kind {
				continue
			}
			title := m.Name
			if m.Symbol != "" {
				title += " (" + m.Symbol + ")"
			}
			hits = append(hits, chain.SearchHit{Kind: tokenKinds[m.Kind], Title: title, Account: &chain.Account{Address: m.Address}, Token: m})
		}
	}
	return hits, nil
}

var tokenKinds = map[chain.TokenKind]chain.SearchKind{
	chain.TokenJettonMaster: chain.FoundJetton, chain.TokenNFTCollection: chain.FoundCollection, chain.TokenNFTItem: chain.FoundItem,
}

// shownMetadata is what an account says of itself as a token, nil when it is none.
func shownMetadata(rows []chain.Metadata) *chain.Metadata {
	for i := range rows {
		if rows[i].Kind != chain.TokenJettonWallet {
			return &rows[i]
		}
	}
	return nil
}
