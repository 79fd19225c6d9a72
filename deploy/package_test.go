package deploy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"tonql/internal/pacetest"
	"tonql/internal/temptest"
)

// builtFolder is the folder of the programs that tests of this package build once.
var builtFolder = sync.OnceValues(func() (string, error) {
	folder, remove, err := temptest.Folder("tonql-package-")
	if err != nil {
		return "", err
	}
	removeBuilt = remove
	return folder, nil
})

// built is a folder with the output of `make package`, made once for all tests of this package.
var built = sync.OnceValues(func() (string, error) {
	folder, err := builtFolder()
	if err != nil {
		return "", err
	}
	folder = filepath.Join(folder, "package")
	return folder, errors.Join(os.Mkdir(folder, 0o700), makePackage("..", folder))
})

// removeBuilt removes builtFolder, once there is one.
var removeBuilt = func() error { return nil }

func TestMain(m *testing.M) {
	code := m.Run()
	_ = removeBuilt() // what stays is removed by the next run
	os.Exit(code)
}

// buildTime is how long a build may take on a busy machine, with an empty cache.
const buildTime = 20 * time.Minute

func makePackage(root, out string) error {
	ctx, cancel := context.WithTimeout(context.Background(), buildTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "make", "--no-print-directory", "package", "OUT="+out, "VERSION=v1.2.3", "COMMIT=0123456789abcdef")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1700000000")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("make package: %w\n%s", err, output)
	}
	return nil
}

// requireModules skips the test where the modules of a folder are not in the module cache, because tests use no network;
// TONQL_REQUIRE_MODULES forbids that.
func requireModules(t *testing.T, folder string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return
	}
	if os.Getenv("TONQL_REQUIRE_MODULES") != "" {
		require.Failf(t, "modules missing", "go mod download was not run in %s, and TONQL_REQUIRE_MODULES is set: %s", folder, out)
	}
	t.Skipf("go mod download was not run in %s", folder)
}

// built files: the package for Debian, and the binary.
func debFile(t *testing.T) (deb, binary string) {
	t.Helper()
	if pacetest.Short() {
		t.Skip("a package is not built in the short form")
	}
	program(t, "make", "TONQL_REQUIRE_SYSTEMD")
	requireModules(t, "../internal/tools/release")
	folder, err := built()
	require.NoError(t, err)
	debs, err := filepath.Glob(filepath.Join(folder, "*.deb"))
	require.NoError(t, err)
	require.Len(t, debs, 1)
	return debs[0], filepath.Join(folder, "tonql")
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	require.NoError(t, err, "%s %s\n%s", name, strings.Join(args, " "), out)
	return string(out)
}

func TestPackage_HasTheFiles(t *testing.T) {
	t.Parallel()
	program(t, "dpkg-deb", "TONQL_REQUIRE_SYSTEMD")
	deb, _ := debFile(t)
	require.Equal(t, "1.2.3", strings.TrimSpace(output(t, "dpkg-deb", "-f", deb, "Version")))
	var files []string
	for line := range strings.Lines(output(t, "dpkg-deb", "-c", deb)) {
		fields := strings.Fields(line)
		require.Equal(t, "root/root", fields[1], line)
		require.Contains(t, line, " 2023-11-14 ", "the time of the commit")
		if strings.HasPrefix(line, "d") {
			require.Equal(t, "drwxr-xr-x", fields[0], line)
			continue
		}
		files = append(files, fields[0]+" "+fields[5])
	}
	slices.Sort(files)
	files = slices.DeleteFunc(files, func(line string) bool {
		name, ok := strings.CutPrefix(line, "-rw-r--r-- ./usr/share/doc/tonql/")
		_, err := os.Stat(filepath.Join("../docs", name))
		return ok && err == nil // TestPackage_LinksOfItsPagesLeadToFiles has these
	})
	require.Equal(t, []string{
		"-rw------- ./etc/tonql/tonql.yaml",
		"-rw-r--r-- ./usr/lib/systemd/system/tonql-index.service",
		"-rw-r--r-- ./usr/lib/systemd/system/tonql-serve@.service",
		"-rw-r--r-- ./usr/lib/systemd/system/tonql.service",
		"-rw-r--r-- ./usr/lib/sysusers.d/tonql.conf",
		"-rw-r--r-- ./usr/lib/tmpfiles.d/tonql.conf",
		"-rw-r--r-- ./usr/share/bash-completion/completions/tonql",
		"-rw-r--r-- ./usr/share/doc/tonql/THIRD_PARTY_LICENSES.gz",
		"-rw-r--r-- ./usr/share/doc/tonql/changelog.gz",
		"-rw-r--r-- ./usr/share/doc/tonql/copyright",
		"-rw-r--r-- ./usr/share/doc/tonql/examples/grafana/tonql-api.json",
		"-rw-r--r-- ./usr/share/doc/tonql/examples/grafana/tonql-database.json",
		"-rw-r--r-- ./usr/share/doc/tonql/examples/grafana/tonql-indexer.json",
		"-rw-r--r-- ./usr/share/doc/tonql/examples/grafana/tonql-payments.json",
		"-rw-r--r-- ./usr/share/doc/tonql/examples/prometheus/alerts.yml",
		"-rw-r--r-- ./usr/share/doc/tonql/examples/proxy/Caddyfile",
		"-rw-r--r-- ./usr/share/doc/tonql/examples/proxy/nginx.conf",
		"-rw-r--r-- ./usr/share/doc/tonql/sbom.cdx.json",
		"-rw-r--r-- ./usr/share/fish/vendor_completions.d/tonql.fish",
		"-rw-r--r-- ./usr/share/zsh/vendor-completions/_tonql",
		"-rwxr-xr-x ./usr/bin/tonql",
	}, files)
	conffiles := filepath.Join(t.TempDir(), "control")
	output(t, "dpkg-deb", "-e", deb, conffiles)
	data, err := os.ReadFile(filepath.Join(conffiles, "conffiles"))
	require.NoError(t, err)
	require.Equal(t, "/etc/tonql/tonql.yaml", strings.TrimSpace(string(data)))
}

// packaged are the files that a pattern of deploy/debian/nfpm.yaml puts into a folder below /usr/share/doc/tonql, by their names there.
func packaged(t *testing.T) map[string]string {
	t.Helper()
	var nfpm struct {
		Contents []struct{ Src, Dst string }
	}
	text, err := os.ReadFile("debian/nfpm.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &nfpm))
	files := map[string]string{}
	for _, c := range nfpm.Contents {
		below, ok := strings.CutPrefix(c.Dst, "/usr/share/doc/tonql/")
		if !ok {
			continue
		}
		if !strings.Contains(c.Src, "*") {
			files[below] = filepath.Join("..", c.Src)
			continue
		}
		found, err := filepath.Glob(filepath.Join("..", c.Src))
		require.NoError(t, err)
		require.NotEmpty(t, found, c.Src)
		for _, f := range found {
			files[filepath.Join(below, filepath.Base(f))] = f
		}
	}
	return files
}

// The pages of the package link to pages of the package. What lies outside of docs is not installed.
func TestPackage_LinksOfItsPagesLeadToFiles(t *testing.T) {
	t.Parallel()
	files := packaged(t)
	link := regexp.MustCompile(`\]\(([^):#]+\.[a-z]+)(#[^)]*)?\)`)
	links := 0
	for name, source := range files {
		if filepath.Ext(name) != ".md" {
			continue
		}
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if to := filepath.Join(filepath.Dir(name), m[1]); !strings.HasPrefix(to, "..") {
				links++
				require.Contains(t, files, to, "%s links to %s", name, m[1])
			}
		}
	}
	require.Contains(t, files, "runbooks.md", "to which alerts lead")
	require.Greater(t, links, 60)
}

// dpkg installs the package in an empty root. Its files make the account, its folders and their permissions.
func TestPackage_ScriptsMakeAccountAndFolders(t *testing.T) {
	t.Parallel()
	deb, _ := debFile(t)
	sysusers, tmpfiles := program(t, "systemd-sysusers", "TONQL_REQUIRE_SYSTEMD"), program(t, "systemd-tmpfiles", "TONQL_REQUIRE_SYSTEMD")
	if os.Geteuid() != 0 {
		t.Skip("only root makes accounts, also in another root folder")
	}
	root := t.TempDir()
	output(t, "dpkg-deb", "-x", deb, root)
	require.NoError(t, os.WriteFile(filepath.Join(root, "etc/passwd"), []byte("root:x:0:0:root:/root:/bin/sh\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(root, "etc/group"), []byte("root:x:0:\n"), 0o644))
	output(t, sysusers, "--root="+root, "tonql.conf")
	output(t, tmpfiles, "--root="+root, "--create", "tonql.conf")
	passwd, err := os.ReadFile(filepath.Join(root, "etc/passwd"))
	require.NoError(t, err)
	require.Regexp(t, `(?m)^tonql:[^:]*:\d+:\d+:tonql:/var/lib/tonql:/usr/sbin/nologin$`, string(passwd))
	for path, mode := range map[string]os.FileMode{"var/lib/tonql": os.ModeDir | 0o700, "etc/tonql": os.ModeDir | 0o750, "etc/tonql/tonql.yaml": 0o640} {
		info, err := os.Stat(filepath.Join(root, path))
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode(), path)
	}
	control := filepath.Join(root, "control")
	output(t, "dpkg-deb", "-e", deb, control)
	for _, script := range []string{"postinst", "prerm", "postrm"} {
		output(t, "sh", "-n", filepath.Join(control, script))
		// Calls for which the scripts have nothing to do end without an error.
		output(t, "sh", filepath.Join(control, script), "abort-upgrade", "1.2.2")
	}
}

// tonql accepts the configuration of the package, whose values are those that the services need.
func TestPackage_ConfigurationIsValid(t *testing.T) {
	t.Parallel()
	_, binary := debFile(t)
	printed := output(t, binary, "config", "print", "--config", "debian/tonql.yaml")
	for _, line := range []string{"data: /var/lib/tonql", "network: mainnet", "listen: 127.0.0.1:8080", "admin-listen: 127.0.0.1:9100"} {
		require.Contains(t, printed, line)
	}
}

func TestPackage_BinaryNamesVersionCommitAndDate(t *testing.T) {
	t.Parallel()
	_, binary := debFile(t)
	require.Regexp(t, `^tonql v1\.2\.3 \(commit 0123456789abcdef, built 2023-11-14T22:13:20Z, go`, output(t, binary, "version"))
}

// Two builds of the same sources in different folders give the same files.
func TestPackage_IsReproducible(t *testing.T) {
	t.Parallel()
	deb, _ := debFile(t)
	if _, err := os.Stat("../.git"); err != nil {
		t.Skip("the list of source files needs a git checkout")
	}
	root := filepath.Join(t.TempDir(), "elsewhere", "tonql")
	for name := range strings.SplitSeq(strings.TrimRight(output(t, "git", "-C", "..", "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join("..", name))
		if os.IsNotExist(err) {
			continue // removed, and not committed yet
		}
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), data, 0o644))
	}
	out := filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.Mkdir(out, 0o755))
	require.NoError(t, makePackage(root, out))
	for _, name := range []string{"tonql", "tonql.sbom.json", filepath.Base(deb)} {
		first, err := os.ReadFile(filepath.Join(filepath.Dir(deb), name))
		require.NoError(t, err)
		second, err := os.ReadFile(filepath.Join(out, name))
		require.NoError(t, err)
		require.True(t, bytes.Equal(first, second), "%s differs: %d and %d bytes", name, len(first), len(second))
	}
}

// The bill of materials lists modules and pages, each with version, package URL and licence.
func TestPackage_SBOMListsModulesAndPages(t *testing.T) {
	t.Parallel()
	_, binary := debFile(t)
	data, err := os.ReadFile(filepath.Join(filepath.Dir(binary), "tonql.sbom.json"))
	require.NoError(t, err)
	var sbom struct {
		BOMFormat   string `json:"bomFormat"`
		SpecVersion string
		Metadata    struct {
			Component struct{ Name, Version string }
		}
		Components []struct {
			Name, Version, PURL string
			Licenses            []struct{ License struct{ ID, Name string } }
		}
	}
	require.NoError(t, json.Unmarshal(data, &sbom))
	require.Equal(t, "CycloneDX", sbom.BOMFormat)
	require.Equal(t, "v1.2.3", sbom.Metadata.Component.Version)
	names := map[string]bool{}
	for _, c := range sbom.Components {
		names[c.Name] = true
		require.NotEmpty(t, c.Version, c.Name)
		require.NotEmpty(t, c.PURL, c.Name)
		require.NotEmpty(t, c.Licenses, c.Name)
	}
	require.Greater(t, len(names), 50)
	for _, name := range []string{"std", "github.com/jackc/pgx/v5", "preact", "graphiql"} {
		require.True(t, names[name], name)
	}
}
