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

const (
	// A Jetton wallet's entry is derived from its record, and its master's comes along.
	selectMetadata = `SELECT m.address, m.kind, m.indexed, m.valid, m.content, m.result, m.fetched_at, m.reason, m.error, i.item_index
		FROM (SELECT m.* FROM (SELECT a.address FROM unnest($1::bytea[]) a(address)
			UNION SELECT w.jetton FROM unnest($1::bytea[]) a(address) JOIN jetton_wallets w ON w.address = a.address) k
			JOIN metadata m ON m.address = k.address OFFSET 0) m
		LEFT JOIN nft_items i ON i.address = m.address AND m.kind = 4 ORDER BY m.address, m.kind`

	selectDerivedMetadata = `SELECT w.address, w.owner, w.jetton, w.balance FROM (
		SELECT w.* FROM jetton_wallets w WHERE w.address = ANY($1) OFFSET 0) w ORDER BY w.address`
)

// Metadata tells what is known of the tokens among addresses, by address and kind, Jetton wallets after all others. A
// Jetton wallet brings its master's. Addresses of anything else are left out.
func (r *Reader) Metadata(ctx context.Context, addresses []chain.Address) ([]chain.Metadata, error) {
	if len(addresses) == 0 {
		return nil, nil
	}
	keys := addressArray(unique(addresses))
	list, err := collect(ctx, r.pool, "metadata", len(keys), scanMetadata, selectMetadata, keys)
	if err != nil {
		return nil, err
	}
	wallets, err := collect(ctx, r.pool, "metadata of Jetton wallets", 1, func(r *row, m *chain.Metadata) {
		m.Address, m.Kind, m.Indexed, m.Valid = r.address(), chain.TokenJettonWallet, true, true
		m.Extra = map[string]any{"owner": r.address().String(), "jetton": r.address().String(), "balance": r.numeric().String()}
	}, selectDerivedMetadata, keys)
	return append(list, wallets...), err
}

func scanMetadata(r *row, m *chain.Metadata) {
	m.Address = r.address()
	m.Kind = chain.TokenKind(r.int2())
	m.Indexed = r.bool()
	m.Valid = r.bool()
	content := r.content()
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
