package v3

import (
	"encoding/json"
	"maps"
	"slices"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// metadata responds with the metadata of the addresses sent that are tokens. Other values are omitted.
func metadata(c *call) (func() error, error) {
	sent := c.q.Texts("address")
	return func() error {
		keys, list := parseAddressBookKeys(sent)
		if len(keys) == 0 {
			return chain.Invalidf("at least 1 address required")
		}
		if limit := c.svc.Limits().Addresses; len(keys) > limit {
			return chain.Invalidf("%d addresses are too many: at most %d are allowed in one request", len(keys), limit)
		}
		rows, err := c.svc.Last().Metadata(c.ctx, list)
		if err != nil {
			return err
		}
		c.out.B = appendMetadata(c.out.B, rows)
		return nil
	}, nil
}

// appendMetadata appends AddressMetadata by raw address. rows are grouped by address: an address can have several kinds.
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

// appendTokens appends the AddressMetadata of one address. is_indexed is true if all its rows are indexed.
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

// appendToken appends a TokenInfo. Until the content is fetched it has only the type; if fetching failed, also valid. That of an emulated contract
// has what it says on the chain, and no valid.
func appendToken(b []byte, m *chain.Metadata) []byte {
	b = append(b, '{')
	if m.Indexed {
		b = append(handler.AppendBool(append(b, `"valid":`...), m.Valid), ',')
	}
	b = handler.AppendString(append(b, `"type":`...), m.Kind.String())
	shown := m.Valid || !m.Indexed
	if shown {
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
	if shown {
		if extra := extraOf(m); len(extra) > 0 {
			b = appendJSON(append(b, `,"extra":`...), extra)
		}
	}
	return append(b, '}')
}

// extraOf returns the remaining attributes of a token, with the addresses of its images on this server.
func extraOf(m *chain.Metadata) map[string]any {
	if m.Images == (chain.Images{}) {
		return m.Extra
	}
	extra := make(map[string]any, len(m.Extra)+3)
	maps.Copy(extra, m.Extra)
	extra["_image_small"], extra["_image_medium"], extra["_image_big"] = m.Images.Small, m.Images.Medium, m.Images.Big
	return extra
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

// appendJSON appends a JSON value of the metadata, with members in alphabetical order. The parser has bounded its depth.
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
