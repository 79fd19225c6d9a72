package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
)

const (
	// eventCount is the number of events that a check of a stream waits for.
	eventCount = 3
	// eventTime bounds the wait; a masterchain block takes some seconds.
	eventTime = 45 * time.Second
	// maxEvents bounds what is read of a stream, keepalives included.
	maxEvents = 1000
	// maxEvent bounds a line of a stream, and a message of a WebSocket.
	maxEvent = 1 << 20
)

const blockSubscription = "subscription($n: UInt32) { blocks(where: {workchain: -1}, afterMcSeqno: $n) { cursor mcSeqno node { workchain seqno } } }"

// blockEvents subscribes to masterchain blocks from some blocks back.
func (p *probe) blockEvents(receive func(ctx context.Context, after int64) ([]any, error)) {
	after := p.graphqlSettled().small("seqno")
	if p.over() {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, eventTime)
	defer cancel()
	if err := p.client.wait(ctx); err != nil {
		p.skipf("%v", errOver)
		return
	}
	events, err := receive(ctx, after)
	if err != nil {
		p.failf("after %d events: %s", len(events), cut(err.Error(), 200))
		return
	}
	for i, e := range events {
		event := value{p, e, fmt.Sprintf("event %d", i), true}.at("data", "blocks")
		p.equal(event.text("mcSeqno"), itoa(after+int64(i)+1), event.path+".mcSeqno")
		p.equal(event.text("node", "seqno"), itoa(after+int64(i)+1), event.path+".node.seqno")
		p.equal(event.text("node", "workchain"), "-1", event.path+".node.workchain")
		p.requiref(event.text("cursor") != "", "%s.cursor is empty", event.path)
	}
}

// stream opens a response whose body is read while it is sent.
func (p *probe) stream(ctx context.Context, r request) (*http.Response, error) {
	built, exchange, err := p.client.build(ctx, r)
	if err != nil {
		return nil, err
	}
	response, err := p.client.http.Do(built)
	if err == nil {
		exchange.Status = response.StatusCode
	}
	p.exchanges = append(p.exchanges, exchange)
	if err != nil {
		return nil, err
	}
	if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || !strings.HasPrefix(kind, "text/event-stream") {
		_ = response.Body.Close() // nothing of it is needed
		return nil, fmt.Errorf("status %d and Content-Type %q instead of an event stream", response.StatusCode, cut(kind, 80))
	}
	return response, nil
}

// overSSE receives events of the subscription as Server-Sent Events.
func (p *probe) overSSE(ctx context.Context, after int64) ([]any, error) {
	r := graphqlRequest(blockSubscription, []any{"n", after})
	r.accept = "text/event-stream"
	response, err := p.stream(ctx, r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }() // the stream is given up
	var events []any
	err = readEvents(response.Body, func(name string, data any) bool {
		if name == "next" {
			events = append(events, data)
		}
		return len(events) < eventCount
	})
	return events, err
}

// readEvents reads Server-Sent Events until next returns false. The end of the stream is an error.
func readEvents(body io.Reader, next func(name string, data any) bool) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 0, 4096), maxEvent)
	name := ""
	for n := 0; lines.Scan(); n++ {
		if n > maxEvents*4 {
			return errors.New("the stream has too many lines without the expected events")
		}
		line := lines.Text()
		if rest, ok := strings.CutPrefix(line, "event:"); ok {
			name = strings.TrimSpace(rest)
		}
		if rest, ok := strings.CutPrefix(line, "data:"); ok && strings.TrimSpace(rest) != "" {
			data, err := decode([]byte(rest))
			if err != nil {
				return err
			}
			if !next(name, data) {
				return nil
			}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("the stream ended: %w", err)
	}
	return errors.New("the stream ended")
}

// dial opens a WebSocket.
func (p *probe) dial(ctx context.Context, path string, protocols ...string) (*websocket.Conn, error) {
	header := http.Header{}
	p.client.authorize(header)
	url := p.client.url(request{path: path})
	//nolint:bodyclose // the library closes it
	conn, response, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(url, "http"), &websocket.DialOptions{
		HTTPClient: p.client.http, HTTPHeader: header, Subprotocols: protocols,
	})
	exchange := Exchange{Method: http.MethodGet, URL: url}
	if response != nil {
		exchange.Status = response.StatusCode
	}
	p.exchanges = append(p.exchanges, exchange)
	if err != nil {
		return nil, fmt.Errorf("WebSocket: %w", err)
	}
	conn.SetReadLimit(maxEvent)
	return conn, nil
}

// overWebSocket receives events of the subscription in the protocol graphql-transport-ws.
func (p *probe) overWebSocket(ctx context.Context, after int64) ([]any, error) {
	conn, err := p.dial(ctx, graphqlPath, "graphql-transport-ws")
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.CloseNow() }() // the stream is given up
	if err := writeMessage(ctx, conn, map[string]any{"type": "connection_init"}); err != nil {
		return nil, err
	}
	var events []any
	for range maxEvents {
		message, err := readMessage(ctx, conn)
		if err != nil {
			return events, err
		}
		switch message["type"] {
		case "connection_ack":
			subscribe := map[string]any{"id": "1", "type": "subscribe", "payload": map[string]any{"query": blockSubscription, "variables": map[string]any{"n": after}}}
			if err := writeMessage(ctx, conn, subscribe); err != nil {
				return events, err
			}
		case "ping":
			if err := writeMessage(ctx, conn, map[string]any{"type": "pong"}); err != nil {
				return events, err
			}
		case "next":
			if events = append(events, message["payload"]); len(events) == eventCount {
				return events, nil
			}
		case "error", "complete":
			return events, fmt.Errorf("the subscription ended with %s", show(message["type"]))
		}
	}
	return events, errors.New("the stream has too many messages without the expected events")
}

func writeMessage(ctx context.Context, conn *websocket.Conn, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("message: %w", err)
	}
	return conn.Write(ctx, websocket.MessageText, text)
}

func readMessage(ctx context.Context, conn *websocket.Conn) (map[string]any, error) {
	_, text, err := conn.Read(ctx)
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	v, err := decode(bytes.TrimSpace(text))
	if err != nil {
		return nil, err
	}
	message, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a message is %s, not an object", show(v))
	}
	return message, nil
}
