// Package devnet runs a complete local TON network in this process: the chain, its
// liteserver, a faucet and, optionally, traffic and a small administration API.
//
// [Start] opens or creates the chain, mines its first block and listens, so that the
// network is usable when it returns; [Devnet.Run] then makes blocks until its context
// ends. The rest of the product connects through the global config, as to any other
// network.
//
// A chain uses one of two clocks. By default blocks follow the wall clock: one per
// interval, or at once when messages wait. A deterministic or hand-driven network
// instead does all work in [Devnet.Advance]: one block, then one batch of the
// scenario's traffic. With the same seed and without external messages, two such
// networks are the same chain byte for byte.
package devnet
