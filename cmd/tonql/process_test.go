package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"tonql/internal/temptest"
)

// removeBinary removes the folder of binary, once there is one.
var removeBinary = func() error { return nil }

// binary builds tonql once for all tests of this package, with the flags of `go run`.
var binary = sync.OnceValues(func() (string, error) {
	dir, remove, err := temptest.Folder("tonql-binary-")
	if err != nil {
		return "", err
	}
	removeBinary = remove
	path := filepath.Join(dir, "tonql")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	// The tests wait for chains and browsers more than they compute.
	if err := flag.Set("test.parallel", "3"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	temptest.InMemory()
	// The HTTP client of the tests keeps connections open for the next request; these are no leaks.
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = removeBinary() // what stays is removed by the next run
		os.Exit(code)
	}), goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"))
}

// process is a running tonql.
type process struct {
	t      testing.TB
	cmd    *exec.Cmd
	stdout *lines
	stderr *lines
	ended  chan struct{}
	err    error // after ended
}

// busy is how much slower a machine can be that runs other tests. Durations that tests name are those of an idle one.
const busy = 4

// lines collects output and lets a test wait for a line of it.
type lines struct {
	mu      sync.Mutex
	buf     bytes.Buffer
	changed chan struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf.Write(p)
	select {
	case l.changed <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// start runs tonql, and kills it when the test ends.
func start(t testing.TB, args ...string) *process {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	return startCommand(t, exec.Command(path, args...))
}

// startCommand is start for a prepared command, whose environment is extended.
func startCommand(t testing.TB, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{
		t: t, cmd: cmd, ended: make(chan struct{}),
		stdout: &lines{changed: make(chan struct{}, 1)}, stderr: &lines{changed: make(chan struct{}, 1)},
	}
	p.cmd.Stdout, p.cmd.Stderr = p.stdout, p.stderr
	p.cmd.Env = append(append(environmentWithoutOurs(), "NO_COLOR=1"), cmd.Env...)
	require.NoError(t, p.cmd.Start())
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it has usually ended
		<-p.ended
		if t.Failed() {
			t.Logf("tonql %s\nstandard output:\n%s\nstandard error (end):\n%s", strings.Join(cmd.Args[1:], " "), p.stdout, tail(p.stderr.String(), 6000))
		}
	})
	return p
}

func environmentWithoutOurs() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "TONQL_") {
			env = append(env, v)
		}
	}
	return env
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// expect waits until standard output matches and returns the first group.
func (p *process) expect(pattern string, within time.Duration) string {
	p.t.Helper()
	re := regexp.MustCompile(pattern)
	deadline := time.After(busy * within)
	for {
		if m := re.FindStringSubmatch(p.stdout.String()); m != nil {
			return m[len(m)-1]
		}
		select {
		case <-p.stdout.changed:
		case <-p.ended:
			require.Failf(p.t, "tonql ended", "before it printed %s: %v", pattern, p.err)
		case <-deadline:
			require.Failf(p.t, "tonql is late", "%s was not printed within %s", pattern, busy*within)
		}
	}
}

// interrupt sends Ctrl-C and expects an orderly end in time.
func (p *process) interrupt(within time.Duration) {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(os.Interrupt))
	select {
	case <-p.ended:
		require.NoError(p.t, p.err)
	case <-time.After(busy * within):
		require.Failf(p.t, "tonql does not stop", "within %s", busy*within)
	}
}

// children lists the processes whose command line or working directory names the folder; a run must leave none.
func children(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	var found []string
	for _, e := range entries {
		line, err := os.ReadFile(e)
		if err != nil {
			continue // it has ended meanwhile
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(e)))
		require.NoError(t, err)
		cwd, _ := os.Readlink(filepath.Join(filepath.Dir(e), "cwd"))
		if pid != os.Getpid() && (bytes.Contains(line, []byte(folder)) || strings.HasPrefix(cwd, folder)) {
			found = append(found, fmt.Sprintf("%d %s", pid, bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
	}
	return found
}

// get reads a URL of the service.
func get(t testing.TB, url string) (int, []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), busy*20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, body
}

// query sends a GraphQL query and decodes data; an error in the response fails the test.
func query(t *testing.T, base, text string, into any) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": text})
	require.NoError(t, err)
	resp, err := http.Post(base+"/graphql", "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	var response struct {
		Data   json.RawMessage
		Errors []json.RawMessage
	}
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&response))
	require.Empty(t, response.Errors)
	require.NoError(t, json.Unmarshal(response.Data, into))
}

// eventually polls a condition of the running service until it holds.
func eventually(t testing.TB, within time.Duration, what string, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, busy*within, 200*time.Millisecond, what)
}
