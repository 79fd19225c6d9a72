package cold

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/jackc/pgx/v5"
)

const (
	chunkBytes = 64 << 10
	// waitingChunks is how many chunks of rows wait in memory for the server that writes them.
	waitingChunks = 64
)

// writer writes tables to a server in a goroutine of its own, in the order in which they were sent.
type writer struct {
	chunks chan chunk // closed by wait
	failed chan struct{}
	done   chan struct{}
	mark   func(error) error // what the server reports
	cancel context.CancelFunc
	closed bool
	err    error // after failed or done
}

// chunk is a part of the rows of a table in the format of COPY. The one without rows is the end of a table.
type chunk struct {
	in   string // the statement
	rows []byte
}

// startWriter starts a writer, for two minutes at the most. Until it has been waited for, nothing else uses the connection.
func startWriter(ctx context.Context, conn *pgx.Conn, mark func(error) error) *writer {
	ctx, cancel := context.WithTimeout(ctx, copyTimeout)
	w := &writer{chunks: make(chan chunk, waitingChunks), failed: make(chan struct{}), done: make(chan struct{}), mark: mark, cancel: cancel}
	go w.run(ctx, conn)
	return w
}

func (w *writer) run(ctx context.Context, conn *pgx.Conn) {
	defer close(w.done)
	for first := range w.chunks {
		rows := &reader{chunks: w.chunks, ended: ctx.Done(), rest: *bytes.NewReader(first.rows)}
		if _, err := conn.PgConn().CopyFrom(ctx, rows, first.in); err != nil {
			w.err = fmt.Errorf("rows: %w", w.mark(err))
			close(w.failed)
			return
		}
	}
}

// table sends the rows that fn writes.
func (w *writer) table(in string, fn func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(sender{w, in}, chunkBytes)
	err := fn(buffer)
	if err == nil {
		err = buffer.Flush()
	}
	if err == nil {
		err = w.send(chunk{in: in})
	}
	return err
}

func (w *writer) send(c chunk) error {
	select {
	case w.chunks <- c:
		return nil
	case <-w.failed:
		return w.err
	}
}

// wait waits until all that was sent is written. A table that was not sent to its end is an error.
func (w *writer) wait() error {
	if !w.closed {
		w.closed = true
		close(w.chunks)
	}
	<-w.done
	return w.err
}

type sender struct {
	w  *writer
	in string
}

// Write sends rows in chunks: a row can have megabytes.
func (s sender) Write(rows []byte) (n int, err error) {
	for part := range slices.Chunk(rows, chunkBytes) {
		if err := s.w.send(chunk{s.in, bytes.Clone(part)}); err != nil {
			return n, err
		}
		n += len(part)
	}
	return n, nil
}

// reader reads the rows of one table.
type reader struct {
	chunks <-chan chunk
	ended  <-chan struct{}
	rest   bytes.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if r.rest.Len() == 0 {
		select {
		case c, open := <-r.chunks:
			switch {
			case !open:
				return 0, io.ErrUnexpectedEOF // the rest of the table was never sent
			case c.rows == nil:
				return 0, io.EOF
			}
			r.rest.Reset(c.rows)
		case <-r.ended:
			return 0, context.Canceled
		}
	}
	return r.rest.Read(p) //nolint:wrapcheck // there are rows
}
