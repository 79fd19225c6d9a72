package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/conformance"
	"tonql/internal/pacetest"
)

// conformanceReports is the variable that names the folder for the report of the checks.
const conformanceReports = "TONQL_CONFORMANCE_REPORT"

// tonql passes every check that it offers to others, and the checks find what is wrong with a server.
//
//nolint:tparallel // its subtests share one process
func TestConformance_OfThisServer(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	p := start(t, "up", "--data", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0", "--block-interval", "300ms", "--traffic", "600")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, 2*time.Minute, "the index follows", func() bool { return follows(t, base, 40) })

	eventually(t, 4*time.Minute, "the rarest contents are there", func() bool {
		report, err := conformance.Run(t.Context(), conformance.Options{
			BaseURL: base, Time: time.Minute, RequestTime: 20 * time.Second, MaxBody: 8 << 20,
			Selection: conformance.Selection{Only: []string{"v3.jetton-burns.sort-desc", "v3.nft-transfers.sort-desc"}},
		})
		return err == nil && report.Count(conformance.Skip) == 0
	})
	t.Run("passes", func(t *testing.T) { requireConforms(t, base) })
	t.Run("status", func(t *testing.T) {
		run := func(args ...string) (int, string) { return runTonql(t, append([]string{"conformance"}, args...)...) }
		status, out := run(base, "--only", "v3.blocks", "--skip", "v3.blocks.limit", "--rate", "0")
		require.Equal(t, 0, status, out)
		require.NotContains(t, out, "v3.blocks.limit:")
		require.Contains(t, out, "0 failed, 0 skipped")
		status, out = run(base, "--only", "streaming")
		require.Equal(t, 0, status, out)
		for _, wrong := range [][]string{{}, {base, "--only", "v9"}, {base, "--rate", "-1"}, {"example"}, {base, "--nosuch"}} {
			status, out = run(wrong...)
			require.Equal(t, 2, status, "%v: %s", wrong, out)
		}
		broken := damage(t, base, damages["reversed rows"], 0)
		status, out = run(broken, "--only", "v3.blocks.sort-desc", "--failed-only")
		require.Equal(t, 1, status, out)
		require.Contains(t, out, "fail  v3.blocks.sort-desc")
	})
	t.Run("each check can fail", func(t *testing.T) { requireFailures(t, base) })
	p.interrupt(20 * time.Second)
}

// runTonql runs a command to its end.
func runTonql(t *testing.T, args ...string) (status int, output string) {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = environmentWithoutOurs()
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// requireConforms runs all checks, and leaves the report where the environment names a folder.
func requireConforms(t *testing.T, base string) {
	t.Helper()
	folder := os.Getenv(conformanceReports)
	if folder == "" {
		folder = t.TempDir()
	}
	require.NoError(t, os.MkdirAll(folder, 0o750))
	object := filepath.Join(folder, "conformance.json")
	status, out := runTonql(t, "conformance", base, "--rate", "0", "--html", filepath.Join(folder, "conformance.html"), "--json", object)
	require.Equal(t, 0, status, out)
	text, err := os.ReadFile(object)
	require.NoError(t, err)
	var report struct {
		Passed, Failed, Skipped int
		Checks                  []struct{ ID, Section, Status, Detail string }
	}
	require.NoError(t, json.Unmarshal(text, &report))
	require.Zero(t, report.Failed)
	require.Len(t, report.Checks, len(conformance.Checks()))
	for _, c := range report.Checks {
		if c.Status == "skip" { // what the newest blocks lacked is in later ones
			eventually(t, time.Minute, c.ID+" is not skipped: "+c.Detail, func() bool {
				status, out := runTonql(t, "conformance", base, "--rate", "0", "--only", c.ID)
				require.Equal(t, 0, status, out)
				return strings.Contains(out, "0 skipped")
			})
		}
	}
	page, err := os.ReadFile(filepath.Join(folder, "conformance.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), "0 failed")
}

// requireFailures runs the checks against damaged responses: each fails with a damage that fits its class.
func requireFailures(t *testing.T, base string) {
	t.Helper()
	var open []conformance.Check // checks that no damage of their class has failed yet
	for _, c := range conformance.Checks() {
		if c.Section != conformance.Streaming && c.Class != conformance.Events { // internal/conformance has servers that damage streams
			open = append(open, c)
		}
	}
	all := len(open)
	try := func(name string, round int) {
		var only []string
		for _, c := range open {
			if slices.Contains(damages[name].classes, c.Class) {
				only = append(only, c.ID)
			}
		}
		if only == nil {
			return
		}
		report, err := conformance.Run(t.Context(), conformance.Options{
			BaseURL: damage(t, base, damages[name], round), Time: 5 * time.Minute, RequestTime: 20 * time.Second, MaxBody: 8 << 20,
			Selection: conformance.Selection{Only: only},
		})
		require.NoError(t, err, name)
		failed := map[string]bool{}
		for _, r := range report.Results {
			failed[r.ID] = r.Status == conformance.Fail
		}
		open = slices.DeleteFunc(open, func(c conformance.Check) bool { return failed[c.ID] })
		t.Logf("%s: %d of %d checks fail, %d of %d are left", name, report.Count(conformance.Fail), len(report.Results), len(open), all)
	}
	// A check that compares two values finds nothing where both are damaged alike, so it takes several rounds.
	for round := 0; round < 24 && len(open) > 0; round++ {
		for _, name := range damageNames() {
			try(name, round)
		}
	}
	var never []string
	for _, c := range open {
		never = append(never, c.ID+" ("+string(c.Class)+")")
	}
	require.Empty(t, never, "checks that no damage of their class fails")
}
