// Package trace classifies complete traces: it converts transactions and contract records of the index to the types of package
// action, and actions to rows. It does no I/O. The store assembles traces and calls this package in the database transaction
// that completes them.
package trace
