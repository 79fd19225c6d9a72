// Package pending emulates what follows from messages before blocks hold their transactions.
//
// A trace passes these levels of finality:
//   - Pending: no block holds any of it; all its transactions are emulated.
//   - Confirmed: its first transaction is indexed; only what follows from messages in flight is emulated.
//   - Finalized: no message is in flight; the trace comes from the index alone.
//   - Invalidated: its message expired, or its account no longer accepts the message.
//
// Finality is not stored. It follows from the index and the chain's clock, so all gateways agree on it whenever they were
// started, and a message that is executed after it was invalidated becomes finalized.
//
// A [Tracker] emulates traces with package emulate at the newest indexed block and caches the results for that block. Sent
// messages are stored in a [chain.PendingStore], which all gateways of a database share. [Expiry] returns the time until
// which the chain accepts a message.
package pending
