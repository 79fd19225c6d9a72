// Package cellparts splits the code, data and libraries of accounts into parts and joins them, so that the index stores what many states have
// in common once. A contract may change a counter in front of a thousand other cells with each transaction: on the chain it pays for
// the cells that are new, and the index stores the parts that are.
package cellparts
