// Package pacetest tells tests how patient to be, so that the race detector, which makes proofs and the TVM about
// eight times slower, fails no test that is right.
package pacetest
