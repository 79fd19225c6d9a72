package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/ctxtime"
	"tonql/internal/pacetest"
)

// clusterLoad sends requests about recorded rows and lists to several gateways, and subscribes at them.
type clusterLoad struct {
	length      time.Duration
	perSecond   int
	parallel    int // requests in flight
	subscribers int
	recorded    uint32 // masterchain blocks whose rows are recorded
	oneIn       int64  // fewer errors than one in as many requests

	client   *http.Client
	gateways []string
	next     atomic.Uint64 // of the gateways
	rows     []recordedRow
	first    uint32        // head when the load begins
	head     atomic.Uint32 // newest masterchain block that a subscriber has received

	sent, refused, cut, resumed atomic.Int64
	slowest                     atomic.Int64 // nanoseconds of the slowest response
	failure                     atomic.Pointer[string]
	end                         atomic.Uint32 // block at which subscribers finish; 0 while the load runs
	streams                     []blockStream
	wg                          sync.WaitGroup
}

// recordedRow is a request whose response never changes, and that response.
type recordedRow struct {
	path, want string
}

// blockStream is what one subscriber has received.
type blockStream struct {
	last   atomic.Uint32
	cursor string
}

// volatile members of responses follow names, which change, or name the block that was read.
var volatile = []string{"address_book", "metadata", "@extra", "extensions", "next_cursor"}

// unchanging returns a response without its volatile members.
func unchanging(body []byte) (string, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return "", fmt.Errorf("%w: %.200s", err, body)
	}
	for _, name := range volatile {
		delete(members, name)
	}
	text, err := json.Marshal(members)
	return string(text), err
}

// prepare waits until the index has the recorded blocks, and records responses about them from the first gateway.
func (l *clusterLoad) prepare(t *testing.T, gateways []string) {
	t.Helper()
	l.gateways = gateways
	l.client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: l.parallel}}
	t.Cleanup(l.client.CloseIdleConnections)
	const settled = 20 // blocks after which a trace of this chain is complete
	eventually(t, 3*time.Minute*pacetest.Slow, "the recorded blocks are indexed", func() bool { return follows(t, gateways[0], l.recorded+settled) })
	add := func(path string) []byte {
		status, body := get(t, gateways[0]+path)
		require.Equal(t, http.StatusOK, status, path)
		want, err := unchanging(body)
		require.NoError(t, err)
		l.rows = append(l.rows, recordedRow{path, want})
		return body
	}
	for seqno := uint32(2); seqno < l.recorded; seqno += 3 {
		add(fmt.Sprintf("/api/v3/blocks?workchain=-1&seqno=%d", seqno))
		add(fmt.Sprintf("/api/v2/getBlockHeader?workchain=-1&shard=-9223372036854775808&seqno=%d", seqno))
		var page struct {
			Transactions []struct {
				Account, Hash, LT string
				TraceID           string `json:"trace_id"`
			}
		}
		require.NoError(t, json.Unmarshal(add(fmt.Sprintf("/api/v3/transactionsByMasterchainBlock?limit=100&seqno=%d", seqno)), &page))
		for i, tx := range page.Transactions {
			if i == 3 {
				break
			}
			hash := url.QueryEscape(tx.Hash)
			add("/api/v3/transactions?hash=" + hash)
			add("/api/v3/traces?include_actions=true&trace_id=" + url.QueryEscape(tx.TraceID))
			add("/api/v3/actions?trace_id=" + url.QueryEscape(tx.TraceID))
			add("/api/v2/getTransactions?limit=2&address=" + tx.Account + "&lt=" + tx.LT + "&hash=" + hash)
			add("/graphql?query=" + url.QueryEscape(`{ transaction(hash: "`+tx.Hash+`") { hash lt now account { address } totalFees inMessage { hash value } outMessages { hash value } } }`))
		}
	}
	require.Greater(t, len(l.rows), int(l.recorded))
	l.first = readyz(t, gateways[0]).Index.Last
	l.head.Store(l.first)
	l.streams = make([]blockStream, l.subscribers)
	t.Logf("%d recorded rows, %d subscribers, %d requests a second, from block %d on", len(l.rows), l.subscribers, l.perSecond, l.first)
}

// run sends requests and receives events until ctx ends or something fails. Subscribers continue until finish.
func (l *clusterLoad) run(ctx context.Context) {
	for i := range l.streams {
		l.wg.Go(func() { l.subscribe(context.WithoutCancel(ctx), &l.streams[i], i) })
	}
	slots := make(chan struct{}, l.parallel)
	tick := time.NewTicker(time.Second / time.Duration(l.perSecond))
	defer tick.Stop()
	var requests sync.WaitGroup
	defer requests.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if l.failure.Load() != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case slots <- struct{}{}:
			requests.Go(func() {
				defer func() { <-slots }()
				l.once(context.WithoutCancel(ctx))
			})
		}
	}
}

func (l *clusterLoad) failf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	l.failure.CompareAndSwap(nil, &text)
}

// once sends a request about a recorded row, or of a list or the head.
func (l *clusterLoad) once(ctx context.Context) {
	begun := time.Now()
	defer func() {
		for took := int64(time.Since(begun)); ; {
			if most := l.slowest.Load(); most >= took || l.slowest.CompareAndSwap(most, took) {
				return
			}
		}
	}()
	l.sent.Add(1)
	switch rand.IntN(4) {
	case 0:
		l.list(ctx)
	case 1:
		// What a client has seen at one gateway, it sees at the others.
		seen := l.head.Load()
		_, body, ok := l.get(ctx, "/api/v3/masterchainInfo", "X-Min-Seqno", strconv.Itoa(int(seen)))
		var info struct{ Last struct{ Seqno uint32 } }
		if err := json.Unmarshal(body, &info); ok && (err != nil || info.Last.Seqno < seen) {
			l.failf("masterchainInfo names block %d after block %d was received: %v", info.Last.Seqno, seen, err)
		}
	default:
		row := l.rows[rand.IntN(len(l.rows))]
		_, body, ok := l.get(ctx, row.path)
		if !ok {
			return
		}
		if got, err := unchanging(body); err != nil || got != row.want {
			at := max(0, differsAt(got, row.want)-500)
			l.failf("%s: %v; got …%.1500s, want …%.1500s", row.path, err, got[at:], row.want[at:])
		}
	}
}

// differsAt returns the length of what two texts begin with alike.
func differsAt(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// list requests the newest transactions, which are in order, each once, and none of a block after the state that was read.
func (l *clusterLoad) list(ctx context.Context) {
	header, body, ok := l.get(ctx, "/api/v3/transactions?limit=20&sort=desc")
	if !ok {
		return
	}
	var page struct {
		Transactions []struct {
			Hash, LT string
			Seqno    int `json:"mc_block_seqno"`
		}
	}
	at, err := strconv.Atoi(header.Get("X-Mc-Seqno"))
	if err = errors.Join(err, json.Unmarshal(body, &page)); err != nil || len(page.Transactions) != 20 {
		l.failf("%d transactions: %v", len(page.Transactions), err)
		return
	}
	seen, last := map[string]bool{}, uint64(1<<63)
	for _, tx := range page.Transactions {
		lt, err := strconv.ParseUint(tx.LT, 10, 64)
		if err != nil || lt > last || tx.Seqno > at || seen[tx.Hash] {
			l.failf("transaction %s with LT %s behind LT %d, of block %d at block %d: %v", tx.Hash, tx.LT, last, tx.Seqno, at, err)
		}
		seen[tx.Hash], last = true, lt
	}
}

// get sends a request as a load balancer does: a gateway that refuses the connection, or whose response is cut off, is followed by the next.
// ok is false for 503 with Retry-After, which is counted, and for all else that is no response, which fails the test.
func (l *clusterLoad) get(ctx context.Context, path string, headers ...string) (header http.Header, body []byte, ok bool) {
	first := l.next.Add(1)
	var problem error
	for i := range uint64(2 * len(l.gateways)) { // a gateway may be lost while the other starts
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, l.gateways[(first+i)%uint64(len(l.gateways))]+path, http.NoBody)
		if err != nil {
			l.failf("%s: %v", path, err)
			return nil, nil, false
		}
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		resp, err := l.client.Do(req)
		if err != nil {
			problem = err
			continue
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close() // it is read
		if err != nil {
			l.cut.Add(1)
			problem = err
			continue
		}
		switch {
		case resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "",
			resp.StatusCode == http.StatusOK && resp.Header.Get("Retry-After") != "" && strings.Contains(string(body), `"errors"`): // of GraphQL
			l.refused.Add(1)
			return resp.Header, nil, false
		case resp.StatusCode != http.StatusOK:
			l.failf("%s: %s %.500s", path, resp.Status, body)
			return resp.Header, nil, false
		}
		return resp.Header, body, true
	}
	l.failf("%s: %v", path, problem)
	return nil, nil, false
}

// subscribe receives every masterchain block by a subscription until finish; it resumes on the next gateway behind the last event.
func (l *clusterLoad) subscribe(ctx context.Context, s *blockStream, gateway int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for ; l.failure.Load() == nil && !l.finished(s); gateway++ {
		start := fmt.Sprintf("afterMcSeqno: %d", l.first)
		if s.cursor != "" {
			start = fmt.Sprintf("after: %q", s.cursor)
			l.resumed.Add(1)
		}
		target := l.gateways[gateway%len(l.gateways)] + "/graphql?query=" +
			url.QueryEscape("subscription { blocks(where: {workchain: -1}, "+start+") { cursor mcSeqno } }")
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
		if err != nil {
			l.failf("%v", err)
			return
		}
		req.Header.Set("Accept", "text/event-stream")
		resp, err := l.streamClient().Do(req)
		if err != nil { // refused
			ctxtime.Sleep(ctx, 50*time.Millisecond)
			continue
		}
		switch {
		case resp.StatusCode == http.StatusOK:
			err = l.receive(resp.Body, s)
		case resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "":
			ctxtime.Sleep(ctx, time.Second)
		default:
			err = errors.New(resp.Status)
		}
		_ = resp.Body.Close() // it has ended
		if err != nil {
			l.failf("subscription: %v", err)
		}
	}
}

// streamClient has no limit of time.
func (l *clusterLoad) streamClient() *http.Client { return &http.Client{Transport: l.client.Transport} }

var errFinished = errors.New("finished")

// receive reads one stream.
func (l *clusterLoad) receive(body io.Reader, s *blockStream) error {
	err := scanBlocks(body, func(event *blockEvent) error {
		if event.Errors != nil {
			if strings.Contains(string(event.Errors), "UNAVAILABLE") || strings.Contains(string(event.Errors), "SLOW") {
				return errFinished // the reason of the end; the subscriber resumes
			}
			return fmt.Errorf("event: %s", event.Errors)
		}
		seqno := event.Data.Blocks.McSeqno
		want := s.last.Load() + 1
		if want == 1 {
			want = l.first + 1
		}
		if seqno != want {
			return fmt.Errorf("block %d follows block %d", seqno, want-1)
		}
		s.last.Store(seqno)
		s.cursor = event.Data.Blocks.Cursor
		for head := l.head.Load(); head < seqno && !l.head.CompareAndSwap(head, seqno); head = l.head.Load() {
		}
		if l.finished(s) {
			return errFinished
		}
		return nil
	})
	if errors.Is(err, errFinished) {
		return nil
	}
	return err
}

// finished reports whether a subscriber has everything up to the end of the load.
func (l *clusterLoad) finished(s *blockStream) bool {
	end := l.end.Load()
	return end != 0 && s.last.Load() >= end
}

func (l *clusterLoad) line() string {
	return fmt.Sprintf("%d requests, %d refused, %d cut off, slowest %s, %d subscriptions resumed, block %d",
		l.sent.Load(), l.refused.Load(), l.cut.Load(), time.Duration(l.slowest.Swap(0)).Round(time.Millisecond), l.resumed.Load(), l.head.Load())
}

// finish waits until every subscriber has every block up to the newest one, and checks the counts.
func (l *clusterLoad) finish(t *testing.T) {
	t.Helper()
	l.end.Store(l.head.Load())
	received := make(chan struct{})
	go func() {
		defer close(received)
		l.wg.Wait()
	}()
	select {
	case <-received:
	case <-time.After(2 * time.Minute * pacetest.Slow):
		l.failf("subscribers do not have all blocks")
		<-received
	}
	t.Log("end:", l.line())
	if text := l.failure.Load(); text != nil {
		require.Fail(t, *text)
	}
	for i := range l.streams {
		require.GreaterOrEqual(t, l.streams[i].last.Load(), l.end.Load())
	}
	require.Greater(t, l.end.Load(), l.first)
	require.Less(t, (l.refused.Load()+l.cut.Load())*l.oneIn, l.sent.Load(), "errors are fewer than one in %d", l.oneIn)
}
