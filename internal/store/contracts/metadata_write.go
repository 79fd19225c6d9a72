package contracts

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// A token's row in metadata follows its record: new content is fetched at once and the result of the old content is
// deleted.
const (
	upsertMetadata = `WITH changed AS (INSERT INTO metadata AS m (address, kind, content, indexed, valid, reason, error, tries, next_try)
		SELECT address, kind, content::json, false AS indexed, false AS valid, '' AS reason, '' AS error, 0, now()
		FROM unnest($1::bytea[], $2::smallint[], $3::text[]) k(address, kind, content)
		ON CONFLICT (address, kind) DO UPDATE SET content = excluded.content, indexed = false, valid = false, result = NULL,
			fetched_at = NULL, reason = '', error = '', tries = 0, next_try = excluded.next_try, traits = NULL
		WHERE m.content::text <> excluded.content::text RETURNING m.address, m.kind)
		DELETE FROM nft_traits t USING changed c WHERE t.item = c.address AND t.kind = c.kind`
	// The rows of metadata are locked by now, so no traits with the collection of an earlier record are added.
	placeTraits = `UPDATE nft_traits t SET collection = k.collection FROM unnest($1::bytea[], $2::bytea[]) k(item, collection)
		WHERE t.item = k.item AND t.kind = 4 AND t.collection <> k.collection`
	deleteMetadata = `DELETE FROM metadata m USING unnest($1::bytea[], $2::smallint[]) k(address, kind)
		WHERE m.address = k.address AND m.kind = k.kind`
)

// tokens are the kinds of record that have content.
var tokens = []struct {
	holds   int16
	kind    chain.TokenKind
	content func(*chain.Contract) chain.Content
}{
	{holdsJettonMaster, chain.TokenJettonMaster, func(k *chain.Contract) chain.Content { return k.JettonMaster.Content }},
	{holdsNFTCollection, chain.TokenNFTCollection, func(k *chain.Contract) chain.Content { return k.NFTCollection.Content }},
	{holdsNFTItem, chain.TokenNFTItem, func(k *chain.Contract) chain.Content { return k.NFTItem.Content }},
}

// contents are rows of metadata by column.
type contents struct {
	accounts []chain.Address
	kinds    []int16
	texts    []string
	bytes    int // of the texts
}

// args are the parameters of upsertMetadata.
func (c *contents) args() []any { return []any{sqlbuild.AddressArray(c.accounts), c.kinds, c.texts} }

// writeContents collects the contents of the changed tokens and sends them in parts. The last part is sent by finishTokens,
// together with other statements: most blocks have less than one part.
func (c *Step) writeContents(ctx context.Context) error {
	c.contents = contents{}
	for _, t := range tokens {
		for _, account := range c.Changed {
			k := c.Detections[account].Contract
			if k == nil || KindsOf(k)&t.holds == 0 {
				continue
			}
			content := t.content(k)
			if content == nil {
				content = chain.Content{}
			}
			text := string(sqlbuild.AsJSON(content))
			rows := &c.contents
			rows.accounts, rows.kinds, rows.texts = append(rows.accounts, account), append(rows.kinds, int16(t.kind)), append(rows.texts, text)
			if rows.bytes += len(text); rows.bytes < sqlbuild.Part {
				continue
			}
			if _, err := c.Tx.Exec(ctx, upsertMetadata, rows.args()...); err != nil {
				return fmt.Errorf("contents of tokens: %w", err)
			}
			c.contents = contents{}
		}
	}
	return nil
}

// finishTokens queues the rows of metadata that follow from the changed records.
func (c *Step) finishTokens(b *pgx.Batch) {
	var gone []chain.Address
	var goneKinds []int16
	for _, t := range tokens {
		for _, account := range c.Changed {
			if k := c.Detections[account].Contract; k != nil && KindsOf(k)&t.holds != 0 {
				continue
			}
			if c.stored[account].kinds&t.holds != 0 {
				gone, goneKinds = append(gone, account), append(goneKinds, int16(t.kind))
			}
		}
	}
	if len(c.contents.accounts) > 0 {
		b.Queue(upsertMetadata, c.contents.args()...)
	}
	items, collections := c.changedItems()
	if len(items) > 0 {
		b.Queue(placeTraits, sqlbuild.AddressArray(items), collections)
	}
	if len(gone) > 0 {
		b.Queue(deleteMetadata, sqlbuild.AddressArray(gone), goneKinds)
	}
}

// changedItems returns the items among the changed records with their collections, empty for those without one.
func (c *Step) changedItems() (items []chain.Address, collections [][]byte) {
	for _, account := range c.Changed {
		k := c.Detections[account].Contract
		if k == nil || k.NFTItem == nil {
			continue
		}
		collection := []byte{}
		if a := k.NFTItem.Collection; a != nil {
			collection = a.Bytes()
		}
		items, collections = append(items, account), append(collections, collection)
	}
	return items, collections
}
