// Package feed publishes events as the index grows. A [Feed] watches the indexed ranges of one database. Any number of
// streams follow it, one masterchain block after the other, from any indexed block: a stream that resumes at a cursor reads
// the missed events and then the new ones with the same code, so no event is lost or repeated between the two.
//
// Notifications of the indexer only make it faster: the indexed ranges and the rows are authoritative, and the ranges are polled
// too. So any number of gateways can follow one database, also through a replica.
//
// The rows of a block are read once, when the first stream needs them, and shared by all streams near that block. A slow stream
// holds only its position: it takes no memory and delays no other.
package feed
