// Package archive keeps the blocks of a local chain: an append-only log of
// rounds, one record per masterchain block together with the shard blocks it
// commits, and now and then a snapshot of all states.
//
// A record is written with one call and carries its length and a checksum. When
// the archive is opened, a record that was cut off by a crash is found by these
// and removed together with everything after it, so a chain resumes at its last
// whole round. Writes are flushed to disk when the archive is closed and at every
// snapshot, not at every round: a killed process loses nothing, a power cut at
// most the newest rounds.
//
// Without a folder everything lives in memory, with the same behaviour.
package archive
