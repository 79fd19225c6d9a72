// Package trace says what complete traces meant: it hands the transactions of the index to internal/action, with what is
// known of the contracts, and gives rows back. It does no I/O; the store assembles traces and calls it within the
// database transaction that completes them.
package trace
