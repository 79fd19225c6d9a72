package emulate

import (
	"context"
	"maps"
	"math/big"
	"slices"
	"strings"

	"tonql/internal/chain"
)

// createdTokens returns what the Jetton masters, NFT collections and items that this Emulation deployed say of themselves, by address. The index
// has nothing of them yet. Of a token with a document elsewhere it is the address of the document.
func (e *Emulation) createdTokens(ctx context.Context) ([]chain.Metadata, error) {
	var tokens []chain.Metadata
	for _, a := range slices.SortedFunc(maps.Keys(e.accounts), chain.Address.Compare) {
		if !e.accounts[a].created {
			continue
		}
		facts, err := e.facts(ctx, a)
		if err != nil {
			return nil, err
		}
		if facts == nil {
			continue
		}
		if m := facts.JettonMaster; m != nil {
			tokens = append(tokens, described(a, chain.TokenJettonMaster, m.Content, nil))
		}
		if c := facts.NFTCollection; c != nil {
			tokens = append(tokens, described(a, chain.TokenNFTCollection, c.Content, nil))
		}
		if i := facts.NFTItem; i != nil {
			tokens = append(tokens, described(a, chain.TokenNFTItem, i.Content, i.Index))
		}
	}
	return tokens, nil
}

// described returns content as metadata that was not indexed.
func described(a chain.Address, kind chain.TokenKind, said chain.Content, index *big.Int) chain.Metadata {
	m := chain.Metadata{
		Address: a, Kind: kind, Name: said["name"], Symbol: said["symbol"], Description: said["description"], Image: imageAddress(said["image"]), NFTIndex: index,
		Extra: map[string]any{},
	}
	for name, text := range said {
		switch name {
		case "name", "symbol", "description", "image":
		default:
			m.Extra[name] = text
		}
	}
	return m
}

// imageAddress returns an address of an image that leads to a document on the web, and "" for any other.
func imageAddress(text string) string {
	scheme, _, _ := strings.Cut(text, ":")
	switch strings.ToLower(scheme) {
	case "http", "https", "ipfs":
		return text
	default:
		return ""
	}
}
