package deploy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// program returns the path of a program, or skips the test; variable forbids that.
func program(t *testing.T, name, variable string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv(variable) != "" {
		require.Failf(t, "program missing", "%s is not installed, and %s is set", name, variable)
	}
	t.Skipf("%s is not installed", name)
	return ""
}

func serviceFiles(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("systemd/*.service")
	require.NoError(t, err)
	require.Len(t, names, 3)
	return names
}

// systemd reads the services without a warning.
func TestServices_SystemdAcceptsThem(t *testing.T) {
	t.Parallel()
	analyze := program(t, "systemd-analyze", "TONQL_REQUIRE_SYSTEMD")
	folder := t.TempDir()
	args := []string{"verify", "--man=no", "--recursive-errors=no"}
	for _, name := range serviceFiles(t) {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		// systemd looks for the program, which only the package installs.
		data = bytes.ReplaceAll(data, []byte("/usr/bin/tonql "), []byte("/bin/true "))
		copied := filepath.Join(folder, strings.ReplaceAll(filepath.Base(name), "@.", "@8081."))
		require.NoError(t, os.WriteFile(copied, data, 0o600))
		args = append(args, copied)
	}
	out, err := exec.CommandContext(t.Context(), analyze, args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	var ours []string
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "tonql") { // other files of this machine may have warnings
			ours = append(ours, line)
		}
	}
	require.Empty(t, ours)
}

// The sandbox of the services is as tight as systemd rates 1.5 or better on its scale from 0 (locked) to 10 (open).
func TestServices_ExposureIsSmall(t *testing.T) {
	t.Parallel()
	analyze := program(t, "systemd-analyze", "TONQL_REQUIRE_SYSTEMD")
	for _, name := range serviceFiles(t) {
		out, err := exec.CommandContext(t.Context(), analyze, "security", "--offline=true", "--no-pager", "--threshold=15", name).CombinedOutput()
		require.NoError(t, err, "%s", out)
		rating := regexp.MustCompile(`Overall exposure level for \S+: ([0-9.]+)`).FindSubmatch(out)
		require.NotNil(t, rating, "%s", out)
		exposure, err := strconv.ParseFloat(string(rating[1]), 64)
		require.NoError(t, err)
		require.LessOrEqual(t, exposure, 1.5)
	}
}

// The services differ only in what they run: the sandbox of all is the same.
func TestServices_SandboxIsTheSame(t *testing.T) {
	t.Parallel()
	var first string
	for _, name := range serviceFiles(t) {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		_, sandbox, found := strings.Cut(string(data), "\nNoNewPrivileges=yes\n")
		require.True(t, found, name)
		if first == "" {
			first = sandbox
		}
		require.Equal(t, first, sandbox, name)
	}
}
