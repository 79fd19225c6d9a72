//go:build !race

package pacetest

// Slow is the factor by which tests multiply their timeouts.
const Slow = 1
