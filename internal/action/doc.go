// Package action classifies traces: it turns the tree of transactions of a trace into actions such as a Jetton transfer. It does
// no I/O. Its input is the trace and the records of the contracts in it; its output is rows.
//
// Every transaction and every log starts as a basic block. Kinds then run in the order of their phase. Each kind looks for its
// [Pattern] in the current tree of blocks and replaces the matching blocks by one. A kind is one file with its pattern, its
// payload and its builder, and registers itself with [Register]. This package has the kinds that others build on; the
// packages below it have the others, by family of protocols. Package all registers all of them.
//
// Ids derive from the chain only, so classifying a trace twice gives the same rows.
package action
