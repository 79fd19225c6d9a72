// Package boundedvm is the TVM of tonutils-go with bounds on the work and the memory that untrusted code can take.
//
// The library executes opcodes; this package replaces those whose cost is not covered by their gas, and lets an
// execution be limited and cancelled. Gas, results and exit codes are those of the network. An execution that
// exceeds a limit ends with an error that no TRY of the code can catch.
//
// docs/vm.md has the cost of every group of opcodes and the bound that holds for it.
package boundedvm
