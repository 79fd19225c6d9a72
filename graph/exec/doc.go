// Package exec is the runtime of the executor that command generate writes into package graph.
//
// One goroutine, the builder, builds the response tree: it reads the fields of structs directly and appends leaves to one
// buffer. Only a resolver that may wait runs in a goroutine; the builder takes its result into the tree. When no goroutine
// of the run can continue without rows, the scheduler sends the batches that loaders have gathered, all at the same time.
// So the number of statements depends on the query and not on the load of the machine. See [Run] and [Batch], and
// docs/executor.md for a diagram.
package exec
