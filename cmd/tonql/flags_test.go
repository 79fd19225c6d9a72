package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v3"
	"go.yaml.in/yaml/v3"

	"tonql/internal/config"
	"tonql/internal/filelock"
	"tonql/internal/pacetest"
)

var update = flag.Bool("update", false, "write the documents that are generated from the declarations of settings")

// commands returns a command and all below it, without those of the library.
func commands(c *cli.Command) []*cli.Command {
	all := []*cli.Command{c}
	for _, sub := range c.Commands {
		all = append(all, commands(sub)...)
	}
	return all
}

// invoke runs the program in this process and returns its standard output.
func invoke(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	root := app()
	root.Writer, root.ErrWriter = &out, io.Discard
	err := root.Run(t.Context(), append([]string{"tonql"}, args...))
	return out.String(), err
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestFlags_AreDeclaredWithHelpThemeAndVariable(t *testing.T) {
	t.Parallel()
	for _, command := range commands(app()) {
		require.NotEmpty(t, command.Usage, command.Name)
		for _, f := range command.Flags {
			name := command.Name + " --" + f.Names()[0]
			if command.Name == "tonql" {
				continue // --version
			}
			setting, ok := config.Declared(f)
			require.True(t, ok, "%s is not declared in internal/config", name)
			require.NotEmpty(t, setting.Theme(), "%s has no theme", name)
			require.True(t, setting.Complete(), "%s is a number or a duration without bounds", name)
			doc, ok := f.(cli.DocGenerationFlag)
			require.True(t, ok)
			require.NotEmpty(t, doc.GetUsage(), name)
			require.Equal(t, []string{setting.Variable()}, doc.GetEnvVars(), name)
		}
	}
}

func TestFlags_WrongValuesAreRefusedBeforeAnythingStarts(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	bad := write(t, "bad.json", `{"liteservers": [1,}`)
	for want, flags := range map[string][]string{
		`--network should be devnet, testnet or mainnet, not "mainet"`:                               {"--network", "mainet"},
		`--listen needs a value; without the setting it is 127.0.0.1:8080`:                           {"--listen", ""},
		`--data needs a value; without the setting it is tonql-data`:                                 {"--data", ""},
		`--listen: "8080" is not host:port`:                                                          {"--listen", "8080"},
		`--block-interval should be a duration from 1ms to 24h, such as 1s, not "-5s"`:               {"--block-interval=-5s"},
		`--node-timeout should be a duration from 1ms to 1h, such as 8s, not "0s"`:                   {"--node-timeout", "0s"},
		`--workers should be a number from 1 to 1024, not "0"`:                                       {"--workers", "0"},
		`--workers should be a number from 1 to 1024, not "many"`:                                    {"--workers", "many"},
		`--replay-time should be a duration from`:                                                    {"--replay-time", "-1s"},
		`--replay-memory should be a number from 1 to 1048576, not "0"`:                              {"--replay-memory", "0"},
		`--from: "yesterday" is not a seqno, latest, or -N`:                                          {"--from", "yesterday"},
		`--global-version should be a number from 13 to 15, not "12"`:                                {"--global-version", "12"},
		`--limit-without-key: "-1" is neither 'none' nor a positive number`:                          {"--limit-without-key=-1"},
		`--trusted-proxy: "proxy" is neither an address nor a network`:                               {"--trusted-proxy", "10.0.0.0/8", "--trusted-proxy", "proxy"},
		`--webhook-key: the key of webhook secrets is 32 bytes as base64`:                            {"--webhook-key", "short"},
		`--database-url: the database URL cannot be read`:                                            {"--database-url", "postgres://user:secret@host:port/"},
		`--profile-listen: "0.0.0.0:6060" is not a loopback address`:                                 {"--profile-listen", "0.0.0.0:6060"},
		`--global-config: ` + bad + `: offset 20: invalid character`:                                 {"--global-config", bad},
		`--metadata-overrides: ` + bad + `: offset 20: invalid character`:                            {"--metadata-overrides", bad},
		`--trusted-documents: ` + bad + `: offset 20: invalid character`:                             {"--trusted-documents", bad},
		`--fiat-rates: ` + bad + `: offset 20: invalid character`:                                    {"--fiat-rates", bad},
		`--fiat-rates: prices: stat ` + bad + `.none: no such file`:                                  {"--fiat-rates", bad + ".none"},
		`--compiler-folder: open ` + bad + `.none: no such file`:                                     {"--compiler-folder", bad + ".none"},
		`--image-svg: images in SVG: exec: "` + bad:                                                  {"--image-svg", bad},
		`--keep: "90" is not a number of days such as 90d`:                                           {"--keep", "90"},
		`--cors-origin: "app.example" is neither '*' nor an origin`:                                  {"--cors-origin", "https://x", "--cors-origin", "app.example"},
		`--cors-origin: "https://app.example/" is neither '*' nor an origin`:                         {"--cors-origin", "https://app.example/"},
		`--public-url: "pay.example" is not the base URL of a service, such as https://pay.example`:  {"--public-url", "pay.example"},
		`--public-url: "https://pay.example/?a=b" is not the base URL`:                               {"--public-url", "https://pay.example/?a=b"},
		`--private-liteservers: "pool" is not NAME=FILE_OR_URL`:                                      {"--private-liteservers", "pool"},
		`--private-liteservers names "a" twice`:                                                      {"--private-liteservers", "a=https://x", "--private-liteservers", "a=https://y"},
		`--trace-endpoint: the URL of a trace receiver begins with http:// or https:// and a host`:   {"--trace-endpoint", "ftp://secret@host"},
		`--trace-header: a header is NAME=VALUE`:                                                     {"--trace-header", "secret@"},
		`--trace-sample should be a number from 0 to 1, not "1.5"`:                                   {"--trace-sample", "1.5"},
		`--trace-parent needs --trusted-proxy`:                                                       {"--trace-parent"},
		`--only-trusted-documents needs --trusted-documents`:                                         {"--only-trusted-documents"},
		`--log-level should be debug, info, warn or error, not "loud"`:                               {"--log-level", "loud"},
		`tonql up has no flag --netwurk; did you mean --network?`:                                    {"--netwurk", "mainnet"},
		`tonql up has no flag --colour; see tonql up --help`:                                         {"--colour"},
		"--network should be devnet, testnet or mainnet, not \"x\"\n--shard-blocks should be a numb": {"--network", "x", "--shard-blocks", "9"},
	} {
		out, err := invoke(t, append([]string{"up", "--data", data}, flags...)...)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "secret@", "a password is not repeated")
		require.Empty(t, out, "the help does not bury the error")
	}
	for want, args := range map[string][]string{
		"--smtp-url needs --smtp-from":                                                     {"up", "--smtp-url", "smtp://mail.example:25?tls=none"},
		"--owner is required":                                                              {"keys", "create", "--plan", "free"},
		"--rate and --keys need --plan custom":                                             {"keys", "create", "--owner", "alice", "--rate", "3"},
		"--plan custom needs --rate, the requests per second, and --keys":                  {"keys", "create", "--owner", "alice", "--plan", "custom", "--rate", "3"},
		"a custom plan has a rate of 0.01 to 1000000 requests a second and 1 to 1000 keys": {"keys", "create", "--owner", "alice", "--plan", "custom", "--rate", "3", "--keys", "1001"},
		"plan free has its own rate and number of keys":                                    {"keys", "create", "--owner", "alice", "--plan", "free", "--rate", "3"},
		"--page: \"pay.example\" is not the base URL of a service":                         {"merchants", "create", "shop", "--page", "pay.example"},
		"an address that begins with a minus is behind it":                                 {"faucet", "-1:3333", "1", "--comment", "x"},
	} {
		_, err := invoke(t, append(args, "--data", data)...)
		require.ErrorContains(t, err, want)
	}
	require.NoDirExists(t, data, "nothing is started")
}

func TestCommands_MistypedOnesAreRefusedWithASuggestion(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"srve":              `tonql has no command "srve"; did you mean 'tonql serve'?`,
		"foo":               `tonql has no command "foo": choose one of up, serve, index`,
		"keys lits":         `tonql keys has no command "lits"; did you mean 'tonql keys list'?`,
		"help srve":         `tonql has no command "srve"; did you mean 'tonql serve'?`,
		"keys help lits":    `tonql keys has no command "lits"; did you mean 'tonql keys list'?`,
		"index redtect":     `tonql index has no command "redtect"; did you mean 'tonql index redetect'?`,
		"completion bsh":    `tonql completion has no command "bsh"; did you mean 'tonql completion bash'?`,
		"completion bash x": `unexpected argument "x": tonql completion bash takes flags only`,
		"version x":         `unexpected argument "x": tonql version takes flags only; see tonql version --help`,
		"doctor x":          `unexpected argument "x": tonql doctor takes flags only`,
		"config schema x":   `unexpected argument "x": tonql config schema takes flags only`,
	} {
		_, err := invoke(t, strings.Fields(given)...)
		require.ErrorContains(t, err, want)
	}
	for _, args := range [][]string{nil, {"help"}, {"--help"}} {
		out, err := invoke(t, args...)
		require.NoError(t, err)
		require.Contains(t, out, "tonql up")
	}
	for _, args := range [][]string{{"keys", "create", "--help"}, {"help", "keys", "create"}, {"keys", "help", "create"}} {
		out, err := invoke(t, args...)
		require.NoError(t, err)
		require.Contains(t, out, "tonql keys create - ")
		require.Contains(t, out, "--owner")
	}
}

func TestHelp_ListsFlagsByThemeAndCompletions(t *testing.T) {
	t.Parallel()
	out, err := invoke(t, "up", "--help")
	require.NoError(t, err)
	for _, s := range fileSettings() {
		require.Contains(t, out, "--"+s.Name())
		require.Contains(t, out, "\n   "+s.Theme()+"\n")
		require.Contains(t, out, s.Variable())
	}
	out, err = invoke(t, "--help")
	require.NoError(t, err)
	require.Contains(t, out, "completion")
	for _, shell := range []string{"bash", "zsh", "fish"} {
		require.Contains(t, out, shell)
	}
	out, err = invoke(t, "completion", "--help")
	require.NoError(t, err)
	require.Contains(t, out, "print the script for fish")
	require.NotContains(t, out, "pwsh", "no document has it")
}

func TestConfigFile_FlagsPrecedeEnvironmentAndEnvironmentPrecedesFile(t *testing.T) { //nolint:paralleltest // it sets environment variables
	t.Setenv("TONQL_WORKERS", "7")
	t.Setenv("TONQL_TRAFFIC", "8")
	file := write(t, "tonql.yaml", `
# all commands share this file
network: mainnet
workers: 3
traffic: 4
commit-blocks: 5
listen: ":81"
from: -1000
detect: on
cors-origin: [https://a.example, https://b.example]
trusted-proxy: 10.0.0.0/8
node-timeout: 3s
shared-limits: true
webhook-key: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
database-url: postgres://user:secret@host/tonql?sslpassword=hidden
read-database-url: host=replica password=secret
`)
	out, err := invoke(t, "config", "print", "--config", file, "--traffic", "9")
	require.NoError(t, err)
	for _, line := range []string{
		"network: mainnet # " + file + ":3", "workers: 7 # TONQL_WORKERS", "traffic: 9 # --traffic", "commit-blocks: 5 # " + file + ":6",
		"from: \"-1000\" # " + file + ":8", "detect: \"on\" # " + file + ":9", "cors-origin: ['https://a.example', 'https://b.example'] # " + file + ":10",
		"trusted-proxy: [10.0.0.0/8] # " + file + ":11", "node-timeout: 3s # " + file + ":12", "shared-limits: true # " + file + ":13",
		"webhook-key: '********' # " + file + ":14", "proofs: secure",
		"database-url: postgres://user:********@host/tonql?sslpassword=******** # " + file + ":15", "read-database-url: '********' # " + file + ":16",
	} {
		require.Contains(t, out, "\n"+line+"\n")
	}
	require.NotContains(t, out, "secret")
	out, err = invoke(t, "config", "print", "--config", file, "--read-database-url", "postgres://a:secret@one/x postgres://b:secret@two/x")
	require.NoError(t, err)
	require.Contains(t, out, "postgres://a:********@one/x postgres://b:********@two/x")
	require.NotContains(t, out, "secret")
	for given, printed := range map[string]string{
		"https://user:secret@host/x": "https://user:********@host/x", "https://secret@host/x": "https://********@host/x",
	} {
		out, err = invoke(t, "config", "print", "--trace-endpoint", given, "--trace-header", "Name=secret")
		require.NoError(t, err)
		require.Contains(t, out, "trace-endpoint: "+printed+" # --trace-endpoint\n")
		require.Contains(t, out, "trace-header: ['********'] # --trace-header\n")
		require.NotContains(t, out, "secret")
	}

	t.Setenv("TONQL_CONFIG", file)
	out, err = invoke(t, "config", "print")
	require.NoError(t, err)
	require.Contains(t, out, "commit-blocks: 5 # "+file+":6")

	t.Setenv("TONQL_WORKERS", "many")
	_, err = invoke(t, "config", "print")
	require.ErrorContains(t, err, `TONQL_WORKERS should be a number from 1 to 1024, not "many"`)
}

func TestCommands_WarnOfMisspeltVariables(t *testing.T) { //nolint:paralleltest // it sets environment variables and standard error
	var lines strings.Builder
	before := errorOutput
	errorOutput = &lines
	t.Cleanup(func() { errorOutput = before })
	t.Setenv("TONQL_DATABSE_URL", "postgres://user:secret@host/db")
	t.Setenv("TONQL_SERVICE_HOST", "10.0.0.1")
	_, err := invoke(t, "config", "print")
	require.NoError(t, err)
	require.Contains(t, lines.String(), `level=WARN msg="environment variable ignored: no setting has this name" variable=TONQL_DATABSE_URL similar=TONQL_DATABASE_URL`)
	require.NotContains(t, lines.String(), "secret")
	require.NotContains(t, lines.String(), "TONQL_SERVICE_HOST")
}

func TestConfigFile_MistakesAreRefusedWithTheirLines(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	for text, want := range map[string]string{
		"network: mainet":                     `:1: network should be devnet, testnet or mainnet, not "mainet"`,
		"listen: :80\nnetwurk: mainnet":       `:2: unknown key "netwurk"; did you mean "network"?`,
		"zebra: 1":                            `:1: unknown key "zebra"`,
		"workers: 2\nworkers: 3":              `:2: workers is set twice, first in line 1`,
		"workers: 0":                          `:1: workers should be a number from 1 to 1024, not "0"`,
		"workers:":                            `:1: workers has no value`,
		"workers: [1]":                        `:1: workers should be one value: a number from 1 to 1024`,
		"node-timeout: 5":                     `:1: node-timeout needs a unit: 5s or 5ms, not 5`,
		"cors-origin: {a: b}":                 `:1: cors-origin should be a list of texts`,
		"trusted-proxy: [10.0.0.0/8, nobody]": `:1: trusted-proxy: "nobody" is neither an address nor a network`,
		"webhook-key: short":                  `:1: webhook-key: the key of webhook secrets is 32 bytes`,
		"owner: alice":                        `:1: unknown key "owner"`,
		"- network":                           `:1: a configuration file is a list of lines`,
		"data: ''":                            `:1: data needs a value; without the setting it is tonql-data`,
		"listen: :80\n---\nlisten: :81":       `:2: a configuration file is one document`,
		"listen: &x :80\nadmin-listen: *x":    `:2: admin-listen should be a value, not an alias of another one`,
		"<<: {listen: ':80'}":                 `:1: unknown key "<<"`,
		strings.Repeat("[", 1<<19):            `: exceeded max depth`,
		"network: [":                          `: did not find expected node content`,
		"a: b\n\tc: d":                        `:2: found a tab character`,
		strings.Repeat("#", 1<<20+1):          `a configuration file has at most 1048576 bytes`,
	} {
		file := write(t, "tonql.yaml", text)
		_, err := invoke(t, "serve", "--data", data, "--config", file)
		require.ErrorContains(t, err, file, text)
		require.ErrorContains(t, err, want)
	}
	_, err := invoke(t, "serve", "--data", data, "--config", "/nonexistent.yaml")
	require.ErrorContains(t, err, "--config: open /nonexistent.yaml: no such file")
	require.NoDirExists(t, data, "nothing is started")
}

// An error lists some of the mistakes: the search for similar names takes time, and nobody reads a hundred thousand lines.
func TestConfigFile_ManyMistakesAreABriefError(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&text, "netwurk%d: 1\n", i)
	}
	begun := time.Now()
	_, err := invoke(t, "config", "print", "--config", write(t, "tonql.yaml", text.String()))
	require.ErrorContains(t, err, `tonql.yaml:20: unknown key "netwurk19"; did you mean "network"?`)
	require.ErrorContains(t, err, "tonql.yaml: the lines after these were not checked")
	require.Less(t, len(err.Error()), 10_000)
	require.Less(t, time.Since(begun), pacetest.Slow*10*time.Second)
}

// An address in use is refused before a database, a local chain or a key is made.
func TestListen_AddressInUseIsRefusedBeforeAnythingStarts(t *testing.T) {
	t.Parallel()
	other, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, other.Close()) }()
	busy, data := other.Addr().String(), filepath.Join(t.TempDir(), "data")
	for _, args := range [][]string{
		{"up", "--listen", busy},
		{"up", "--listen", "127.0.0.1:0", "--admin-listen", busy},
		{"up", "--listen", "127.0.0.1:0", "--devnet-listen", busy},
		{"up", "--listen", "127.0.0.1:0", "--devnet-admin", busy},
		{"up", "--listen", "127.0.0.1:0", "--profile-listen", busy},
		{"serve", "--listen", busy},
		{"index", "--global-config", "testdata/global.config.json", "--admin-listen", busy},
		{"devnet", "--devnet-listen", busy},
	} {
		_, err := invoke(t, append(args, "--data", data)...)
		require.ErrorContains(t, err, args[len(args)-2]+" "+busy+": listen tcp "+busy+": bind: address already in use; stop the program that listens there, or choose another address", "%v", args)
	}
	require.NoDirExists(t, data, "nothing is started")

	// The process that has the data folder is the most likely one.
	require.NoError(t, os.MkdirAll(filepath.Join(data, "devnet"), 0o700))
	lock, err := filelock.Lock(filepath.Join(data, "devnet", "lock"))
	require.NoError(t, err)
	defer func() { require.NoError(t, lock.Close()) }()
	_, err = invoke(t, "up", "--data", data, "--listen", busy)
	require.ErrorContains(t, err, fmt.Sprintf("data folder %s is in use by another tonql (process %d)", data, os.Getpid()))
}

func TestListen_OneAddressInTwoFlagsIsRefused(t *testing.T) {
	t.Parallel()
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := free.Addr().String()
	require.NoError(t, free.Close())
	data := filepath.Join(t.TempDir(), "data")
	_, err = invoke(t, "up", "--data", data, "--listen", address, "--admin-listen", address)
	require.ErrorContains(t, err, "--admin-listen "+address)
	require.NoDirExists(t, data, "nothing is started")
}

func TestConfigPrint_PrintsAFileThatIsAccepted(t *testing.T) {
	t.Parallel()
	first, err := invoke(t, "config", "print")
	require.NoError(t, err)
	second, err := invoke(t, "config", "print", "--config", write(t, "tonql.yaml", first))
	require.NoError(t, err)
	plain := func(text string) (values map[string]any) {
		require.NoError(t, yaml.Unmarshal([]byte(text), &values))
		return values
	}
	require.Equal(t, plain(first), plain(second))
	require.Len(t, plain(first), len(fileSettings()))

	text, err := invoke(t, "config", "schema")
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("tonql.json", document))
	schema, err := compiler.Compile("tonql.json")
	require.NoError(t, err)
	validate := func(text string) error {
		data, err := json.Marshal(plain(text))
		require.NoError(t, err)
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		require.NoError(t, err)
		return schema.Validate(value)
	}
	require.NoError(t, validate(first))
	for _, wrong := range []string{"netwurk: mainnet", "network: mainet", "workers: 0", "workers: many", "node-timeout: 5", "shared-limits: maybe"} {
		require.Error(t, validate(wrong), wrong)
	}
}

// The reference of the settings is written from their declarations by `go test ./cmd/tonql -run TestConfiguration -update`.
func TestConfiguration_DocumentsAreCurrent(t *testing.T) {
	t.Parallel()
	const page, marker = "../../docs/configuration.md", "<!-- The tables are generated -->\n"
	old, err := os.ReadFile(page)
	require.NoError(t, err)
	head, _, found := strings.Cut(string(old), marker)
	require.True(t, found)
	document := head + marker + config.Document(fileSettings())
	schema, err := config.Schema(fileSettings())
	require.NoError(t, err)
	for path, text := range map[string]string{page: document, "../../docs/tonql.schema.json": string(schema) + "\n"} {
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		}
		stored, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(stored), "%s is outdated: run go test ./cmd/tonql -run TestConfiguration -update", path)
	}
}
