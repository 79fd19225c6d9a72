package v3

import (
	"encoding/json"
	"maps"
	"slices"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// metadata answers for every address sent that is a token; other strings are left out.
func metadata(c *call) (func() error, error) {
	sent := c.q.Texts("address")
	return func() error {
		keys, list := parseAddressBookKeys(sent)
		if len(keys) == 0 {
			return chain.Invalidf("at least 1 address required")
		}
		if most := c.svc.Limits().Addresses; len(keys) > most {
			return chain.Invalidf("%d addresses are too many: at most %d are allowed in one request", len(keys), most)
		}
		rows, err := c.svc.Last().Metadata(c.ctx, list)
		if err != nil {
			return err
		}
		c.out.B = appendMetadata(c.out.B, rows)
		return nil
	}, nil
}

// appendMetadata prints raw address to what is known of the token. An address may be several kinds at once; the rows of
// one stand together.
func appendMetadata(b []byte, rows []chain.Metadata) []byte {
	b = append(b, '{')
	for first := 0; first < len(rows); {
		last := first + 1
		for last < len(rows) && rows[last].Address == rows[first].Address {
			last++
		}
		if first > 0 {
			b = append(b, ',')
		}
		b = append(handler.AppendAddress(b, &rows[first].Address), ':')
		b = appendTokens(b, rows[first:last])
		first = last
	}
	return append(b, '}')
}

// appendTokens prints AddressMetadata. It counts as indexed when nothing of it is still to be followed.
func appendTokens(b []byte, rows []chain.Metadata) []byte {
	indexed := !slices.ContainsFunc(rows, func(m chain.Metadata) bool { return !m.Indexed })
	b = handler.AppendBool(append(b, `{"is_indexed":`...), indexed)
	b = append(b, `,"token_info":[`...)
	for i := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendToken(b, &rows[i])
	}
	return append(b, "]}"...)
}

// appendToken prints TokenInfo: its kind alone until the content was followed, and no more than that it failed when it
// did.
func appendToken(b []byte, m *chain.Metadata) []byte {
	b = append(b, '{')
	if m.Indexed {
		b = append(handler.AppendBool(append(b, `"valid":`...), m.Valid), ',')
	}
	b = handler.AppendString(append(b, `"type":`...), m.Kind.String())
	if m.Indexed && m.Valid {
		b = appendTextIf(b, `,"name":`, m.Name)
		b = appendTextIf(b, `,"symbol":`, m.Symbol)
		b = appendTextIf(b, `,"description":`, m.Description)
		b = appendTextIf(b, `,"image":`, m.Image)
	}
	if m.NFTIndex != nil {
		b = handler.AppendBig(append(b, `,"nft_index":`...), m.NFTIndex)
	}
	b = appendBoolIf(b, `,"is_nsfw":`, m.NSFW)
	b = appendBoolIf(b, `,"is_scam":`, m.Scam)
	if m.Indexed && m.Valid && len(m.Extra) > 0 {
		b = appendJSON(append(b, `,"extra":`...), m.Extra)
	}
	return append(b, '}')
}

func appendTextIf(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	return handler.AppendString(append(b, name...), text)
}

func appendBoolIf(b []byte, name string, v *bool) []byte {
	if v == nil {
		return b
	}
	return handler.AppendBool(append(b, name...), *v)
}

// appendJSON prints a value as metadata holds it, members in alphabetical order. Its depth was bounded when it was read.
func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return handler.AppendString(b, v)
	case bool:
		return handler.AppendBool(b, v)
	case json.Number:
		if !json.Valid([]byte(v)) {
			return handler.AppendString(b, v.String())
		}
		return append(b, v...)
	case []any:
		b = append(b, '[')
		for i, element := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, element)
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for i, name := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(append(handler.AppendString(b, name), ':'), v[name])
		}
		return append(b, '}')
	default:
		return append(b, "null"...)
	}
}
