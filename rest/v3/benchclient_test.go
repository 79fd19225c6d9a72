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

// Clients of benchmarks are another process, as clients are: what they cost and how they wait stays out of the figures.

// clientsEnvironment makes the test binary those clients.
const clientsEnvironment = "TONQL_BENCH_CLIENTS"

// errand is what clients are sent for: each path once, by so many clients at a time. Without paths their connections to
// the address are closed.
type errand struct {
	Address string   `json:"address"`
	Paths   []string `json:"paths"`
	Clients int      `json:"clients"`
	Count   bool     `json:"count"` // the rows too
}

// brought is what they come back with: how long each answer took, the bytes of all bodies, and the rows of the lists that
// those of a counting errand are.
type brought struct {
	Took  []time.Duration `json:"took"`
	Bytes int64           `json:"bytes"`
	Rows  int             `json:"rows"`
	Error string          `json:"error"`
}

// crew is the process of the clients.
type crew struct {
	send *json.Encoder
	back *json.Decoder
}

func newCrew(b *testing.B) *crew {
	b.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(b.Context()), os.Args[0]) // it ends with its input, after all cleaning up
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
	return &crew{json.NewEncoder(in), json.NewDecoder(bufio.NewReader(out))}
}

// ask is an errand from beginning to end.
func (c *crew) do(b *testing.B, e errand) brought {
	b.Helper()
	c.brief(b, e)
	c.run(b)
	return c.results(b)
}

// brief tells clients of an errand; they are ready to go when it returns.
func (c *crew) brief(b *testing.B, e errand) {
	b.Helper()
	require.NoError(b, c.send.Encode(e))
	c.signal(b)
}

// run lets them go, and returns when they are back.
func (c *crew) run(b *testing.B) {
	b.Helper()
	require.NoError(b, c.send.Encode(signal{}))
	c.signal(b)
}

// hear is what they brought.
func (c *crew) results(b *testing.B) brought {
	b.Helper()
	var a brought
	require.NoError(b, c.back.Decode(&a))
	require.Empty(b, a.Error)
	return a
}

// signal is the word to go, to be ready, or to be back: what is measured between holds no lists of paths and times.
type signal struct{}

func (c *crew) signal(b *testing.B) {
	b.Helper()
	require.NoError(b, c.back.Decode(&signal{}))
}

// runClients is the other side of [crew]; it ends with the input.
func runClients() int {
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	clients := map[string][]*client{}
	for {
		var e errand
		err := in.Decode(&e)
		if err == nil {
			err = errors.Join(out.Encode(signal{}), in.Decode(&signal{}))
		}
		if err == nil {
			var a brought
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

// run does an errand with the clients there are, and gives those that stay.
func run(clients []*client, e errand, a *brought) ([]*client, error) {
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

// client is an HTTP client that does little.
type client struct {
	conn net.Conn
	buf  []byte
}

// get reads one answer of status 200 and gives the size of its body.
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
		if size, whole := bodySize(c.buf); whole {
			if !bytes.HasPrefix(c.buf, []byte("HTTP/1.1 200 ")) {
				return 0, fmt.Errorf("answer to %s: %.200s", path, c.buf)
			}
			return size, nil
		}
	}
}

// body is the body of the last answer.
func (c *client) body() []byte {
	head, body, _ := bytes.Cut(c.buf, []byte("\r\n\r\n"))
	if bytes.Contains(head, []byte("Content-Length: ")) {
		return body
	}
	whole, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(body)))
	if err != nil {
		return nil
	}
	return whole
}

// rowsIn is how many elements the one list of an answer has, 1 for an answer that is no list.
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

// bodySize says whether an answer, with a length or in chunks, is there as a whole.
func bodySize(response []byte) (size int, whole bool) {
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
