// Package node reads a TON network through liteservers and verifies every response.
//
// # Servers
//
// A [Pool] keeps one connection to each liteserver of a global configuration and one goroutine that follows its head.
// The pool sends a query to the server with the shortest expected time; when that one fails, to the next. The kind of
// failure decides how the pool treats the server afterwards:
//
//   - it cannot be reached, stalls or breaks the connection: a short pause, doubled each time;
//   - its response contradicts its proof, its hash or a proven block: a much longer pause, as a liar;
//   - it limits the rate of queries: it gets none for a moment, and fewer afterwards; the connection stays;
//   - it does not have the data: no pause, but other servers are queried first for that range of blocks for a while;
//   - its head stays behind the others': it is queried last until it catches up.
//
// After its pause a server is connected again and must prove its head. When no server is usable, every query fails at
// once with an error of kind Unavailable.
//
// # Proofs
//
// Trust starts from one masterchain block, the [Anchor]: the configuration's init block, its zerostate or another one. With [Secure]
// a masterchain block is proven by a chain of links from a proven block: forward by the signatures of two thirds of the
// validators that a key block lists, backward by the list of old blocks in a masterchain state. With [Fast] a new head
// needs no signatures; its state must list the previous head. Hashes in masterchain blocks prove everything else: shard
// blocks by the shard hashes and previous-block references, accounts, configuration and old blocks by Merkle proofs,
// libraries by their own hash.
package node
