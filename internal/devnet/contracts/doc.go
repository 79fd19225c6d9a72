// Package contracts has the contracts of the local chain, and builds their state inits, addresses and message bodies.
//
// The sources are the *.tolk files in the folder tolk; their compiled code is in manifest.json, which is embedded. After
// a change of a source run `npm install && npm run compile` in that folder. The code of wallets is the published one, in
// wallets.json. Callers pass the seqno and the time of signed messages, so that equal arguments yield equal bytes.
//
// Amounts of TON are nanotons in a uint64. Amounts of Jettons are tlb.Coins of at most 120 bits. Builders take
// values from the devnet or a test, never untrusted input, and panic on values that cannot be serialized.
package contracts
