package conformance

import (
	"context"
	"net/http"

	"github.com/coder/websocket"
)

const (
	streamPath   = "api/streaming/v2/sse"
	socketPath   = "api/streaming/v2/ws"
	docStreaming = "conformance.md#streaming"
)

// streamingRecords are the members of messages of the streaming API.
var streamingRecords = map[string]string{
	"streamStatus":       "id str~, status str",
	"streamError":        "id str~, error str",
	"streamTransactions": "type str, finality final, trace_external_hash_norm hash, transactions [streamTransaction]",
	"streamTransaction":  "account addr, hash hash, lt dec, now int, in_msg obj?, out_msgs arr",
}

// streaming makes a row of the table.
func streaming(id string, class Class, expect string, run func(*probe)) Check {
	return Check{ID: "streaming." + id, Section: Streaming, Class: class, Expect: expect, Doc: docStreaming, run: run}
}

func streamingChecks() []Check {
	refuse := func(id, expect string, body any) Check {
		return streaming("sse."+id, Errors, expect, func(p *probe) {
			response := p.refused(request{method: http.MethodPost, path: streamPath, body: body}, http.StatusBadRequest)
			response.conforms("streamError")
			p.requiref(!response.ok || response.text("error") != "", "the error is empty")
		})
	}
	subscription := map[string]any{"types": []string{"transactions"}, "addresses": []string{nobody}, "id": "q1"}
	socket := func(id string, class Class, expect string, messages []any, record string, check func(value)) Check {
		return streaming("websocket."+id, class, expect, func(p *probe) {
			p.converse(messages, func(reply value) {
				reply.conforms(record)
				check(reply)
			})
		})
	}
	return []Check{
		streaming("sse.connected", Events, "A subscription begins with the event `connected`, which repeats the id of the request.", func(p *probe) {
			p.firstEvent(subscription, func(name string, data value) {
				p.equal(name, "connected", "the first event")
				data.conforms("streamStatus")
				p.equal(data.text("status"), "subscribed", "status")
				p.equal(data.text("id"), "q1", "id")
			})
		}),
		streaming("sse.address-forms", Encoding, "A user-friendly address is accepted.", func(p *probe) {
			p.firstEvent(map[string]any{"types": []string{"transactions"}, "addresses": []string{friendlyOf(nobody)}}, func(name string, _ value) {
				p.equal(name, "connected", "the first event")
			})
		}),
		streaming("sse.get", Errors, "`GET` of the stream is refused.", func(p *probe) {
			response, ok := p.send(request{method: http.MethodGet, path: streamPath})
			p.requiref(!ok || response.Status == http.StatusMethodNotAllowed, "status %d instead of 405", response.Status)
		}),
		refuse("malformed", "A body that is no JSON is refused with 400.", "{"),
		refuse("types-missing", "A subscription without types is refused with 400.", map[string]any{"addresses": []string{nobody}}),
		refuse("type-unknown", "An unknown type is refused with 400.", map[string]any{"types": []string{"weather"}, "addresses": []string{nobody}}),
		refuse("address-invalid", "An unreadable address is refused with 400.", map[string]any{"types": []string{"transactions"}, "addresses": []string{"someone"}}),
		refuse("addresses-missing", "A subscription to transactions without addresses is refused with 400.", map[string]any{"types": []string{"transactions"}}),
		refuse("trace-hashes-missing", "A subscription to traces without hashes is refused with 400.", map[string]any{"types": []string{"trace"}}),
		refuse("trace-type-missing", "Hashes of traces without the type `trace` are refused with 400.", map[string]any{"types": []string{"transactions"}, "addresses": []string{nobody}, "trace_external_hash_norms": []string{noHash}}),
		refuse("finality-invalid", "An unknown `min_finality` is refused with 400.", map[string]any{"types": []string{"transactions"}, "addresses": []string{nobody}, "min_finality": "perhaps"}),
		streaming("sse.transactions", Events, "Transactions of a busy account arrive, with their account, LT and hash.", func(p *probe) {
			if !p.facts.has(V3) {
				p.skipf("the server has no /api/v3, or it is not selected")
			}
			p.transactionEvent(p.busiest())
		}),
		socket("ping", Events, "`ping` is allowed before any subscription, and the reply repeats the id.", []any{map[string]any{"operation": "ping", "id": "7"}}, "streamStatus", func(reply value) {
			reply.p.equal(reply.text("status"), "pong", "status")
			reply.p.equal(reply.text("id"), "7", "id")
		}),
		socket("subscribe", Events, "`subscribe` is acknowledged.", []any{map[string]any{"operation": "subscribe", "id": "a", "types": []string{"transactions"}, "addresses": []string{nobody}}}, "streamStatus", func(reply value) {
			reply.p.equal(reply.text("status"), "subscribed", "status")
			reply.p.equal(reply.text("id"), "a", "id")
		}),
		socket("unsubscribe", Events, "`unsubscribe` is acknowledged.", []any{
			map[string]any{"operation": "subscribe", "types": []string{"transactions"}, "addresses": []string{nobody}},
			map[string]any{"operation": "unsubscribe", "id": "b", "addresses": []string{nobody}},
		}, "streamStatus", func(reply value) {
			reply.p.equal(reply.text("status"), "unsubscribed", "status")
			reply.p.equal(reply.text("id"), "b", "id")
		}),
		socket("operation-unknown", Errors, "An unknown operation is an error, and the connection stays open.", []any{map[string]any{"operation": "sing", "id": "c"}}, "streamError", func(reply value) {
			reply.p.equal(reply.text("id"), "c", "id")
		}),
		socket("types-missing", Errors, "`subscribe` without types is an error.", []any{map[string]any{"operation": "subscribe", "id": "d", "addresses": []string{nobody}}}, "streamError", func(reply value) {
			reply.p.equal(reply.text("id"), "d", "id")
		}),
	}
}

// firstEvent opens a stream and checks its first event.
func (p *probe) firstEvent(body any, check func(name string, data value)) {
	ctx, cancel := context.WithTimeout(p.ctx, p.client.timeout)
	defer cancel()
	if p.client.wait(ctx) != nil {
		p.skipf("%v", errOver)
		return
	}
	response, err := p.stream(ctx, request{method: http.MethodPost, path: streamPath, body: body, accept: "text/event-stream"})
	if err != nil {
		p.failf("%s", cut(err.Error(), 200))
		return
	}
	defer func() { _ = response.Body.Close() }() // the stream is given up
	err = readEvents(response.Body, func(name string, data any) bool {
		check(name, value{p, data, "event", true})
		return false
	})
	p.requiref(err == nil, "no event: %v", err)
}

// transactionEvent waits for transactions of an account.
func (p *probe) transactionEvent(account string) {
	if p.over() {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, eventTime)
	defer cancel()
	body := map[string]any{"types": []string{"transactions"}, "addresses": []string{account}}
	response, err := p.stream(ctx, request{method: http.MethodPost, path: streamPath, body: body, accept: "text/event-stream"})
	if err != nil {
		p.failf("%s", cut(err.Error(), 200))
		return
	}
	defer func() { _ = response.Body.Close() }() // the stream is given up
	err = readEvents(response.Body, func(name string, data any) bool {
		if name != "event" {
			return true
		}
		event := value{p, data, "event", true}
		event.conforms("streamTransactions")
		for _, tx := range event.at("transactions").rows() {
			p.equal(tx.text("account"), account, tx.path+".account")
		}
		return false
	})
	if err != nil && ctx.Err() != nil {
		p.skipf("the account had no transaction within %s", eventTime)
	}
	p.requiref(err == nil, "no event: %v", err)
}

// converse sends messages over a WebSocket, with a reply to each, and checks the last reply. Then the connection must still
// be open.
func (p *probe) converse(messages []any, check func(value)) {
	ctx, cancel := context.WithTimeout(p.ctx, p.client.timeout)
	defer cancel()
	if p.client.wait(ctx) != nil {
		p.skipf("%v", errOver)
		return
	}
	conn, err := p.dial(ctx, socketPath)
	if err != nil {
		p.failf("%s", cut(err.Error(), 200))
		return
	}
	defer func() { _ = conn.CloseNow() }() // the conversation is over
	for i, message := range append(messages, map[string]any{"operation": "ping", "id": "last"}) {
		reply, err := p.exchange(ctx, conn, message)
		if err != nil {
			p.failf("message %d: %s", i, cut(err.Error(), 200))
			return
		}
		if i == len(messages)-1 {
			check(value{p, reply, "reply", true})
		}
	}
}

func (p *probe) exchange(ctx context.Context, conn *websocket.Conn, message any) (any, error) {
	if err := writeMessage(ctx, conn, message); err != nil {
		return nil, err
	}
	return readMessage(ctx, conn)
}
