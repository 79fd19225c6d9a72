package resolvers

import (
	"context"
	"slices"
	"strings"

	"tonql/internal/chain"
)

const (
	maxHits        = 30
	maxHitsOfKind  = 10
	longestSearch  = 200 // bytes
	shortestSearch = 2   // letters of a name
)

// zones are the DNS zones that a person may leave out.
var zones = []string{"", ".ton", ".t.me"}

// systemNames are the names of the network's own contracts.
var systemNames = []struct {
	name    string
	address chain.Address
}{
	{"Elector", systemAddress(chain.MasterchainID, 0x33)}, {"Config", systemAddress(chain.MasterchainID, 0x55)},
	{"System", chain.SystemAddress}, {"Nobody", systemAddress(chain.BasechainID, 0)},
}

func systemAddress(workchain int32, digits byte) chain.Address {
	return chain.Address{Workchain: workchain, ID: chain.HashFrom(slices.Repeat([]byte{digits}, len(chain.Hash{})))}
}

// Search returns up to [maxHits] objects that a text typed by a person may name, the likeliest first. The list may be empty.
func (s *Service) Search(ctx context.Context, text string) ([]chain.SearchHit, error) {
	text = strings.TrimSpace(text)
	if len(text) > longestSearch {
		return nil, chain.Invalidf("a search has at most %d characters", longestSearch)
	}
	text = withoutLink(text)
	if text == "" {
		return nil, nil
	}
	if a, err := chain.ParseAddress(text); err == nil {
		return []chain.SearchHit{accountHit(a)}, nil
	}
	if h, err := chain.ParseHash(text); err == nil {
		return s.searchHash(ctx, h)
	}
	if chain.HasWrongChecksum(text) {
		return s.searchCorrection(ctx, text)
	}
	var hits []chain.SearchHit
	for _, search := range []func(context.Context, string) ([]chain.SearchHit, error){
		s.searchBlock, s.searchSystem, s.searchDomain, s.searchPrefix, s.searchName,
	} {
		found, err := search(ctx, text)
		if err != nil {
			return nil, err
		}
		hits = append(hits, found...)
	}
	return hits[:min(len(hits), maxHits)], nil
}

func accountHit(a chain.Address) chain.SearchHit {
	return chain.SearchHit{Kind: chain.FoundAccount, Title: a.String(), Account: &chain.Account{Address: a}}
}

// searchCorrection lists the addresses that a mistyped one may stand for, those of indexed accounts first.
func (s *Service) searchCorrection(ctx context.Context, text string) ([]chain.SearchHit, error) {
	corrections := chain.CorrectAddress(text)
	indexed, err := s.withState(ctx, addressesOf(corrections))
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(corrections, func(a, b chain.AddressCorrection) int { return rank(indexed[a.Address]) - rank(indexed[b.Address]) })
	hits := make([]chain.SearchHit, len(corrections))
	for i := range corrections {
		c := &corrections[i]
		hits[i] = chain.SearchHit{Kind: chain.FoundSimilar, Title: c.Text, Account: &chain.Account{Address: c.Address}, Correction: c}
	}
	return hits, nil
}

func rank(indexed bool) int {
	if indexed {
		return 0
	}
	return 1
}

func addressesOf(corrections []chain.AddressCorrection) []chain.Address {
	list := make([]chain.Address, len(corrections))
	for i, c := range corrections {
		list[i] = c.Address
	}
	return list
}

// withState reports which accounts have a state in the index.
func (s *Service) withState(ctx context.Context, accounts []chain.Address) (map[chain.Address]bool, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	states, err := s.index.AccountStates(ctx, chain.AccountFilter{Addresses: accounts}, chain.Page{Limit: len(accounts)})
	found := make(map[chain.Address]bool, len(states))
	for i := range states {
		found[states[i].Account] = true
	}
	return found, err
}

// searchSystem finds the network's own contracts by the beginning of their names.
func (s *Service) searchSystem(_ context.Context, text string) (hits []chain.SearchHit, err error) {
	if len(text) < shortestSearch {
		return nil, nil
	}
	for _, system := range systemNames {
		if len(text) <= len(system.name) && strings.EqualFold(system.name[:len(text)], text) {
			hit := accountHit(system.address)
			hit.Title = system.name
			hits = append(hits, hit)
		}
	}
	return hits, nil
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
	tokens, err := s.index.TokensNamed(ctx, text, maxHitsOfKind)
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
