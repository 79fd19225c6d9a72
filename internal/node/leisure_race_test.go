//go:build race

package node_test

// leisure is how much longer things may take than usual: the race detector makes proofs eight times slower.
const leisure = 8
