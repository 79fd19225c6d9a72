package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// trialCluster is a running internal/localcluster.
type trialCluster struct {
	*process
	commands io.Writer
	gateways []string // addresses
	database string
	config   string         // path of the global config
	done     map[string]int // replies to each command
}

// startCluster starts the layout of docs/scale.md.
func startCluster(t *testing.T, flags ...string) *trialCluster {
	t.Helper()
	tonql, err := binary()
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "localcluster")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../internal/localcluster").CombinedOutput()
	require.NoError(t, err, string(out))
	cmd := exec.Command(program, append([]string{"-tonql", tonql, "-data", filepath.Join(t.TempDir(), "cluster")}, flags...)...)
	commands, err := cmd.StdinPipe()
	require.NoError(t, err)
	c := &trialCluster{commands: commands, done: map[string]int{}}
	c.process = startCommand(t, cmd)
	t.Cleanup(func() { // before it is killed, which would leave its servers
		_ = cmd.Process.Signal(os.Interrupt) // it has ended if the test has passed
		select {
		case <-c.ended:
		case <-time.After(time.Minute * pacetest.Slow):
		}
	})
	c.expect(`(?m)^(ready)$`, 4*time.Minute*pacetest.Slow)
	for _, found := range regexp.MustCompile(`(?m)^gateway \d+ +(http://\S+)/$`).FindAllStringSubmatch(c.stdout.String(), -1) {
		c.gateways = append(c.gateways, found[1])
	}
	c.database = c.expect(`(?m)^primary +(\S+)$`, time.Second)
	c.config = c.expect(`(?m)^global config +(\S+)$`, time.Second)
	return c
}

// do executes a command of the cluster and waits for its end.
func (c *trialCluster) do(command string) error {
	if _, err := io.WriteString(c.commands, command+"\n"); err != nil {
		return err
	}
	replies := regexp.MustCompile(`(?m)^(done|failed): ` + command + `(.*)$`)
	c.done[command]++
	late := time.After(3 * time.Minute * pacetest.Slow)
	for {
		if all := replies.FindAllStringSubmatch(c.stdout.String(), -1); len(all) >= c.done[command] {
			if last := all[len(all)-1]; last[1] == "failed" {
				return fmt.Errorf("%s%s", command, last[2])
			}
			return nil
		}
		select {
		case <-c.stdout.changed:
		case <-c.ended:
			return fmt.Errorf("%s: the cluster has ended: %w", command, c.err)
		case <-late:
			return fmt.Errorf("%s: no reply", command)
		}
	}
}

// The layout of docs/scale.md under mixed requests and subscriptions, while its parts are killed and replaced. Requests go to
// both gateways as through a load balancer. Every response about a recorded row equals the one that was recorded before, every subscriber
// receives every event once and in order, and all errors are 503 with Retry-After, fewer than one in 200. TONQL_CLUSTER is the
// duration of the load, such as 30m; `make cluster-test` sets it. Without it the load is small and short.
func TestCluster_NoWrongResponseAndNoLostEvent(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	load := clusterLoad{length: 15 * time.Second, perSecond: 20, subscribers: 40, recorded: 20, parallel: 16, oneIn: 20}
	flags := []string{"-durable=false", "-block-interval", "500ms"}
	if given := os.Getenv("TONQL_CLUSTER"); given != "" {
		length, err := time.ParseDuration(given)
		require.NoError(t, err, "TONQL_CLUSTER")
		load = clusterLoad{length: length, perSecond: 200, subscribers: 1000, recorded: 150, parallel: 64, oneIn: 200}
		flags = nil
	} else if pacetest.Short() {
		t.Skip("it takes a minute of real time")
	}
	c := startCluster(t, flags...)
	load.prepare(t, c.gateways)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		load.run(ctx)
	}()
	// Each loss is repaired after a while; the time of the commands is not part of the pauses.
	steps := []string{"kill standby", "replace standby", "kill gateway 2", "start gateway 2", "fail over", "replace standby", "kill gateway 1", "start gateway 1"}
	pause := func() {
		select {
		case <-ended: // a failure has ended it
		case <-time.After(load.length / time.Duration(len(steps)+1)):
		}
	}
	for i, command := range steps {
		if pause(); load.failure.Load() != nil {
			break
		}
		begun := time.Now()
		require.NoError(t, c.do(command), "step %d", i)
		t.Logf("%s: %s; %s", command, time.Since(begun).Round(time.Millisecond), load.line())
	}
	pause()
	cancel()
	<-ended
	load.finish(t)
	// Every row is one that the blocks have, whatever was lost and replaced.
	for _, flags := range [][]string{{"--offline"}, {"--global-config", c.config, "--from", "1", "--to", fmt.Sprint(load.first)}} {
		verify := start(t, append([]string{"verify", "--data", t.TempDir(), "--database-url", c.database}, flags...)...)
		select {
		case <-verify.ended:
		case <-time.After(20 * time.Minute * pacetest.Slow):
			require.Fail(t, "verify does not end")
		}
		require.NoError(t, verify.err, "%s%s", verify.stdout, verify.stderr)
		t.Log(verify.stdout)
	}
	c.interrupt(time.Minute * pacetest.Slow)
}

// blockEvent is an event of a subscription to blocks that selects their cursor and mcSeqno.
type blockEvent struct {
	Errors json.RawMessage
	Data   struct {
		Blocks struct {
			Cursor  string
			McSeqno uint32
		}
	}
}

// scanBlocks calls each with every event of a stream of server-sent events, until the stream ends.
func scanBlocks(body io.Reader, each func(*blockEvent) error) error {
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: {")
		if !ok {
			continue
		}
		var event blockEvent
		if err := json.Unmarshal([]byte("{"+data), &event); err != nil {
			return fmt.Errorf("event %s: %w", data, err)
		}
		if err := each(&event); err != nil {
			return err
		}
	}
	return nil // the gateway has ended the stream, or was killed
}
