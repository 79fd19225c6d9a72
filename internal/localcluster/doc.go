// Command localcluster runs the layout of docs/scale.md on one machine: a local chain, the indexer, a PostgreSQL primary
// with a standby, and gateways that read from both. It reads commands from standard input, one in a line, that kill and
// replace parts of it, and prints "done: COMMAND" or "failed: COMMAND: reason" for each:
//
//	kill standby       the standby is lost; commits no longer wait for it
//	replace standby    the lost server, or the former primary, becomes a standby from a new base backup
//	fail over          the primary is lost and the standby promoted
//	kill gateway N     gateway N, counted from 1, is lost
//	start gateway N    it starts again, at its address
//
// It ends with standard input, or by a signal.
package main
