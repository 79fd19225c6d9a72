// Package chain holds the domain types of all packages: addresses, hashes, blocks, transactions, messages,
// account states, the filters and pages that select them, the error kinds, and the two small interfaces through which
// the live network is reached ([Node] for commands, [Source] for the indexer).
//
// It imports nothing of ours, knows neither SQL nor GraphQL nor HTTP, and does no I/O. Names follow TL-B (block.tlb),
// then the TEPs, then the published v2/v3 field names. Amounts are nanotons; times are unix seconds; LT is logical time.
package chain
