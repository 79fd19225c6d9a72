package store

import (
	"tonql/internal/chain"
	"tonql/internal/store/contracts"
	"tonql/internal/store/names"
	"tonql/internal/store/sqlbuild"
)

// Statements of the lists of contracts, for tests of their texts and plans.

func text[F any](build func(*F, chain.Page) (*sqlbuild.Statement, sqlbuild.List)) func(F, chain.Page) Statement {
	return func(f F, p chain.Page) Statement {
		s, _ := build(&f, p)
		return exported(s)
	}
}

var (
	JettonMastersStatement   = text(contracts.JettonMastersStatement)
	JettonWalletsStatement   = text(contracts.JettonWalletsStatement)
	JettonTransfersStatement = text(contracts.JettonTransfersStatement)
	JettonBurnsStatement     = text(contracts.JettonBurnsStatement)
	NFTCollectionsStatement  = text(contracts.NFTCollectionsStatement)
	NFTItemsStatement        = text(contracts.NFTItemsStatement)
	NFTTransfersStatement    = text(contracts.NFTTransfersStatement)
	DNSStatement             = text(contracts.DNSStatement)
	DNSAuctionStatement      = text(contracts.DNSAuctionStatement)
	MultisigsStatement       = text(contracts.MultisigsStatement)
	MultisigOrdersStatement  = text(contracts.MultisigOrdersStatement)
	VestingsStatement        = text(contracts.VestingsStatement)

	SelectPoolsOfValidator = contracts.SelectPoolsOfValidator

	SelectSalesOf       = contracts.SelectSalesOf
	SelectCollectionsOf = contracts.SelectCollectionsOf
	SelectBalanceAt     = contracts.SelectBalanceAt
	SelectOwnerAt       = contracts.SelectOwnerAt
	SelectMetadata      = names.SelectMetadata
	SelectTokenCounts   = contracts.SelectTokenCounts
	SelectTouchedTokens = selectTouchedTokens
)

// NominatorPositionsStatement returns the statement of the positions of a nominator.
func NominatorPositionsStatement(nominator chain.Address, p chain.Page) Statement {
	s, _ := contracts.NominatorPositionsStatement(nominator, p)
	return exported(s)
}

// TraitCountsStatement returns the statement of the traits of a collection.
func TraitCountsStatement(collection chain.Address) Statement {
	text, args := traitCountsStatement(collection)
	return Statement{text, args}
}

// SelectTraitless is the statement of items whose traits are to be read.
const SelectTraitless = selectTraitless

// TokensByStatement returns the statement of a list of tokens by counts.
func TokensByStatement(kind chain.TokenKind, order chain.TokenOrder, p chain.Page) Statement {
	s, _ := contracts.TokensByStatement(kind, order, p)
	return exported(s)
}
