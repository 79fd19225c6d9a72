package deploy

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"tonql/internal/pacetest"
)

// manifestsProgram is the program that checks manifests, built once for all tests of this package.
var manifestsProgram = sync.OnceValues(func() (string, error) {
	folder, err := builtFolder()
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "manifests")
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Dir = "../internal/tools/manifests"
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// checkManifests reads files into the types of Kubernetes, or loads a compose file.
func checkManifests(t *testing.T, files ...string) (string, error) {
	t.Helper()
	requireModules(t, "../internal/tools/manifests")
	path, err := manifestsProgram()
	require.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), path, files...).CombinedOutput()
	return string(out), err
}

// The objects have fields that Kubernetes has, with values of their types.
func TestKubernetes_ObjectsHaveTheirTypes(t *testing.T) {
	t.Parallel()
	if pacetest.Short() {
		t.Skip("the types of Kubernetes are not built in the short form")
	}
	path, err := filepath.Abs("kubernetes/tonql.yaml")
	require.NoError(t, err)
	out, err := checkManifests(t, path)
	require.NoError(t, err, out)
	require.Equal(t, []string{
		"ConfigMap tonql", "ServiceAccount tonql", "StatefulSet tonql-index", "Deployment tonql-serve", "Service tonql",
		"PodDisruptionBudget tonql-serve", "NetworkPolicy tonql",
	}, strings.Split(strings.TrimSpace(out), "\n"))

	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for change, want := range map[string]string{
		"readOnlyRootFilesystem": "readOnlyRootFileSystem", "kind: Deployment": "kind: Deploymnt", "replicas: 2": "replicas: two",
	} {
		broken := filepath.Join(t.TempDir(), "broken.yaml")
		require.NoError(t, os.WriteFile(broken, []byte(strings.ReplaceAll(string(data), change, want)), 0o600))
		out, err := checkManifests(t, broken)
		require.Error(t, err, "%s\n%s", want, out)
	}
}

// Docker Compose accepts the file with all its profiles, and refuses it with a misspelt field.
func TestCompose_IsAccepted(t *testing.T) {
	t.Parallel()
	if pacetest.Short() {
		t.Skip("the rules of Docker Compose are not built in the short form")
	}
	path, err := filepath.Abs("container/compose.yaml")
	require.NoError(t, err)
	out, err := checkManifests(t, path)
	require.NoError(t, err, out)
	require.Equal(t, "service index\nservice postgres\nservice serve\nservice serve-standby\nservice standby\n", out)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	broken := filepath.Join(t.TempDir(), "compose.yaml")
	require.NoError(t, os.WriteFile(broken, []byte(strings.Replace(string(data), "healthcheck:", "healthchek:", 1)), 0o600))
	out, err = checkManifests(t, broken)
	require.Error(t, err)
	require.Contains(t, out, "healthchek")
}

// Containers run without privileges, and tonql accepts the configuration and the arguments.
func TestKubernetes_WorkloadsRunTonql(t *testing.T) {
	t.Parallel()
	_, binary := debFile(t)
	file, err := os.Open("kubernetes/tonql.yaml")
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	decoder := yaml.NewDecoder(file)
	workloads := 0
	for {
		var node yaml.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		lowerKeys(&node)
		var p struct {
			Kind string
			Spec struct {
				Template struct {
					Spec struct {
						Securitycontext struct{ Runasnonroot bool }
						Containers      []struct {
							Args            []string
							Env             []struct{ Name string }
							Securitycontext struct {
								Readonlyrootfilesystem bool
								Capabilities           struct{ Drop []string }
							}
						}
					}
				}
			}
			Data map[string]string
		}
		require.NoError(t, node.Decode(&p))
		if text, ok := p.Data["tonql.yaml"]; ok {
			config := filepath.Join(t.TempDir(), "tonql.yaml")
			require.NoError(t, os.WriteFile(config, []byte(text), 0o600))
			require.Contains(t, output(t, binary, "config", "print", "--config", config), "data: /data")
		}
		for _, c := range p.Spec.Template.Spec.Containers {
			workloads++
			require.True(t, p.Spec.Template.Spec.Securitycontext.Runasnonroot)
			require.True(t, c.Securitycontext.Readonlyrootfilesystem)
			require.Equal(t, []string{"ALL"}, c.Securitycontext.Capabilities.Drop)
			help := output(t, binary, c.Args[0], "--help")
			require.Contains(t, help, c.Args[1]+" ")
			for _, e := range c.Env {
				if c.Args[0] == "serve" {
					require.Contains(t, help, "$"+e.Name)
				}
			}
		}
	}
	require.Equal(t, 2, workloads)
}

// lowerKeys changes the keys of objects to lower case, which is how fields of Go structs are called by default.
func lowerKeys(n *yaml.Node) {
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			child.Value = strings.ToLower(child.Value)
		}
		lowerKeys(child)
	}
}

// The release has the flags of `make build`, so that its binaries are those of everybody else. Fields that it does not use are
// refused, since a misspelt one would be ignored.
func TestRelease_BuildsLikeTheMakefile(t *testing.T) {
	t.Parallel()
	file, err := os.Open("../.goreleaser.yaml")
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	type glob struct {
		Glob string `yaml:"glob"`
	}
	var c struct {
		Version int    `yaml:"version"`
		Project string `yaml:"project_name"`
		Before  struct {
			Hooks []string `yaml:"hooks"`
		} `yaml:"before"`
		Builds []struct {
			ID      string   `yaml:"id"`
			Main    string   `yaml:"main"`
			Binary  string   `yaml:"binary"`
			Env     []string `yaml:"env"`
			Flags   []string `yaml:"flags"`
			LDFlags []string `yaml:"ldflags"`
			Time    string   `yaml:"mod_timestamp"`
			Targets []string `yaml:"targets"`
		} `yaml:"builds"`
		Archives []struct {
			ID      string   `yaml:"id"`
			Formats []string `yaml:"formats"`
			Name    string   `yaml:"name_template"`
			Files   []string `yaml:"files"`
		} `yaml:"archives"`
		Checksum struct {
			Name      string `yaml:"name_template"`
			Algorithm string `yaml:"algorithm"`
			Extra     []glob `yaml:"extra_files"`
		} `yaml:"checksum"`
		Changelog struct {
			Disable bool `yaml:"disable"`
		} `yaml:"changelog"`
		Release struct {
			Draft      bool   `yaml:"draft"`
			Prerelease string `yaml:"prerelease"`
			Extra      []glob `yaml:"extra_files"`
		} `yaml:"release"`
	}
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(&c))
	require.Equal(t, 2, c.Version)
	require.Len(t, c.Builds, 1)
	makefile, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	flags := strings.NewReplacer("{{ .Tag }}", "$(VERSION)", "{{ .FullCommit }}", "$(COMMIT)", "{{ .CommitDate }}", "$(BUILT)").Replace(c.Builds[0].LDFlags[0])
	require.Contains(t, string(makefile), "LDFLAGS = "+flags+"\n")
	require.Contains(t, string(makefile), c.Builds[0].Env[0]+" go build "+strings.Join(c.Builds[0].Flags, " ")+" -ldflags")
	for _, pattern := range c.Archives[0].Files {
		found, err := filepath.Glob(filepath.Join("..", strings.ReplaceAll(pattern, "**/", "*/")))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
	}
}
