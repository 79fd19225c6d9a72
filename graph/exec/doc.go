// Package exec is what the executor that is generated into package graph runs on.
//
// One goroutine builds the tree of an answer. It reads the fields of structs directly and prints leaves at once, one
// after the other, into one buffer. Only a resolver that may wait has a goroutine of its own; what it gives is taken
// into the tree by the first. When no resolver of a request can go on without rows, the batches that loaders have
// gathered are read, all at the same time: so the number of statements depends on the query and not on how busy the
// machine is. See [Run] and [Batch].
package exec
