package deploy

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checks names the tests of each file of this folder, by pattern.
var checks = []struct {
	files string
	tests []string
	in    string // folder of the tests
}{
	{"prometheus/alerts*.yml", []string{"TestAlerts_PromtoolAcceptsThem", "TestMetrics_RulesAndDashboardsNameExportedOnes"}, "../cmd/tonql"},
	{"grafana/*.json", []string{"TestMetrics_RulesAndDashboardsNameExportedOnes"}, "../cmd/tonql"},
	{"systemd/*.service", []string{"TestServices_SystemdAcceptsThem", "TestServices_ExposureIsSmall", "TestDebian_ServiceSurvivesKillsAndRestores"}, "."},
	{"systemd/sysusers.conf", []string{"TestPackage_ScriptsMakeAccountAndFolders"}, "."},
	{"systemd/tmpfiles.conf", []string{"TestPackage_ScriptsMakeAccountAndFolders"}, "."},
	{"debian/*.sh", []string{"TestPackage_ScriptsMakeAccountAndFolders", "TestDebian_ServiceSurvivesKillsAndRestores"}, "."},
	{"debian/tonql.yaml", []string{"TestPackage_ConfigurationIsValid"}, "."},
	{"debian/nfpm.yaml", []string{"TestPackage_HasTheFiles"}, "."},
	{"debian/copyright", []string{"TestPackage_HasTheFiles"}, "."},
	{"container/Dockerfile", []string{"TestContainer_DockerfileIsSafe"}, "."},
	{"container/compose.yaml", []string{"TestContainer_ComposeIsConsistent", "TestCompose_IsAccepted"}, "."},
	{"kubernetes/*.yaml", []string{"TestKubernetes_ObjectsHaveTheirTypes", "TestKubernetes_WorkloadsRunTonql"}, "."},
	{"proxy/nginx.conf", []string{"TestProxy_NginxPassesEverything"}, "../cmd/tonql"},
	{"proxy/Caddyfile", []string{"TestProxy_CaddyPassesEverything"}, "../cmd/tonql"},
	{"thirdparty/texts/*", []string{"TestLicences_FileIsCurrent"}, "thirdparty"},
	{"thirdparty/assets.json", []string{"TestLicences_FileIsCurrent", "TestAssets_EveryEmbeddedFileIsListed"}, "thirdparty"},
}

// Every file of this folder has a check, and every check exists.
func TestFiles_EachHasACheck(t *testing.T) {
	t.Parallel()
	used := make([]bool, len(checks))
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "testdata" {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || strings.HasSuffix(name, ".go") {
			return err
		}
		name = filepath.ToSlash(name)
		found := slices.IndexFunc(checks, func(c struct {
			files string
			tests []string
			in    string
		},
		) bool {
			matches, err := path.Match(c.files, name)
			return err == nil && matches
		})
		if found < 0 {
			t.Errorf("deploy/%s has no check: add a test for it, and a row in checks", name)
			return nil
		}
		used[found] = true
		return nil
	})
	require.NoError(t, err)
	for i, c := range checks {
		require.True(t, used[i], "%s matches no file", c.files)
		sources, err := filepath.Glob(filepath.Join(c.in, "*_test.go"))
		require.NoError(t, err)
		var text strings.Builder
		for _, s := range sources {
			data, err := os.ReadFile(s)
			require.NoError(t, err)
			text.Write(data)
		}
		for _, test := range c.tests {
			require.Regexp(t, `(?m)^func `+test+`\(t \*testing\.T\)`, text.String())
		}
	}
}
