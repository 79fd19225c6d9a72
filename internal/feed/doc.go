// Package feed streams what the index learns. A [Feed] watches the indexed ranges of one database. Any number of streams
// follow it, one masterchain block after the other, from any indexed block. A client that resumes from a position first
// receives the events that it missed and then new ones, by the same code, so that no event is lost or sent twice.
//
// Notifications of the indexer only reduce latency. The feed also polls the indexed ranges, and takes all events from the
// tables. So any number of gateways can follow one database, also through a replica.
//
// The rows of a block are read once, when the first stream needs them, and shared by all streams near that block. A slow
// stream holds only its position: it uses no memory and delays no other stream.
package feed
