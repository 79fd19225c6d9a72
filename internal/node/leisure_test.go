//go:build !race

package node_test

// leisure is how much longer things may take than usual.
const leisure = 1
