// Package archive stores the blocks of a local chain: an append-only log of rounds, one
// record per masterchain block together with the shard blocks it commits, and snapshots
// of all states from time to time.
//
// A record is written with one call and contains its length and a checksum. They show a
// record that a crash cut off. Open removes it and everything after it, so the chain
// resumes at its last complete round. Writes are flushed to disk when the archive is closed and at every
// snapshot, not at every round: a killed process loses nothing, a power cut at
// most the newest rounds.
//
// Without a folder the archive is in memory, with the same behavior.
package archive
