// Package replay executes every transaction of a decoded masterchain block again and compares the result with the chain.
//
// A transaction is a function of its account's state, its in-message, the configuration, and a few facts of its block
// (time, logical time, random seed, previous masterchain blocks, public libraries). All of them are public and proven, so
// running our own TVM over them must give the chain's transaction hash and the chain's new state hash. What it gives is
// written per transaction: replayed or mismatch; what cannot be executed stays proven, with a reason that is counted. An
// execution that exceeds its budget of time, memory or cells is unverified, and so are the account's later transactions in
// the same block, which start where it should have ended.
//
// A [Replayer] works through masterchain blocks in ascending order and owns the account states between them. An account
// is fetched with proof when it is first seen, as of the block before; from then on its state is what our own execution
// made of it. A state is only trusted for the next transaction while its hash, LT and last transaction are what that
// transaction says it started from, so a gap, a lost block or a mismatch heals by fetching again. Several Replayers, each
// with a range of its own, share one [Network]: what does not depend on the order (configurations, ids, libraries).
//
// The account states met on the way become rows: the state before an account's first transaction of a run and the state
// after every transaction. They depend on the chain alone, so a row written twice by two runs is the same row.
package replay
