// Package recordedtest makes indexes for tests out of recorded blocks, in the process of the test and the same each time: every
// block is decoded, executed and classified, as the indexer does it.
//
// [Devnet] is a local chain of 83 masterchain blocks with contracts of every family, splits and merges. It was recorded, so that it
// does not change with the code of local chains.
package recordedtest
