package pacetest

import (
	"flag"
	"os"
	"testing"
)

// Environment is the variable that makes [Long] tests run.
const Environment = "TONQL_LONG_TESTS"

// Long marks a test that takes longer than a change should wait for: one that kills processes at many moments, moves or upgrades
// indexes, follows chains for minutes, or waits for pauses of a protocol. It is skipped when a run selects no tests by name (`-run`),
// unless the environment has TONQL_LONG_TESTS, as in `.ci/run`.
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv(Environment) == "" && flag.Lookup("test.run").Value.String() == "" {
		t.Skip("takes long: set " + Environment + "=1, or select it with -run")
	}
}
