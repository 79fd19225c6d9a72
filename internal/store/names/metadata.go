package names

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// found is the stored form of a token's metadata. The JSON names are on disk.
type found struct {
	Name        string         `json:"name,omitempty"`
	Symbol      string         `json:"symbol,omitempty"`
	Description string         `json:"description,omitempty"`
	Image       string         `json:"image,omitempty"`
	NSFW        *bool          `json:"nsfw,omitempty"`
	Scam        *bool          `json:"scam,omitempty"`
	Extra       map[string]any `json:"extra,omitempty"`
}

// Document returns the stored form of metadata that was found, JSON.
func Document(m *chain.Metadata) ([]byte, error) {
	return json.Marshal(found{m.Name, m.Symbol, m.Description, m.Image, m.NSFW, m.Scam, m.Extra}) //nolint:wrapcheck // the caller names the token
}

// SelectMetadata reads the entries of tokens that have content, the masters of Jetton wallets included, and the entries of
// Jetton wallets, which are derived from their masters. It reads the content only where fetching it has failed.
//
//nolint:dupword // NULL after NULL
const SelectMetadata = `WITH w AS MATERIALIZED (SELECT w.address, w.owner, w.jetton, w.balance FROM jetton_wallets w WHERE w.address = ANY($1))
	SELECT NULL::bytea, NULL::bytea, NULL::numeric, m.address, m.kind, m.indexed, m.valid,
		CASE WHEN m.indexed AND NOT m.valid THEN m.content END, m.result, m.fetched_at, m.reason, m.error,
		CASE WHEN m.kind = 4 THEN (SELECT i.item_index FROM nft_items i WHERE i.address = m.address) END
		FROM metadata m WHERE m.address = ANY($1 || ARRAY(SELECT w.jetton FROM w))
	UNION ALL SELECT w.owner, w.jetton, w.balance, w.address, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM w`

// tokenRows are rows of metadata as the database returned them, in any order.
type tokenRows []chain.Metadata

func (t *tokenRows) queue(b *pgx.Batch, addresses []chain.Address, array any) {
	sqlbuild.Queue(b, (*[]chain.Metadata)(t), 2*len(addresses), ScanMetadata, SelectMetadata, array)
}

// inOrder returns all rows by address and kind, each once.
func (t tokenRows) inOrder() []chain.Metadata {
	rows := []chain.Metadata(t)
	order := make([]int, len(rows)) // rows are large
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(rows[a].Address.Compare(rows[b].Address), cmp.Compare(rows[a].Kind, rows[b].Kind))
	})
	sorted := make([]chain.Metadata, 0, len(rows))
	for _, at := range order {
		m := &rows[at]
		if n := len(sorted); n == 0 || sorted[n-1].Address != m.Address || sorted[n-1].Kind != m.Kind {
			sorted = append(sorted, *m)
		}
	}
	return sorted
}

// ScanMetadata reads a row of [SelectMetadata].
func ScanMetadata(r *sqlbuild.Row, m *chain.Metadata) {
	if r.Present(0) {
		scanWalletToken(r, m)
		return
	}
	const ofWallets = 3 // columns
	r.Skip(ofWallets)
	m.Address = r.Address()
	m.Kind = chain.TokenKind(r.Int2())
	m.Indexed = r.Bool()
	m.Valid = r.Bool()
	var content chain.Content
	r.JSON(&content)
	var f found
	if b := r.Next(); b != nil {
		d := json.NewDecoder(bytes.NewReader(b))
		d.UseNumber()
		if err := d.Decode(&f); err != nil {
			r.Err = sqlbuild.ErrRow
		}
	}
	m.Name, m.Symbol, m.Description, m.Image = f.Name, f.Symbol, f.Description, f.Image
	m.NSFW, m.Scam, m.Extra = f.NSFW, f.Scam, f.Extra
	if uri, ok := content["uri"]; ok && !m.Valid && m.Extra == nil && m.Indexed {
		m.Extra = map[string]any{"uri": uri}
	}
	m.FetchedAt = r.Time()
	m.Reason = r.Text()
	m.Error = r.Text()
	m.NFTIndex = r.Numeric()
}

const jettonKey = "jetton"

// jettonOf returns the Jetton master of the metadata of a Jetton wallet.
func jettonOf(m *chain.Metadata) chain.Address {
	text, _ := m.Extra[jettonKey].(string)
	a, _ := chain.ParseAddress(text) // this package printed it
	return a
}

func scanWalletToken(r *sqlbuild.Row, m *chain.Metadata) {
	owner, jetton, balance := r.Address(), r.Address(), r.Numeric()
	m.Address = r.Address()
	m.Kind, m.Indexed, m.Valid = chain.TokenJettonWallet, true, true
	m.Extra = map[string]any{"owner": owner.String(), jettonKey: jetton.String(), "balance": balance.String()}
	const ofContents = 9 // columns
	r.Skip(ofContents)
}
