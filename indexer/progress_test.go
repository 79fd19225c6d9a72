package indexer

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProgress_ShowsTheBlockOnATerminal(t *testing.T) {
	t.Parallel()
	f, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	require.NoError(t, err)
	show := progress(f)
	show(Status{Head: 100, Indexed: 100, Remaining: 80})
	show(Status{Head: 102, Indexed: 101, LagBlocks: 1, Remaining: 20, Trouble: []string{"a block"}})
	show(Status{Head: 103, Indexed: 103})
	require.NoError(t, f.Close())
	text, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	require.Contains(t, string(text), "block 100 of 100")
}

func TestLogLine_IsLoggedOnlyOnChange(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	x := &Indexer{opts: Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}}
	show := x.logLine()
	lines := func() int { return bytes.Count(log.Bytes(), []byte("\n")) }
	show(Status{Head: 10, Indexed: 10})
	require.Equal(t, 1, lines())
	show(Status{Head: 10, Indexed: 10})
	require.Equal(t, 1, lines(), "nothing new")
	show(Status{Head: 11, Indexed: 11})
	require.Equal(t, 2, lines())
	show(Status{Head: 11, Indexed: 11, Remaining: 5})
	show(Status{Head: 11, Indexed: 11, Trouble: []string{"no server"}})
	require.Equal(t, 4, lines())
	require.Contains(t, log.String(), "no server")
}
