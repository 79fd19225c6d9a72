package indexer

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// progressLines counts the lines of a function that logs progress under a clock of the test.
func progressLines(t *testing.T) (show func(at time.Duration, s Status) int, log *bytes.Buffer) {
	t.Helper()
	log = &bytes.Buffer{}
	x := &Indexer{opts: Options{Logger: slog.New(slog.NewTextHandler(log, nil))}}
	start := time.Unix(1_750_000_000, 0)
	now := start
	report := x.logProgress(func() time.Time { return now })
	return func(at time.Duration, s Status) int {
		now = start.Add(at)
		report(s)
		return bytes.Count(log.Bytes(), []byte("\n"))
	}, log
}

func TestLogProgress_AtTheHeadEveryThirtySeconds(t *testing.T) {
	t.Parallel()
	show, log := progressLines(t)
	for second := range 600 {
		show(time.Duration(second)*time.Second, Status{Head: uint32(second) + 10, Indexed: uint32(second) + 9, LagBlocks: 1})
	}
	require.Equal(t, 20, bytes.Count(log.Bytes(), []byte("\n")), "600 seconds, a block each")
	require.Equal(t, 20, show(700*time.Second, Status{Head: 580, Indexed: 579}), "nothing new")
	require.Equal(t, 21, show(710*time.Second, Status{Head: 590, Indexed: 590}))
}

func TestLogProgress_MissingBlocksAndFailuresEveryFiveSeconds(t *testing.T) {
	t.Parallel()
	show, log := progressLines(t)
	for second := range 100 {
		show(time.Duration(second)*time.Second, Status{Head: 1000, Indexed: uint32(second), Remaining: 900})
	}
	require.Equal(t, 20, bytes.Count(log.Bytes(), []byte("\n")))
	for second := range 100 { // a network that fails every other second
		s := Status{Head: 1000, Indexed: 1000}
		if second%2 == 0 {
			s.Trouble = []string{"no server"}
		}
		show(time.Duration(100+second)*time.Second, s)
	}
	require.LessOrEqual(t, bytes.Count(log.Bytes(), []byte("\n")), 41)
	require.Contains(t, log.String(), `waiting_for="no server"`)
}
