// Package pending says what becomes of a message before blocks tell: until when the chain may take it, and what trace the
// transactions make that were executed on paper, together with those that blocks hold already. It does no I/O; the TVM runs
// in resolvers, the messages are kept by the store.
//
// A trace passes four levels of finality. It is pending while no block holds any of it: all of its transactions are
// foretold. It is confirmed once its first transaction is indexed: what is indexed stands as it is, and only what follows
// from the messages still in flight is foretold. It is finalized when no message is in flight; then the index alone speaks
// of it. It is invalidated when its message expired, or its account does not take the message any more. Nothing of this is
// written down: it follows from the index and the clock of the chain, so that it is the same for all gateways, whenever they
// were started, and a message that is executed against all expectation is finalized all the same.
package pending
