// Package transactions reads transactions, messages and account states, and writes their rows. Lookups by key and by hash,
// lists with filters, and transactions with their messages and states are methods of [Reader].
package transactions
