// Package mainnet provides tests with blocks of TON's main network, recorded here and in the test data of the modules we
// build on, so that nothing is downloaded and nothing is invented.
//
// [Blocks] are single blocks of several years, for decoding. [OpenFatBlock] is one block with everything its replay
// needs (previous account states, configuration, previous masterchain blocks, libraries), served as a [chain.Source].
// The recordings hold shard blocks without the masterchain block that committed them; a frame stands in for it: an
// otherwise empty masterchain block with the right seqno. [OpenFirstBlocks] is the beginning of the network, complete:
// zerostates, blocks of both chains, proofs and signatures.
package mainnet
