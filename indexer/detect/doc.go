// Package detect determines what the accounts of a masterchain block are: wallets, Jettons, NFT items, domains, multisigs. It
// runs inside the indexer, between replay and writing, and fills the Contracts of the block for every account that the block
// touched.
//
// # Inputs of a result
//
// A result depends only on the chain at the block, so it does not depend on the order of indexing. The state of the account
// itself is the state after replay. States of other accounts (the master of a Jetton wallet, the collection of an NFT item)
// come from the same block if it touched them. Otherwise they come from an earlier block of the batch or from a proof of the network,
// if no block in between touched the account. The index is not a source, because it may lack blocks in between.
//
// A relation that the other contract does not confirm at the block is no fact, even if a later block confirms it. Nor is one to an
// account whose state the network no longer has, or that the block may not fetch. [Detector.Review] detects such accounts again.
//
// # Cost
//
// Gas bounds the work, because it is the same on every machine. Every account first runs with a small amount of gas, which
// suffices for honest contracts. Accounts that use it up run again with the full budget, a few at a time in the order of the
// block, until the gas of the block is spent. The remaining accounts are recorded by their code only, counted, and left to a
// review. A block full of endless loops therefore costs at most the gas of the block.
//
// Cells that contracts share on the chain are not shared in their facts, so the facts of a block are bounded, too: those above 4 KiB
// have 32 MiB together, in the order of the block. Accounts after that are recorded by their code only and left to a review.
//
// Get-methods name the accounts that are fetched, so a block may fetch 256, which have 2^20 cells at most. Detections run, 64 at a time,
// until each has ended or needs an account; then these are fetched together, in the order of the block, up to the limit. Cached
// accounts are free. In a block that names more, which accounts are left out therefore depends on those that earlier blocks of the batch
// have named, but not on the number of workers or on time.
package detect
