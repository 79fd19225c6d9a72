// Package replay executes every transaction of a decoded masterchain block again and compares the result with the chain.
//
// A transaction is a function of its account's state, its in-message, the configuration, and a few facts of its block
// (time, logical time, random seed, previous masterchain blocks, public libraries). All of them are public and proven, so
// running our own TVM with them must produce the transaction hash and the new state hash of the chain. Each transaction gets a
// verification: replayed or mismatch. A transaction that cannot be executed stays proven, and its reason is counted. A
// transaction whose execution exceeds its budget of time, memory or cells is unverified, and so are the later transactions
// of the account in the same block, because the state that they start from is missing.
//
// The rules of an execution are those of the global version in the configuration. Blocks of versions before 4 may be made
// with the gas prices of 2019, which their headers do not say: they are executed by both, see rules. A transaction that
// neither gives is a mismatch, unless its execution met a rule of 2019 that is not executed: then its verification is old
// rules, and the later transactions of the account in the same block stay proven.
//
// A [Replayer] executes masterchain blocks in ascending order and owns the account states between them. It fetches an
// account with a proof at the block before the first transaction; after that it uses the state that its own execution
// produced. It uses a state for the next transaction only if its hash, LT and last transaction are those that the
// transaction started from. After a gap, a lost block or a mismatch it therefore fetches the state again. Several
// Replayers, each for another range, share one [Network] with everything that does not depend on the order:
// configurations, ids, libraries.
//
// The account states become rows: the state before the first transaction of an account in a run, and the state after every
// transaction. They depend on the chain alone, so two runs write identical rows.
package replay
