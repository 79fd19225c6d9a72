//go:build !race

package indexer_test

// slow is how much longer things may take than usual.
const slow = 1
