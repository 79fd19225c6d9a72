package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

func TestParseAmount_AcceptsTONAndNanotons(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]uint64{
		"1.5": 1_500_000_000, "1.5 TON": 1_500_000_000, "2 grams": 2_000_000_000, "1 gram": 1_000_000_000, "0.000000001": 1,
		"1000000": maxFaucet, "7 nano": 7, "  3   ton ": 3_000_000_000, "007": 7_000_000_000,
	} {
		nano, err := parseAmount(given)
		require.NoError(t, err, given)
		require.Equal(t, want, nano, given)
	}
	for _, given := range []string{
		"", " ", "0", "0.0", "-1", "+1", "1e9", "1,5", ".5", "5.", "1.0000000001", "1000000.000000001", "1.5 nano", "0 nano",
		"1 bitcoin", "1 TON now", "TON", "0x10", "١", strings.Repeat("9", 1000),
	} {
		_, err := parseAmount(given)
		require.ErrorContains(t, err, "expected 0.000000001 to 1000000 TON", given)
	}
	require.Equal(t, "1.5", formatAmount(1_500_000_000))
	require.Equal(t, "0.000000001", formatAmount(1))
	require.Equal(t, "20", formatAmount(20_000_000_000))
}

// finish runs tonql to its end and returns both outputs.
func finish(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	p := start(t, args...)
	select {
	case <-p.ended:
	case <-time.After(2 * time.Minute):
		require.Fail(t, "tonql does not end", "%v", args)
	}
	return p.stdout.String(), p.stderr.String(), p.err
}

func TestFaucet_PaysOnTheLocalChainOnly(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	to := "0:" + strings.Repeat("5a", 32)
	for want, args := range map[string][]string{
		"--network mainnet has no faucet":      {to, "1", "--network", "mainnet"},
		"--network testnet has no faucet":      {to, "1", "--network", "testnet"},
		"no local chain runs on":               {to, "1"},
		"expected an address and an amount":    {to},
		"amount \"0\": expected":               {to, "0"},
		"amount \"1 2 TON\": expected":         {to, "1", "2 TON"},
		"\"nowhere\"":                          {"nowhere", "1"},
		"--timeout should be a duration from ": {to, "1", "--timeout", "1ms"},
	} {
		_, stderr, err := finish(t, append([]string{"faucet", "--data", data}, args...)...)
		require.Error(t, err, args)
		require.Contains(t, stderr, want)
	}

	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "500ms")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	p.expect(`Ctrl-C stops everything`, time.Minute)
	banner := p.stdout.String()
	require.Contains(t, banner, "tonql is up on devnet\n")
	require.Contains(t, banner, "tonql faucet ADDRESS AMOUNT --data "+data)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 2) })
	// Every address of the banner responds.
	for _, url := range regexp.MustCompile(`http://[^\s,]+`).FindAllString(banner, -1) {
		status, _ := get(t, url)
		require.NotEqual(t, 404, status, url)
		require.Less(t, status, 500, url)
	}

	stdout, stderr, err := finish(t, "faucet", "--data", data, "--comment", "hello", to, "1.5", "TON")
	require.NoError(t, err, stderr)
	require.Contains(t, stdout, "sent 1.5 TON to "+strings.ToUpper(to)+"\n")
	m := regexp.MustCompile(`transaction  ([0-9a-f]{64})\nindexed in masterchain block \d+\n`).FindStringSubmatch(stdout)
	require.NotNil(t, m, stdout)
	status, body := get(t, base+"/api/v3/transactions?hash="+m[1])
	require.Equal(t, 200, status)
	require.Contains(t, string(body), strings.ToUpper(to))
	require.Contains(t, string(body), `"value":"1500000000"`)

	// An address of the masterchain begins as a flag does.
	stdout, stderr, err = finish(t, "faucet", "--data", data, "--", "-1:"+strings.Repeat("33", 32), "7", "nano")
	require.NoError(t, err, stderr)
	require.Contains(t, stdout, "sent 0.000000007 TON to -1:")
	p.interrupt(10 * time.Second)
}

func TestFaucet_WithoutAnIndexOrAnAdminInterface(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	data, to := filepath.Join(t.TempDir(), "data"), "0:"+strings.Repeat("5a", 32)
	net := start(t, "devnet", "--data", data, "--no-scenario", "--block-interval", "500ms")
	net.expect(`get coins +(tonql faucet)`, time.Minute)
	stdout, stderr, err := finish(t, "faucet", "--data", data, to, "2")
	require.NoError(t, err, stderr)
	require.Contains(t, stdout, "no index runs on")
	require.NoDirExists(t, filepath.Join(data, "postgres", "cluster"), "a command that waits for an index starts none")
	net.interrupt(10 * time.Second)

	net = start(t, "devnet", "--data", data, "--no-scenario", "--block-interval", "500ms", "--devnet-admin", "none")
	net.expect(`(global config)`, time.Minute)
	_, stderr, err = finish(t, "faucet", "--data", data, to, "2")
	require.Error(t, err)
	require.Contains(t, stderr, "start it without --devnet-admin none")
	net.interrupt(10 * time.Second)
}

// onTerminal runs tonql with a terminal as its standard input and outputs.
func onTerminal(t *testing.T, environment []string, args ...string) (output *lines, cmd *exec.Cmd, ended func()) {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	cmd = exec.Command(path, args...)
	cmd.Env = append(environmentWithoutOurs(), environment...)
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 30, Cols: 100})
	require.NoError(t, err)
	output = &lines{changed: make(chan struct{}, 1)}
	var reader sync.WaitGroup
	reader.Go(func() { _, _ = io.Copy(output, file) }) // ends with the process
	ended = sync.OnceFunc(func() {
		_ = cmd.Wait() // the output says how it ended
		reader.Wait()
		_ = file.Close()
	})
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it has usually ended
		ended()
		if t.Failed() {
			t.Logf("terminal:\n%q", tail(output.String(), 6000))
		}
	})
	return output, cmd, ended
}

// shown interprets the output to a terminal and returns the lines that stay, and every status line that was drawn.
func shown(t *testing.T, output string) (finished, statuses []string) {
	t.Helper()
	line := ""
	for output != "" {
		switch {
		case strings.HasPrefix(output, "\r\x1b[K"):
			statuses = append(statuses, line)
			line, output = "", output[4:]
		case strings.HasPrefix(output, "\r\n"):
			finished = append(finished, line)
			line, output = "", output[2:]
		case strings.HasPrefix(output, "\x1b["):
			end := strings.IndexByte(output, 'm')
			require.Positive(t, end)
			output = output[end+1:]
		default:
			line += output[:1]
			output = output[1:]
		}
	}
	return finished, append(statuses, line)
}

func TestUp_TerminalHasOneStatusLine(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for name, c := range map[string]struct {
		environment   []string
		status, color bool
	}{
		"color":    {[]string{"TERM=xterm-256color"}, true, true},
		"no color": {[]string{"TERM=xterm-256color", "NO_COLOR=1"}, true, false},
		"dumb":     {[]string{"TERM=dumb"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := filepath.Join(t.TempDir(), "data")
			output, cmd, ended := onTerminal(t, c.environment, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "300ms", "--log-level", "debug")
			eventually(t, time.Minute, "tonql is up", func() bool { return strings.Contains(output.String(), "Ctrl-C stops everything") })
			address := regexp.MustCompile(`page +http://([^/]+)/`).FindStringSubmatch(output.String())[1]
			var load sync.WaitGroup
			for range 4 { // each request is a log line at this level
				load.Go(func() {
					for range 100 {
						get(t, "http://"+address+"/api/v3/masterchainInfo")
					}
				})
			}
			load.Wait()
			if c.status {
				eventually(t, time.Minute, "three status lines", func() bool {
					return len(regexp.MustCompile(`rows written`).FindAllString(output.String(), -1)) >= 3
				})
			} else {
				eventually(t, time.Minute, "progress is logged", func() bool { return strings.Contains(output.String(), "msg=progress") })
			}
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
			ended()
			text := output.String()
			require.Equal(t, c.color, strings.Contains(text, "\x1b[3"), "colors")
			require.Equal(t, c.status, strings.Contains(text, "\x1b[K"), "status line")
			if !c.status {
				require.NotContains(t, text, "\x1b")
				return
			}
			finished, statuses := shown(t, text)
			requests, inBanner := 0, false
			for _, line := range finished {
				switch {
				case line == "tonql is up on devnet":
					inBanner = true
				case strings.HasPrefix(line, "Ctrl-C stops"):
					inBanner = false
				case !inBanner && line != "^C":
					require.Regexp(t, `^time=\S+ level=\S+ msg=`, line, "a line that is torn")
				}
				if strings.Contains(line, "msg=request") {
					requests++
				}
			}
			require.GreaterOrEqual(t, requests, 400)
			require.Empty(t, statuses[len(statuses)-1], "the status line is removed at the end")
			live := 0
			for _, s := range statuses {
				require.LessOrEqual(t, len(s), 99, "%q is wider than the terminal", s)
				if s != "" {
					require.Regexp(t, `^block \d+ of \d+, .*`, s)
					live++
				}
			}
			require.GreaterOrEqual(t, live, 3)
			require.NotContains(t, text, "msg=progress", "the status line replaces it")
		})
	}
}
