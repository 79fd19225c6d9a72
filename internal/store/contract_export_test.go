package store

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// What the lists of contracts send, for tests that look at texts and plans.

func text[F any](build func(*F, chain.Page) (*sqlbuild.Statement, sqlbuild.List)) func(F, chain.Page) Statement {
	return func(f F, p chain.Page) Statement {
		s, _ := build(&f, p)
		return exported(s)
	}
}

var (
	JettonMastersStatement   = text(jettonMastersStatement)
	JettonWalletsStatement   = text(jettonWalletsStatement)
	JettonTransfersStatement = text(jettonTransfersStatement)
	JettonBurnsStatement     = text(jettonBurnsStatement)
	NFTCollectionsStatement  = text(nftCollectionsStatement)
	NFTItemsStatement        = text(nftItemsStatement)
	NFTTransfersStatement    = text(nftTransfersStatement)
	DNSStatement             = text(dnsStatement)
	MultisigsStatement       = text(multisigsStatement)
	MultisigOrdersStatement  = text(multisigOrdersStatement)
	VestingsStatement        = text(vestingsStatement)

	SelectSalesOf       = selectSalesOf
	SelectCollectionsOf = selectCollectionsOf
	SelectBalanceAt     = selectBalanceAt
	SelectOwnerAt       = selectOwnerAt
	SelectOpenClaims    = selectOpenClaims
	SelectMetadata      = selectMetadata
)
