// Package feed tells what the index learns as it learns it. A [Feed] watches the ledger of one database and lets any
// number of streams follow it, one masterchain block after the other, from any block that is indexed: who comes back with
// a position first gets what was missed and then what is new, by the same code, so that there is no seam in which an
// event could be lost or told twice.
//
// Notices of the indexer are hints that make it quick; the ledger and the rows are the truth, and they are looked at from
// time to time without a hint. So any number of gateways can follow one database, also through a replica.
//
// What a block holds is read once, when the first stream needs it, and shared by all streams that are near. A stream that
// is slow holds nothing but its place: it costs no memory and delays nobody.
package feed
