// Package scenario gives the local chain a life of its own: people who pay each other, Jettons, NFTs, domain names,
// sales and auctions, boards that vote, subscriptions, contracts that fail or lie, shards that split and merge.
//
// What happens after a block is a function of three things only: the seed, the block's seqno, and the chain's state
// after that block. Nothing is remembered between blocks, so the scenario goes on after a restart where it stopped,
// and two chains with the same seed, clock and blocks receive the same external messages, byte for byte. The one
// exception is [Scenario.Burst], which counts what it sent until the chain confirms it.
//
// The scenario only sends external messages and asks for splits and merges; it never makes a block itself.
package scenario
