package pacetest_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// subject is set in a process of its own, in which TestLong_Subject is the test that is looked at.
const subject = "TONQL_LONG_SUBJECT"

func TestLong_Subject(t *testing.T) {
	if os.Getenv(subject) == "" {
		t.Skip("runs in the processes of TestLong_RunsInCompleteRunsAndByName")
	}
	pacetest.Long(t)
}

func TestLong_RunsInCompleteRunsAndByName(t *testing.T) {
	t.Parallel()
	run := func(environment string, args ...string) string {
		cmd := exec.Command(os.Args[0], append(args, "-test.v", "-test.skip", t.Name())...)
		cmd.Env = append(os.Environ(), subject+"=1", pacetest.Environment+"="+environment)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	require.Contains(t, run(""), "--- SKIP: TestLong_Subject")
	require.Contains(t, run("1"), "--- PASS: TestLong_Subject")
	require.Contains(t, run("", "-test.run", "Subject"), "--- PASS: TestLong_Subject")
}
