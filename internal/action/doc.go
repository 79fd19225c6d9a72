// Package action says what a trace meant to a person: it turns the tree of transactions that one message caused into
// actions such as a Jetton transfer. It does no I/O: the trace and what is known of its contracts go in, rows come out.
//
// Every transaction, and every log, starts as a basic block. Kinds then run in the order of their phase; each looks for
// its [Pattern] in the current tree of blocks and replaces the blocks it found by one. A kind is one file: its pattern,
// its payload and its builder, made known by [Register].
//
// Ids come from the chain alone, so classifying a trace twice gives the same rows.
package action
