// Package indexer turns a network into the index: it reads masterchain blocks with the shard blocks they commit, decodes
// them, executes every transaction again, and writes each masterchain block in one database transaction.
//
// # States
//
// All state that survives the process is in the database. The table indexed_ranges has the ranges of masterchain seqnos
// whose blocks are completely written. [Indexer.Run] is therefore one loop over one kind of session, and every end of a
// session (a kill, a lost database, a lost lock) leads back to its start:
//
//		          ┌───────────────────────────────────────────────────────────────┐
//		          ▼                                                               │
//		     ┌─────────┐  lock   ┌──────────┐  head and ranges  ┌───────────┐     │ database or lock lost:
//		──►  │ standby │ ──────► │ starting │ ────────────────► │ following │ ────┘ pause, then again
//		     └─────────┘         └──────────┘                   └───────────┘
//		                                                          │       ▲
//		                                                    gaps? ▼       │ none left
//		                                                        ┌───────────┐
//		                                                        │ refilling │
//		                                                        └───────────┘
//
//	  - standby: another process indexes into this database and holds PostgreSQL's advisory lock. The lock ends with the
//	    connection of its holder, so a standby replaces a killed indexer at once. It has no lag.
//	  - starting: the network's head and the indexed ranges determine what is missing.
//	  - following: new masterchain blocks, in order, as they appear. A window of blocks is fetched and decoded ahead;
//	    replay and writing keep the order.
//	  - refilling, while following: the gaps between the indexed ranges and below the first one, newest first. A gap is
//	    split into batches; each worker takes a batch and processes it in ascending order.
//
// [Indexer.Fill] refills only, without the lock: any number of processes fill one database. PostgreSQL's advisory locks say who fills
// which batch, and end with the connection of a process; of all that fill, one at a time writes, so that the head never waits for more
// than one of their transactions.
//
// A failing node does not end a session: the request is repeated with exponential backoff, and [Status] reports what the
// session waits for.
//
// # Why the order of indexing does not matter
//
// Rows derive from the chain alone. The contract of an account follows from the states after the masterchain block that
// changed it, see [detect]. A message that two workers see from two sides is one row, which the second one completes.
// Account states carry the transaction that created them, and the state before the first transaction of an account in a
// batch is either one that an earlier batch has written or one from before the index. So an index built forwards, one built
// backwards in batches, and one whose process was killed twenty times have identical tables, byte for byte.
//
// # Ownership
//
// Every goroutine belongs to the errgroup of its session. Following has one [replay.Replayer] and one [detect.Batch],
// and so has every batch that is refilled: account states are never shared. Replay runs one step ahead of detection, and
// detection one step ahead of writing. What does not depend on the order (configurations, block ids, libraries) is shared
// through one [replay.Network]. The window bounds the channels between the steps, and so the memory.
package indexer
