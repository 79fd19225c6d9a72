// Package pacetest scales the timeouts of tests: under the race detector, proofs and the TVM run about eight times
// slower.
package pacetest
