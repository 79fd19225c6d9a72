package contracts

import (
	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// A token's row in metadata follows its record: new content is fetched at once and the result of the old content is
// deleted.
const (
	upsertMetadata = `INSERT INTO metadata AS m (address, kind, content, indexed, valid, reason, error, tries, next_try)
		SELECT address, kind, content::json, false AS indexed, false AS valid, '' AS reason, '' AS error, 0, now()
		FROM unnest($1::bytea[], $2::smallint[], $3::text[]) k(address, kind, content)
		ON CONFLICT (address, kind) DO UPDATE SET content = excluded.content, indexed = false, valid = false, result = NULL,
			fetched_at = NULL, reason = '', error = '', tries = 0, next_try = excluded.next_try
		WHERE m.content::text <> excluded.content::text`
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

// finishTokens queues the rows of metadata that follow from the changed records.
func (c *Step) finishTokens(b *pgx.Batch) {
	var here, gone []chain.Address
	var hereKinds, goneKinds []int16
	var contents []string
	for _, t := range tokens {
		for _, account := range c.Changed {
			k := c.Detections[account].Contract
			switch {
			case k != nil && KindsOf(k)&t.holds != 0:
				content := t.content(k)
				if content == nil {
					content = chain.Content{}
				}
				here, hereKinds = append(here, account), append(hereKinds, int16(t.kind))
				contents = append(contents, string(sqlbuild.AsJSON(content)))
			case c.stored[account].kinds&t.holds != 0:
				gone, goneKinds = append(gone, account), append(goneKinds, int16(t.kind))
			}
		}
	}
	if len(here) > 0 {
		b.Queue(upsertMetadata, sqlbuild.AddressArray(here), hereKinds, contents)
	}
	if len(gone) > 0 {
		b.Queue(deleteMetadata, sqlbuild.AddressArray(gone), goneKinds)
	}
}
