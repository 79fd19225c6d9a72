// Package devnet runs a whole local TON network in this process: the chain, its
// liteserver, a faucet and, if wanted, traffic and a small administration door.
//
// [Start] opens or begins the chain, mines its first block and listens, so that
// the network can be used when it returns; [Devnet.Run] then makes blocks until
// its context ends. Nothing outside reaches into the chain: the rest of the
// product connects through the global config like to any other network.
//
// A chain keeps time in one of two ways. Ordinarily blocks follow the wall clock:
// one per interval, or at once when there is something to do. A deterministic or
// hand-driven network instead does everything in [Devnet.Advance]: one block, then
// one turn of the traffic. With a seed and without outside messages, two such
// networks are the same chain byte for byte.
package devnet
