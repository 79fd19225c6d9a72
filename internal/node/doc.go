// Package node reads a TON network through its liteservers and believes none of them.
//
// # Servers
//
// A [Pool] keeps one connection to each liteserver of a global configuration and one goroutine that follows its head.
// A question goes to the server that most likely can answer it soonest; when that one fails, to the next. How a server
// failed decides what becomes of it:
//
//   - it cannot be reached, stalls or breaks the connection: set aside for a moment that doubles each time;
//   - its answer contradicts its proof, its hash or what was proven before: set aside much longer, as a liar;
//   - it does not hold the block: nothing bad, but it is remembered as not archival below that block;
//   - its head stays behind the others': it is asked last, until it catches up.
//
// A server comes back by itself: after its pause it is connected anew and must prove its head. When no server is left,
// every question fails at once with an error of kind Unavailable.
//
// # Proofs
//
// Trust starts from one masterchain block, the anchor: the configuration's init block, or its zerostate. With [Secure]
// a masterchain block is believed when a chain of links leads to it from a block believed before: forward over the
// signatures of two thirds of the validators that a key block lists, backward by the list of old blocks in a
// masterchain state. With [Fast] a new head needs no signatures; its state must list the head believed before it.
// Everything else hangs on masterchain blocks by hashes: shard blocks through the shard hashes and previous-block
// references, accounts, configuration and old blocks through Merkle proofs, libraries by their own hash.
package node
