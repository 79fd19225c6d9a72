package cold

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// A table ends where its sender says so. One that was not sent to its end, or whose time is over, is an error, so that the server discards its rows.
func TestReader_OnlyCompleteTablesEnd(t *testing.T) {
	t.Parallel()
	chunks := make(chan chunk, 8)
	for _, c := range []chunk{{"a", []byte("second")}, {"a", nil}, {"b", []byte("third")}} {
		chunks <- c
	}
	ctx, cancel := context.WithCancel(t.Context())
	read := func(first string) (string, error) {
		r := &reader{chunks: chunks, ended: ctx.Done()}
		r.rest.Reset([]byte(first))
		text, err := io.ReadAll(r)
		return string(text), err
	}
	text, err := read("first ")
	require.NoError(t, err)
	require.Equal(t, "first second", text)
	close(chunks)
	text, err = read("")
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, "third", text)

	chunks = make(chan chunk)
	cancel()
	_, err = read("first")
	require.ErrorIs(t, err, context.Canceled)
}

// Nothing waits for a server that has failed, also when more is sent than has room in memory.
func TestWriter_SenderLearnsOfAFailure(t *testing.T) {
	t.Parallel()
	w := &writer{chunks: make(chan chunk, 1), failed: make(chan struct{}), done: make(chan struct{}), err: io.ErrClosedPipe}
	close(w.failed)
	close(w.done)
	err := w.table("COPY t FROM STDIN", func(rows io.Writer) error {
		_, err := rows.Write(make([]byte, 10*chunkBytes))
		return err
	})
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.ErrorIs(t, w.wait(), io.ErrClosedPipe)
}

// A row of megabytes takes no more memory than others.
func TestWriter_LongRowsAreSentInParts(t *testing.T) {
	t.Parallel()
	w := &writer{chunks: make(chan chunk, 16), failed: make(chan struct{})}
	row := make([]byte, 3*chunkBytes+1)
	row[len(row)-1] = 7
	require.NoError(t, w.table("COPY t FROM STDIN", func(rows io.Writer) error {
		_, err := rows.Write(row)
		return err
	}))
	close(w.chunks)
	var sent []byte
	for c := range w.chunks {
		require.LessOrEqual(t, len(c.rows), chunkBytes)
		sent = append(sent, c.rows...)
	}
	require.Equal(t, row, sent)
}
