// Package contracts holds the contracts that live on the local chain and builds what deploys and calls them: state
// inits, addresses and message bodies.
//
// The sources are the *.tolk files in the folder tolk; what they compile to is manifest.json, which is embedded.
// After a change of a source run `npm install && npm run compile` in that folder. Wallet contracts are not ours:
// their published code is in wallets.json, and their messages are signed here from a given seqno and time, so that the
// same decisions always give the same bytes.
//
// Amounts of TON are nanotons in a uint64. Amounts of Jettons are tlb.Coins of at most 120 bits. Builders take
// values chosen by the devnet or a test, never input from outside, and panic on what cannot be serialized at all.
package contracts
