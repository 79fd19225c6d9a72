// Package lite is the liteserver of the local chain. It speaks ADNL over TCP and
// supports every query of the TON liteserver protocol, with the same proofs as a
// node. The data come from a [ledger.Chain].
//
// A query passes through four layers, one file or group of files each:
//
//   - conn.go: ADNL connections, with one goroutine that reads and one that writes;
//   - dispatch.go: framing of the query itself, deadlines, the bound on work in
//     flight and the waitMasterchainSeqno prefix;
//   - one file per group of queries (block.go, account.go, …), which reads blocks
//     and states from the chain;
//   - proof.go and the layout files: opening cells of a block or state while a
//     proof builder watches which ones were needed.
//
// No proof is assembled by hand: the cells that were opened for the response are in
// the proof, all others are pruned.
package lite
