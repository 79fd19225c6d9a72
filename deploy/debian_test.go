package deploy

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// checkService runs check.sh in the booted Debian, and then turns it off.
const checkService = `[Unit]
SuccessAction=poweroff-force
FailureAction=poweroff-force

[Service]
Type=oneshot
ExecStart=/check.sh
StandardOutput=file:/check.log
StandardError=file:/check.log
`

var versionLine = regexp.MustCompile(`(?m)^Version: .*$`)

// older writes a package with an earlier version and the files of the one that TONQL_DEBIAN_OLDER names, of deb without it.
func older(t *testing.T, deb, file string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "older")
	output(t, "dpkg-deb", "-R", cmp.Or(os.Getenv("TONQL_DEBIAN_OLDER"), deb), folder)
	control := filepath.Join(folder, "DEBIAN/control")
	data, err := os.ReadFile(control)
	require.NoError(t, err)
	require.Regexp(t, versionLine, string(data))
	require.NoError(t, os.WriteFile(control, versionLine.ReplaceAll(data, []byte("Version: 1.2.2")), 0o644))
	output(t, "dpkg-deb", "-Znone", "-b", folder, file)
}

// In a booted Debian that has PostgreSQL and the package, and nothing else of ours, the services run with their configuration, are
// restarted when they are killed or hang, and come back from a backup. The package is upgraded, removed, purged and installed again.
func TestDebian_ServiceSurvivesKillsAndRestores(t *testing.T) {
	t.Parallel()
	debian := os.Getenv("TONQL_DEBIAN_ROOT")
	if debian == "" {
		t.Skip("TONQL_DEBIAN_ROOT names no Debian: run 'make debian-test' as root")
	}
	nspawn := program(t, "systemd-nspawn", "TONQL_DEBIAN_ROOT")
	deb, _ := debFile(t)
	root := filepath.Join(t.TempDir(), "debian")
	output(t, "cp", "-a", debian, root)
	output(t, "cp", deb, filepath.Join(root, "tonql.deb"))
	older(t, deb, filepath.Join(root, "older.deb"))
	output(t, "cp", "testdata/check.sh", filepath.Join(root, "check.sh"))
	require.NoError(t, os.Chmod(filepath.Join(root, "check.sh"), 0o755))
	file := filepath.Join(root, "etc/systemd/system/check.service")
	require.NoError(t, os.WriteFile(file, []byte(checkService), 0o644))
	wants := filepath.Join(root, "etc/systemd/system/multi-user.target.wants")
	require.NoError(t, os.MkdirAll(wants, 0o755))
	require.NoError(t, os.Symlink("/etc/systemd/system/check.service", filepath.Join(wants, "check.service")))

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, nspawn, "--quiet", "--directory="+root, "--register=no", "--keep-unit", "--private-network", "--boot")
	console, err := cmd.CombinedOutput()
	log, readErr := os.ReadFile(filepath.Join(root, "check.log"))
	require.NoError(t, readErr, "%v\n%s", err, console)
	require.True(t, strings.HasSuffix(string(log), "\ndone\n"), "%s", log)
	for line := range strings.Lines(string(log)) {
		if strings.HasPrefix(line, "ok: ") {
			t.Log(strings.TrimSpace(line))
		}
	}
}
