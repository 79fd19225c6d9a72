package pacetest

import (
	"flag"
	"os"
	"testing"
)

// Environment is the variable that makes long tests run.
const Environment = "TONQL_LONG_TESTS"

// Short reports whether a test takes its short form, or none: with `-short`, and when a run selects no tests by name (`-run`),
// unless the environment has TONQL_LONG_TESTS, as in `.ci/run`.
func Short() bool {
	return testing.Short() || os.Getenv(Environment) == "" && flag.Lookup("test.run").Value.String() == ""
}

// Long skips a test that takes longer than a change should wait for, as [Short] says: one that kills processes at many moments, moves
// or upgrades indexes, follows chains for minutes, or waits for pauses of a protocol. Those with a short form of seconds call Short.
// With `-short` alone, long tests run, too.
func Long(t testing.TB) {
	t.Helper()
	if !testing.Short() && Short() {
		t.Skip("takes long: set " + Environment + "=1, or select it with -run")
	}
}
