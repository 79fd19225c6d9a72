// Package ledger is the engine of the local chain: it executes messages in the TVM, and
// builds, stores and returns blocks and states.
//
// # A round
//
// The chain advances in rounds (Chain.Mine). A round makes one block for every
// basechain shard, or a chain of Options.ShardBlocks, and then the masterchain block that
// commits them:
//
//	plan      which shards continue, split or merge; decided by the descriptions
//	          of the shards in the masterchain state
//	route     every message waiting in an out-queue goes to the block of the shard
//	          it is addressed to, oldest first
//	collate   one collator per block: dequeue what others have processed, imports,
//	          deferred messages, external messages, messages created meanwhile; what
//	          does not fit waits in the shard's own queue
//	master    the same for the masterchain, plus fees, tick-tock, config, libraries
//	adopt     the round is written to the archive and becomes the head
//
// Shards exchange messages through the masterchain only: a message sent in round n
// is processed by another shard in round n+1 and leaves its queue in round n+2.
// The masterchain sees the shard blocks it commits at once.
//
// # What a replayer needs
//
// A transaction depends on the account before it, the in-message, the block's start LT,
// time and random seed, and on the masterchain block that the block refers to: its config, its libraries and its list of earlier blocks. For a
// masterchain block that is its parent. All of it is in the blocks.
//
// # Ownership
//
// One goroutine at a time makes a round and does not block readers: it works on immutable
// tips and takes the lock only to publish its result. Returned blocks and states are
// shared and never change.
package ledger
