package graphql_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The subscribers of a burst run in a separate process, so that their CPU time is not counted as the gateway's. They
// parse as little of the messages as possible.

// readersOrder is the first input of the process.
type readersOrder struct {
	Address    string
	Readers    int
	Reconnects int    // number of readers that reconnect once
	First      uint32 // masterchain block after which subscriptions start
	Queries    []string
}

// readersEnd is the input of the process when all blocks are indexed.
type readersEnd struct {
	Hashes    []string         // expected by each reader, in order
	Committed map[uint32]int64 // unix nanoseconds by masterchain seqno
}

// readersReport is the output of the process.
type readersReport struct {
	Wrong         string // hashes of the first reader with unexpected events
	Deliveries    int    // to readers that did not reconnect
	P50, P99, Max time.Duration
	CPU           time.Duration
}

const readersVariable = "TONQL_TEST_BURST_READERS"

// readersMain runs the process.
func readersMain() error {
	in := json.NewDecoder(os.Stdin)
	var order readersOrder
	if err := in.Decode(&order); err != nil {
		return err
	}
	readers := make([]*reader, order.Readers)
	var ready, work sync.WaitGroup
	var failed atomic.Pointer[error]
	random := rand.New(rand.NewPCG(1, 2))
	for i := range readers {
		r := &reader{query: order.Queries[i%len(order.Queries)]}
		if i < order.Reconnects {
			r.cut = 1 + random.IntN(40)
		}
		readers[i] = r
		ready.Add(1)
		work.Go(func() {
			once := sync.OnceFunc(ready.Done)
			defer once()
			if err := r.run(order.Address, order.First, once); err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		})
	}
	ready.Wait()
	fmt.Println("ready")
	var end readersEnd
	if err := in.Decode(&end); err != nil {
		return err
	}
	for late := time.Now().Add(3 * time.Minute); failed.Load() == nil && time.Now().Before(late); time.Sleep(20 * time.Millisecond) {
		if !slices.ContainsFunc(readers, func(r *reader) bool { return r.received.Load() < int64(len(end.Hashes)) }) {
			break
		}
	}
	if err := failed.Load(); err != nil {
		return *err
	}
	for _, r := range readers {
		r.leave()
	}
	work.Wait()
	return json.NewEncoder(os.Stdout).Encode(judge(readers, end))
}

func judge(readers []*reader, end readersEnd) readersReport {
	var report readersReport
	var waits []time.Duration
	for i, r := range readers {
		if !slices.Equal(r.hashes, end.Hashes) && report.Wrong == "" {
			report.Wrong = fmt.Sprintf("reader %d of %q received %d of %d: %v", i, r.query, len(r.hashes), len(end.Hashes), r.hashes)
		}
		if r.connections > 1 {
			continue
		}
		for j, at := range r.arrivals {
			if committed, ok := end.Committed[r.seqnos[j]]; ok {
				waits = append(waits, time.Duration(at-committed))
			}
		}
	}
	slices.Sort(waits)
	if n := len(waits); n > 0 {
		report.Deliveries, report.P50, report.P99, report.Max = n, waits[n/2], waits[n*99/100], waits[n-1]
	}
	report.CPU = usedCPU()
	return report
}

// usedCPU returns the CPU time of this process.
func usedCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// reader is one subscriber.
type reader struct {
	query string
	cut   int // reconnects after as many events; 0: never

	mu          sync.Mutex
	conn        net.Conn
	left        bool
	connections int

	received atomic.Int64
	hashes   []string
	seqnos   []uint32
	arrivals []int64
	cursor   string
}

// run subscribes, and reconnects, until leave is called.
func (r *reader) run(address string, first uint32, ready func()) error {
	for {
		err := r.connect(address, first, ready)
		r.mu.Lock()
		left := r.left
		r.mu.Unlock()
		if left || err != nil {
			return map[bool]error{false: err}[left]
		}
	}
}

func (r *reader) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = true
	_ = r.conn.Close()
}

func (r *reader) connect(address string, first uint32, ready func()) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	r.mu.Lock()
	r.conn = conn
	r.connections++
	r.mu.Unlock()
	variables := map[string]any{"block": first}
	if r.cursor != "" {
		variables = map[string]any{"after": r.cursor}
	}
	payload, err := json.Marshal(map[string]any{"query": r.query, "variables": variables})
	if err != nil {
		return err
	}
	hello := "GET /graphql HTTP/1.1\r\nHost: " + address + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
		"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
	frames := slices.Concat([]byte(hello), clientFrame(1, []byte(`{"type":"connection_init"}`)),
		clientFrame(1, []byte(`{"type":"subscribe","id":"1","payload":`+string(payload)+`}`)))
	if _, err := conn.Write(frames); err != nil {
		return err
	}
	in := bufio.NewReaderSize(conn, 16<<10)
	for line := "-"; line != "\r\n"; {
		if line, err = in.ReadString('\n'); err != nil {
			return err
		}
	}
	for {
		kind, text, err := serverFrame(in)
		if err != nil {
			return err
		}
		switch {
		case kind == 9:
			if _, err := conn.Write(clientFrame(10, text)); err != nil {
				return err
			}
		case kind != 1:
			return fmt.Errorf("closed: %q", text)
		case bytes.HasPrefix(text, []byte(`{"type":"connection_ack"`)):
			ready()
		case !r.parse(text):
			return fmt.Errorf("unexpected message %s", text)
		}
		if r.cut > 0 && len(r.hashes) >= r.cut {
			r.cut = 0
			return nil
		}
	}
}

// parse extracts cursor, seqno and hash of a message.
func (r *reader) parse(text []byte) bool {
	cursor, rest, ok1 := between(text, `"cursor":"`, '"')
	seqno, rest, ok2 := between(rest, `"mcSeqno":`, ',')
	hash, _, ok3 := between(rest, `"hash":"`, '"')
	if !ok1 || !ok2 || !ok3 || bytes.Contains(text, []byte(`"errors"`)) {
		return false
	}
	n := uint32(0)
	for _, digit := range seqno {
		n = n*10 + uint32(digit-'0')
	}
	r.cursor = string(cursor)
	r.hashes, r.seqnos, r.arrivals = append(r.hashes, string(hash)), append(r.seqnos, n), append(r.arrivals, time.Now().UnixNano())
	r.received.Store(int64(len(r.hashes)))
	return true
}

func between(text []byte, before string, after byte) (part, rest []byte, ok bool) {
	_, text, ok = bytes.Cut(text, []byte(before))
	end := bytes.IndexByte(text, after)
	if !ok || end < 0 {
		return nil, nil, false
	}
	return text[:end], text[end:], true
}

// clientFrame encodes a message with a mask of zeros.
func clientFrame(kind byte, payload []byte) []byte {
	const masked, twoBytes = 0x80, 126
	b := []byte{0x80 | kind}
	if len(payload) < twoBytes {
		b = append(b, masked|byte(len(payload)))
	} else {
		b = binary.BigEndian.AppendUint16(append(b, masked|twoBytes), uint16(len(payload)))
	}
	return append(append(b, 0, 0, 0, 0), payload...)
}

// serverFrame reads a message; it is valid until the next is read.
func serverFrame(in *bufio.Reader) (kind byte, payload []byte, err error) {
	head, err := in.Peek(2)
	if err != nil {
		return 0, nil, err
	}
	kind, length, size := head[0]&0x0f, int(head[1]), 2
	if length == 126 {
		if head, err = in.Peek(4); err != nil {
			return 0, nil, err
		}
		length, size = int(binary.BigEndian.Uint16(head[2:])), 4
	}
	if length > 1<<13 {
		return 0, nil, errors.New("a message is longer than this reader takes")
	}
	all, err := in.Peek(size + length)
	if err != nil {
		return 0, nil, err
	}
	_, err = in.Discard(len(all))
	return kind, all[size:], err
}

// readersProcess is the process of the readers.
type readersProcess struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startReaders(t *testing.T, order readersOrder) *readersProcess {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), readersVariable+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	p := &readersProcess{cmd, in, bufio.NewReader(out)}
	p.send(t, order)
	line, err := p.out.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready", strings.TrimSpace(line))
	return p
}

func (p *readersProcess) send(t *testing.T, v any) {
	t.Helper()
	require.NoError(t, json.NewEncoder(p.in).Encode(v))
}

func (p *readersProcess) report(t *testing.T) (r readersReport) {
	t.Helper()
	require.NoError(t, json.NewDecoder(p.out).Decode(&r))
	require.NoError(t, p.Wait())
	return r
}
