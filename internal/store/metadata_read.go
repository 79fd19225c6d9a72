package store

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"tonql/internal/chain"
)

// found is the stored form of what a content led to. The names are on disk.
type found struct {
	Name        string         `json:"name,omitempty"`
	Symbol      string         `json:"symbol,omitempty"`
	Description string         `json:"description,omitempty"`
	Image       string         `json:"image,omitempty"`
	NSFW        *bool          `json:"nsfw,omitempty"`
	Scam        *bool          `json:"scam,omitempty"`
	Extra       map[string]any `json:"extra,omitempty"`
}

// selectMetadata reads entries with content of their own and, of Jetton wallets w, those that are derived; a wallet's
// master comes along. The content matters only where following it has failed.
const selectMetadata = `WITH w AS MATERIALIZED (SELECT w.address, w.owner, w.jetton, w.balance FROM jetton_wallets w WHERE w.address = ANY($1))
	SELECT * FROM (SELECT m.address, m.kind, m.indexed, m.valid, CASE WHEN m.indexed AND NOT m.valid THEN m.content END, m.result,
		m.fetched_at, m.reason, m.error,
		CASE WHEN m.kind = 4 THEN (SELECT i.item_index FROM nft_items i WHERE i.address = m.address) END,
		NULL::bytea AS owner, NULL::bytea AS jetton, NULL::numeric AS balance
		FROM metadata m WHERE m.address = ANY($1 || ARRAY(SELECT w.jetton FROM w))
	UNION ALL SELECT w.address, 2::smallint, true AS indexed, true AS valid, NULL AS content, NULL AS result, NULL AS at, '' AS reason,
		'' AS error, NULL AS item_index, w.owner, w.jetton, w.balance FROM w) m
	ORDER BY m.address, m.kind`

// Metadata tells what is known of the tokens among addresses, by address and kind. A Jetton wallet brings its master's.
// Addresses of anything else are left out.
func (r *Reader) Metadata(ctx context.Context, addresses []chain.Address) ([]chain.Metadata, error) {
	if len(addresses) == 0 {
		return nil, nil
	}
	return collect(ctx, r.pool, "metadata", len(addresses), scanMetadata, selectMetadata, addressArray(unique(addresses)))
}

func scanMetadata(r *row, m *chain.Metadata) {
	m.Address = r.address()
	m.Kind = chain.TokenKind(r.int2())
	m.Indexed = r.bool()
	m.Valid = r.bool()
	var content chain.Content
	r.json(&content)
	var f found
	if b := r.next(); b != nil {
		d := json.NewDecoder(bytes.NewReader(b))
		d.UseNumber()
		if err := d.Decode(&f); err != nil {
			r.err = errRow
		}
	}
	m.Name, m.Symbol, m.Description, m.Image = f.Name, f.Symbol, f.Description, f.Image
	m.NSFW, m.Scam, m.Extra = f.NSFW, f.Scam, f.Extra
	if uri, ok := content["uri"]; ok && !m.Valid && m.Extra == nil && m.Indexed {
		m.Extra = map[string]any{"uri": uri}
	}
	m.FetchedAt = r.time()
	m.Reason = r.text()
	m.Error = r.text()
	m.NFTIndex = r.numeric()
	var owner, jetton chain.Address
	if r.setAddress(&owner) != nil {
		m.Extra = map[string]any{"owner": owner.String()}
	}
	if r.setAddress(&jetton) != nil {
		m.Extra["jetton"] = jetton.String()
	}
	if balance := r.numeric(); balance != nil {
		m.Extra["balance"] = balance.String()
	}
}

// time is a timestamptz, zero for NULL: microseconds since the year 2000.
func (r *row) time() time.Time {
	b := r.nullable(8)
	if b == nil {
		return time.Time{}
	}
	one := row{columns: [][]byte{b}}
	return time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(one.int8()) * time.Microsecond)
}
