package graphql

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/99designs/gqlgen/graphql"
)

// maxOperationID bounds the id of an operation, in bytes: it is retained, and repeated with each event.
const maxOperationID = 1000

// inbound is a message of a client.
type inbound struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Payload json.RawMessage `json:"payload"`
}

// parse decodes a message; ok is false when the protocol does not define it.
func parse(data []byte) (m inbound, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if dec.Decode(&m) != nil || dec.More() {
		return m, false
	}
	switch m.Type {
	case "connection_init", "ping", "pong":
		return m, len(m.Payload) == 0 || string(m.Payload) == "null" || m.Payload[0] == '{'
	case "subscribe":
		return m, m.ID != "" && len(m.ID) <= maxOperationID && len(m.Payload) > 0 && m.Payload[0] == '{'
	case "complete":
		return m, m.ID != ""
	default:
		return m, false
	}
}

// params decodes the payload of a subscribe message.
func (m *inbound) params() (p *graphql.RawParams, documentID string, ok bool) {
	p = &graphql.RawParams{}
	start := graphql.Now()
	documentID, problem := readBody(m.Payload, p)
	p.ReadTime = graphql.TraceTiming{Start: start, End: graphql.Now()}
	return p, documentID, problem == "" && (p.Query != "" || documentID != "" || p.Extensions["persistedQuery"] != nil)
}

// outbound encodes a message of the server. The payload is JSON.
func outbound(kind, id string, payload []byte) []byte {
	if payload != nil {
		before, after := outboundParts(kind, id)
		return slices.Concat(before, payload, after)
	}
	return append(outboundHead(kind, id), '}')
}

// outboundParts returns the text before and after the payload of a message.
func outboundParts(kind, id string) (before, after []byte) {
	return append(outboundHead(kind, id), `,"payload":`...), []byte{'}'}
}

func outboundHead(kind, id string) []byte {
	b := append([]byte(`{"type":"`), kind...)
	b = append(b, '"')
	if id == "" {
		return b
	}
	text, err := json.Marshal(id)
	if err != nil {
		text = []byte(`""`) // encoding a string never fails
	}
	return append(append(b, `,"id":`...), text...)
}

// secretOf returns the API key in the payload of connection_init, "" for none. Browsers cannot set headers of a handshake.
func secretOf(payload json.RawMessage) string {
	var fields map[string]any
	if json.Unmarshal(payload, &fields) != nil {
		return ""
	}
	for _, name := range []string{"X-API-Key", "x-api-key", "X-Api-Key", "apiKey", "api_key"} {
		if secret, ok := fields[name].(string); ok && secret != "" {
			return secret
		}
	}
	return ""
}
