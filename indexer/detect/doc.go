// Package detect finds out what the accounts of a masterchain block are: wallets, Jettons, items, domains, multisigs. It
// runs inside the indexer, between replay and writing, and fills the contracts of the block with what internal/contract
// says of every account the block touched, as of that block.
//
// # What a verdict depends on
//
// A verdict depends on the chain as of the block and on nothing else, so the order of indexing does not show in it. The
// state of the account itself is the one that replay left. States of others (the master of a Jetton wallet, the
// collection of an item) come from the same block where it touched them, else from what an earlier block of the batch
// showed or the network proved, as long as no block since has touched the account. The index is not asked: it may lack
// the blocks between.
//
// A claim that nobody confirms as of the block stays a claim, even when a later block would settle it, and so does one
// about an account that the network no longer holds. [Detector.Review] looks at such accounts again.
//
// # What it may cost
//
// Gas bounds the work, because it is the same on every machine. Every account is first asked with little gas, which all
// honest contracts get by with; those that use it up are asked again in full, a few at a time in the order of the block,
// until the block's gas is spent. What is left then is recorded by its code alone, counted, and left to a review. So many
// loops in one block cost no more than the block's gas, and the indexer does not fall behind.
package detect
