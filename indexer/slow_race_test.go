//go:build race

package indexer_test

// slow is how much longer things may take than usual: the race detector makes the TVM eight times slower.
const slow = 8
