// Package pacetest says how long tests may take. It scales their timeouts: under the race detector, proofs and the TVM run about eight times
// slower. And it marks those that a run of all packages skips ([Long]).
package pacetest
