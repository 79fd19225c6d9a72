// Package indexer turns a network into the index: it reads masterchain blocks with the shard blocks they commit, decodes
// them, executes every transaction again, and writes each masterchain block in one database transaction.
//
// # States
//
// All that survives a process is in the database, and there in the ledger: the runs of masterchain seqnos whose blocks
// are wholly written. [Indexer.Run] is therefore one loop over one kind of session, and every way of ending one (a kill,
// a lost database, a lost lock) leads back to its start:
//
//		          ┌───────────────────────────────────────────────────────────────┐
//		          ▼                                                               │
//		     ┌─────────┐  lock   ┌──────────┐  head and ledger  ┌───────────┐     │ database or lock lost:
//		──►  │ standby │ ──────► │ starting │ ────────────────► │ following │ ────┘ pause, then again
//		     └─────────┘         └──────────┘                   └───────────┘
//		                                                          │       ▲
//		                                                    gaps? ▼       │ none left
//		                                                        ┌───────────┐
//		                                                        │ refilling │
//		                                                        └───────────┘
//
//	  - standby: another process indexes into this database. PostgreSQL's advisory lock decides; it ends with the
//	    connection of its holder, so a killed indexer is replaced at once.
//	  - starting: the network's head and the ledger say what is missing.
//	  - following: new masterchain blocks, in order, as they appear. A window of blocks is fetched and decoded ahead of
//	    their turn; replay and writing keep the order.
//	  - refilling, beside following: the gaps of the ledger, and what lies between the first wanted seqno and it, newest
//	    first. A gap is cut into batches; each worker takes a batch and goes through it upwards.
//
// A node that cannot answer ends nothing: the same question is asked again, more and more slowly, and [Status] says in a
// sentence what is being waited for.
//
// # Why the order of indexing does not show
//
// Rows derive from the chain alone. What an account is follows from the states as of the masterchain block that touched
// it, see [detect]. A message seen from two sides by two workers is one row, completed by whoever comes
// second. Account states carry the transaction that made them, and the state before an account's first transaction in a
// batch is either the one an earlier batch has written or one from before the index. So an index built forwards, one
// built backwards in batches and one whose process was killed twenty times have the same tables, to the byte.
//
// # Who owns what
//
// Every goroutine belongs to the errgroup of its session. Following has one [replay.Replayer] and one [detect.Batch], every
// refilled batch has its own: account states are never shared. Replay is a stage ahead of detection, detection of writing. What does not depend on order (configurations, block ids, libraries) is shared
// through one [replay.Network]. Channels between the stages are bounded by the window, and so is memory.
package indexer
