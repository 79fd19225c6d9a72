package deploy

import (
	"debug/elf"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// instruction is one of a Dockerfile, with its continuation lines.
type instruction struct{ name, rest string }

func dockerfile(t *testing.T) []instruction {
	t.Helper()
	data, err := os.ReadFile("container/Dockerfile")
	require.NoError(t, err)
	var all []instruction
	joined := regexp.MustCompile(`\\\n\s*`).ReplaceAllString(string(data), " ")
	for line := range strings.Lines(joined) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, found := strings.Cut(line, " ")
		require.True(t, found, line)
		all = append(all, instruction{name, strings.TrimSpace(rest)})
	}
	return all
}

// The image has the binary alone, runs it without privileges, and its build takes nothing from elsewhere but a pinned image.
func TestContainer_DockerfileIsSafe(t *testing.T) {
	t.Parallel()
	allowed := []string{"ARG", "FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "VOLUME", "EXPOSE", "STOPSIGNAL", "ENTRYPOINT", "CMD"}
	var images []string
	last := map[string]string{}
	for _, i := range dockerfile(t) {
		require.Contains(t, allowed, i.name)
		if i.name == "FROM" {
			images = append(images, strings.Fields(i.rest)[0])
			last = map[string]string{}
		}
		last[i.name] = i.rest
		if i.name == "RUN" {
			require.NotRegexp(t, `curl|wget|apt-get|sudo`, i.rest, "the build installs nothing")
		}
		if i.name == "COPY" && len(images) == 1 {
			require.NotContains(t, i.rest, "--chown")
		}
	}
	require.Equal(t, "scratch", images[len(images)-1], "the last image has nothing but what is copied")
	for _, image := range images[:len(images)-1] {
		require.Regexp(t, `:[^:]*\$\{GO_VERSION\}`, image, "a tag names the version")
	}
	require.Equal(t, "65532:65532", last["USER"], "a number, since the image has no list of accounts")
	require.NotContains(t, last, "RUN", "scratch has no shell")
	require.Equal(t, `["/usr/bin/tonql"]`, last["ENTRYPOINT"], "signals reach the program")
	require.Equal(t, "TONQL_DATA=/data", last["ENV"])
	gomod, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(gomod)
	require.NotNil(t, version)
	require.Contains(t, dockerfile(t), instruction{"ARG", "GO_VERSION=" + string(version[1])})
}

// The binary needs no other file of a system: an image of scratch can run it.
func TestContainer_BinaryIsStatic(t *testing.T) {
	t.Parallel()
	_, path := debFile(t)
	binary, err := elf.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, binary.Close()) }()
	for _, p := range binary.Progs {
		require.NotEqual(t, elf.PT_INTERP, p.Type, "a dynamic loader")
	}
	libraries, err := binary.ImportedLibraries()
	require.NoError(t, err)
	require.Empty(t, libraries)
}

// compose has the fields of a compose file that ours uses; others are refused.
type compose struct {
	Name        string                    `yaml:"name"`
	Tonql       yaml.Node                 `yaml:"x-tonql"`
	Environment yaml.Node                 `yaml:"x-environment"`
	Postgres    yaml.Node                 `yaml:"x-postgres"`
	Services    map[string]composeService `yaml:"services"`
	Configs     map[string]struct {
		Content string `yaml:"content"`
	} `yaml:"configs"`
	Volumes map[string]any `yaml:"volumes"`
}

type composeService struct {
	Image string `yaml:"image"`
	Build struct {
		Context    string            `yaml:"context"`
		Dockerfile string            `yaml:"dockerfile"`
		Args       map[string]string `yaml:"args"`
	} `yaml:"build"`
	Profiles    []string          `yaml:"profiles"`
	Restart     string            `yaml:"restart"`
	ReadOnly    bool              `yaml:"read_only"`
	Tmpfs       []string          `yaml:"tmpfs"`
	CapDrop     []string          `yaml:"cap_drop"`
	SecurityOpt []string          `yaml:"security_opt"`
	Volumes     []string          `yaml:"volumes"`
	Grace       string            `yaml:"stop_grace_period"`
	ShmSize     string            `yaml:"shm_size"`
	User        string            `yaml:"user"`
	Entrypoint  []string          `yaml:"entrypoint"`
	Command     yaml.Node         `yaml:"command"`
	Environment map[string]string `yaml:"environment"`
	Ports       []string          `yaml:"ports"`
	Configs     []struct {
		Source string `yaml:"source"`
		Target string `yaml:"target"`
		Mode   int    `yaml:"mode"`
	} `yaml:"configs"`
	Healthcheck struct {
		Test     []string `yaml:"test"`
		Interval string   `yaml:"interval"`
		Retries  int      `yaml:"retries"`
	} `yaml:"healthcheck"`
	DependsOn map[string]struct {
		Condition string `yaml:"condition"`
	} `yaml:"depends_on"`
}

// The compose file refers to what it has, publishes nothing beyond this machine, and its commands are those of tonql.
func TestContainer_ComposeIsConsistent(t *testing.T) {
	t.Parallel()
	file, err := os.Open("container/compose.yaml")
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	var c compose
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(&c))
	_, binary := debFile(t)
	for name, s := range c.Services {
		require.NotEmpty(t, s.Image, name)
		require.NotRegexp(t, `:latest$`, s.Image)
		require.Equal(t, []string{"no-new-privileges:true"}, s.SecurityOpt, name)
		for _, port := range s.Ports {
			require.True(t, strings.HasPrefix(port, "127.0.0.1:"), "%s publishes %s", name, port)
		}
		for _, v := range s.Volumes {
			volume, _, _ := strings.Cut(v, ":")
			require.Contains(t, c.Volumes, volume, name)
		}
		for _, config := range s.Configs {
			require.Contains(t, c.Configs, config.Source, name)
		}
		for other, d := range s.DependsOn {
			require.Contains(t, c.Services, other, name)
			if d.Condition == "service_healthy" {
				require.NotEmpty(t, c.Services[other].Healthcheck.Test, other)
			}
			// Without the profile, what does not have it starts.
			require.True(t, len(c.Services[other].Profiles) == 0 || slices.Equal(s.Profiles, c.Services[other].Profiles), "%s needs %s", name, other)
		}
		if s.Build.Dockerfile == "" {
			continue
		}
		require.FileExists(t, filepath.Join("container", s.Build.Context, s.Build.Dockerfile))
		require.True(t, s.ReadOnly, name)
		require.Equal(t, []string{"ALL"}, s.CapDrop, name)
		var command []string
		require.NoError(t, s.Command.Decode(&command))
		help := output(t, binary, command[0], "--help")
		for _, argument := range command[1:] {
			if strings.HasPrefix(argument, "--") {
				require.Contains(t, help, argument+" ")
			}
		}
		for variable := range s.Environment {
			require.Contains(t, help, "$"+variable, "%s has a variable that tonql %s does not read", name, command[0])
		}
	}
	require.Len(t, c.Services, 5)
}
