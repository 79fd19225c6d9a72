package resolvers

import (
	"context"
	"encoding/json"

	"tonql/internal/boc"
	"tonql/internal/chain"
	"tonql/internal/contract/body"
)

// maxDecode bounds the opcodes, and the bodies, of one request.
const maxDecode = 1000

// Decoded is the result of [Service.Decode], in the order of the request: "unknown" for opcodes without a name; bodies are
// objects with members in alphabetical order, {"error":…} for unknown layouts.
type Decoded = chain.Decoded

// Decode returns the names of opcodes and decodes bodies, both given as text: opcodes in hex or decimal, bodies as bags of cells
// in base64 or hex.
func (s *Service) Decode(ctx context.Context, opcodes, bodies []string) (*Decoded, error) {
	for _, list := range []struct {
		name string
		size int
	}{{"opcodes", len(opcodes)}, {"bodies", len(bodies)}} {
		if list.size > maxDecode {
			return nil, chain.Invalidf("%s list exceeds maximum length of %d", list.name, maxDecode)
		}
	}
	d := &Decoded{Opcodes: make([]string, len(opcodes)), Bodies: make([]json.RawMessage, len(bodies))}
	for i, text := range opcodes {
		op, ok := body.ParseOpcode(text)
		if !ok {
			return nil, chain.Invalidf("invalid opcode format at index %d: %s", i, text)
		}
		if d.Opcodes[i] = body.Name(op); d.Opcodes[i] == "" {
			d.Opcodes[i] = "unknown"
		}
	}
	for i, text := range bodies {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d.Bodies[i] = body.DecodeText(text)
	}
	return d, nil
}

// OpcodeName is the published name of a message's opcode; "" when it has none.
func OpcodeName(m *chain.Message) string {
	if m.Opcode == nil {
		return ""
	}
	return body.Name(*m.Opcode)
}

// AppendDecoded prints a message's body, boc, as JSON at the end of b, or returns b as it was and false when the body is not
// understood.
func AppendDecoded(b []byte, m *chain.Message, boc chain.BOC) ([]byte, bool) {
	if m.Kind == chain.ExternalIn {
		return body.AppendContent(b, boc, body.Incoming)
	}
	return body.AppendContent(b, boc, body.Inside)
}

// opcodeName is [OpcodeName], nil for none.
func opcodeName(m *chain.Message) *string {
	if name := OpcodeName(m); name != "" {
		return &name
	}
	return nil
}

// decoded is a message's body as JSON; nil when it is not understood.
func decoded(m *chain.Message) json.RawMessage {
	printed, ok := AppendDecoded(nil, m, m.BodyBOC())
	if !ok {
		return nil
	}
	return printed
}

// FirstCell returns the data of the root of a bag of cells, and its length in bits, without building cells; false for bags whose root is not
// their first cell and for exotic roots.
func FirstCell(bag chain.BOC) (data []byte, length int, ok bool) { return boc.Root(bag) }

// AppendPayload is [AppendDecoded] for a payload that travelled inside a message, such as a transfer's forward payload.
func AppendPayload(b []byte, payload chain.BOC) ([]byte, bool) {
	return body.AppendContent(b, payload, body.Inside)
}
