// Package nft recognizes transfers, sales and auctions of NFT items, and the changes and sales of domains, which are NFT items
// with records. Importing it registers its kinds with package action.
package nft
