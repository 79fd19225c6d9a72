//go:build race

package pacetest

// Slow is how many times longer than usual things may take: limits of tests are multiplied by it.
const Slow = 8
