// Package lite is the liteserver of the local chain. It speaks ADNL over TCP and
// answers every query of the TON liteserver protocol from a [ledger.Chain], with
// the proofs a real node would send, so that no client can tell the two apart.
//
// A query passes through four layers, one file or group of files each:
//
//   - transport.go and handshake.go: encrypted frames, one goroutine that reads
//     and one that writes per connection;
//   - dispatch.go: framing of the query itself, deadlines, the bound on work in
//     flight and the waitMasterchainSeqno prefix;
//   - the answers, one file per group of queries (block.go, account.go, …), which
//     read blocks and states from the chain;
//   - proof.go and the layout files: opening cells of a block or state while a
//     proof builder watches which ones were needed.
//
// A proof is therefore never assembled by hand: whatever the answer looked at is
// in the proof, everything else is pruned.
package lite
