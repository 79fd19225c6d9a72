package v3_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The clients of benchmarks run in another process, so that their CPU time and waiting are not part of the figures.

// clientsEnvironment is the environment variable that makes the test binary run as the clients.
const clientsEnvironment = "TONQL_BENCH_CLIENTS"

// workload is a list of paths that clients request once each, with the given concurrency. Without paths, their
// connections to the address are closed.
type workload struct {
	Address string   `json:"address"`
	Paths   []string `json:"paths"`
	Clients int      `json:"clients"`
	Count   bool     `json:"count"` // the rows too
}

// clientResults is the result of a workload: the duration of each response, the bytes of all bodies and, if the
// workload counts rows, the number of rows of all lists.
type clientResults struct {
	Took  []time.Duration `json:"took"`
	Bytes int64           `json:"bytes"`
	Rows  int             `json:"rows"`
	Error string          `json:"error"`
}

// clientProcess is the process that runs the clients.
type clientProcess struct {
	send *json.Encoder
	back *json.Decoder
}

func newClientProcess(b *testing.B) *clientProcess {
	b.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(b.Context()), os.Args[0]) // it ends with its input, after all cleanup
	cmd.Env, cmd.Stderr = append(os.Environ(), clientsEnvironment+"=1"), os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return &clientProcess{json.NewEncoder(in), json.NewDecoder(bufio.NewReader(out))}
}

// do runs a workload.
func (c *clientProcess) do(b *testing.B, e workload) clientResults {
	b.Helper()
	c.brief(b, e)
	c.run(b)
	return c.results(b)
}

// brief sends a workload to the clients. They are ready to start when it returns.
func (c *clientProcess) brief(b *testing.B, e workload) {
	b.Helper()
	require.NoError(b, c.send.Encode(e))
	c.signal(b)
}

// run starts the clients and returns when they have finished.
func (c *clientProcess) run(b *testing.B) {
	b.Helper()
	require.NoError(b, c.send.Encode(signal{}))
	c.signal(b)
}

// results returns the results of the last run.
func (c *clientProcess) results(b *testing.B) clientResults {
	b.Helper()
	var a clientResults
	require.NoError(b, c.back.Decode(&a))
	require.Empty(b, a.Error)
	return a
}

// signal starts the clients, or reports that they are ready or finished. Lists of paths and durations are transferred
type signal struct{}

func (c *clientProcess) signal(b *testing.B) {
	b.Helper()
	require.NoError(b, c.back.Decode(&signal{}))
}

// runClients is the main function of [clientProcess]; it ends with the input.
func runClients() int {
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	clients := map[string][]*client{}
	for {
		var e workload
		err := in.Decode(&e)
		if err == nil {
			err = errors.Join(out.Encode(signal{}), in.Decode(&signal{}))
		}
		if err == nil {
			var a clientResults
			if clients[e.Address], err = run(clients[e.Address], e, &a); err != nil {
				a.Error = err.Error()
			}
			err = errors.Join(out.Encode(signal{}), out.Encode(a))
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return 0
			}
			fmt.Fprintln(os.Stderr, "clients:", err)
			return 1
		}
	}
}

// run runs a workload. It reuses the given clients and returns all open ones.
func run(clients []*client, e workload, a *clientResults) ([]*client, error) {
	if len(e.Paths) == 0 {
		for _, c := range clients {
			_ = c.conn.Close()
		}
		return nil, nil
	}
	for len(clients) < e.Clients {
		conn, err := net.Dial("tcp", e.Address)
		if err != nil {
			return clients, err
		}
		clients = append(clients, &client{conn: conn, buf: make([]byte, 0, 1<<20)})
	}
	a.Took = make([]time.Duration, len(e.Paths))
	errs := make([]error, e.Clients)
	sizes, rows := make([]int64, e.Clients), make([]int, e.Clients)
	var group sync.WaitGroup
	for i, c := range clients[:e.Clients] {
		group.Go(func() {
			for k := i; k < len(e.Paths) && errs[i] == nil; k += e.Clients {
				began := time.Now()
				var n int
				n, errs[i] = c.get(e.Paths[k])
				a.Took[k] = time.Since(began)
				sizes[i] += int64(n)
				if e.Count {
					rows[i] += rowsIn(c.body())
				}
			}
		})
	}
	group.Wait()
	for i, n := range sizes {
		a.Bytes += n
		a.Rows += rows[i]
	}
	return clients, errors.Join(errs...)
}

// client is a minimal HTTP client.
type client struct {
	conn net.Conn
	buf  []byte
}

// get sends a request whose response must have status 200, and returns the size of the body.
func (c *client) get(path string) (int, error) {
	request := append(append([]byte("GET "), path...), " HTTP/1.1\r\nHost: bench\r\n\r\n"...)
	if _, err := c.conn.Write(request); err != nil {
		return 0, err
	}
	c.buf = c.buf[:0]
	for {
		if len(c.buf) == cap(c.buf) {
			c.buf = append(c.buf, 0)[:len(c.buf)]
		}
		n, err := c.conn.Read(c.buf[len(c.buf):cap(c.buf)])
		if err != nil {
			return 0, err
		}
		c.buf = c.buf[:len(c.buf)+n]
		if size, complete := bodySize(c.buf); complete {
			if !bytes.HasPrefix(c.buf, []byte("HTTP/1.1 200 ")) {
				return 0, fmt.Errorf("response to %s: %.200s", path, c.buf)
			}
			return size, nil
		}
	}
}

// body returns the body of the last response.
func (c *client) body() []byte {
	head, body, _ := bytes.Cut(c.buf, []byte("\r\n\r\n"))
	if bytes.Contains(head, []byte("Content-Length: ")) {
		return body
	}
	decoded, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(body)))
	if err != nil {
		return nil
	}
	return decoded
}

// rowsIn returns the length of the only list of a response, or 1 if the response has no list.
func rowsIn(body []byte) int {
	var members map[string]json.RawMessage
	if json.NewDecoder(bytes.NewReader(body)).Decode(&members) != nil {
		return 1
	}
	for _, member := range members {
		var list []json.RawMessage
		if json.Unmarshal(member, &list) == nil {
			return len(list)
		}
	}
	return 1
}

// bodySize returns the size of a body, with a length or in chunks, and whether the response is complete.
func bodySize(response []byte) (size int, complete bool) {
	head, body, ok := bytes.Cut(response, []byte("\r\n\r\n"))
	if !ok {
		return 0, false
	}
	_, rest, sized := bytes.Cut(head, []byte("Content-Length: "))
	if !sized {
		return len(body), bytes.HasSuffix(body, []byte("\r\n0\r\n\r\n"))
	}
	digits, _, _ := bytes.Cut(rest, []byte("\r\n"))
	length, err := strconv.Atoi(string(digits))
	return len(body), err == nil && len(body) >= length
}
