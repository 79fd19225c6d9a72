// Package scenario generates traffic on the local chain: transfers, extra currencies, Jettons, NFTs, domain names, sales and auctions,
// multisig orders, subscriptions, contracts that fail or lie, and shards that split and merge.
//
// The batch of messages after a block depends on three things only: the seed, the block's seqno, and the state after the
// block. The scenario has no state between blocks. It therefore resumes after a restart, and two chains with the same
// seed, clock and blocks receive the same external messages, byte for byte. The only exception is [Scenario.Burst],
// which remembers unconfirmed messages.
//
// The scenario only sends external messages and requests splits and merges; it does not make blocks.
package scenario
