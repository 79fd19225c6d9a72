package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// selectTraitCounts steps along nft_traits_value from one name to the next, and from one value to the next, and counts the items of each
// value up to a bound. So it reads a bounded number of rows, whatever the size of the collection.
const selectTraitCounts = `WITH RECURSIVE names AS (
		(SELECT t.name, 1 AS n FROM nft_traits t WHERE t.collection = $1 ORDER BY t.name LIMIT 1)
		UNION ALL SELECT x.name, v.n + 1 FROM names v CROSS JOIN LATERAL (
			SELECT t.name FROM nft_traits t WHERE t.collection = $1 AND t.name > v.name ORDER BY t.name LIMIT 1) x WHERE v.n < $2),
	vals AS (
		SELECT v.name, x.value, 1 AS n FROM names v CROSS JOIN LATERAL (
			SELECT t.value FROM nft_traits t WHERE t.collection = $1 AND t.name = v.name ORDER BY t.value LIMIT 1) x
		UNION ALL SELECT v.name, x.value, v.n + 1 FROM vals v CROSS JOIN LATERAL (
			SELECT t.value FROM nft_traits t WHERE t.collection = $1 AND t.name = v.name AND t.value > v.value ORDER BY t.value LIMIT 1) x WHERE v.n < $3)
	SELECT v.name, v.value, (SELECT count(*) FROM (
		SELECT FROM nft_traits t WHERE t.collection = $1 AND t.name = v.name AND t.value = v.value LIMIT $4) c) FROM vals v ORDER BY v.name, v.value`

func traitCountsStatement(collection chain.Address) (text string, args []any) {
	return selectTraitCounts, []any{collection.Bytes(), int64(chain.MaxTraitNames), int64(chain.MaxTraitValues + 1), int64(chain.MaxTraitItems + 1)}
}

// TraitCounts returns the traits of the items of a collection by name, each with its values: at most [chain.MaxTraitNames] names and
// [chain.MaxTraitValues] values of each.
func (r *Reader) TraitCounts(ctx context.Context, collection chain.Address) ([]chain.TraitCounts, error) {
	var list []chain.TraitCounts
	text, args := traitCountsStatement(collection)
	err := sqlbuild.Each(ctx, r.pool, "traits of a collection", func(row *sqlbuild.Row) {
		name, value, n := row.Text(), row.Text(), int(row.Int8())
		if len(list) == 0 || list[len(list)-1].Name != name {
			list = append(list, chain.TraitCounts{Name: name})
		}
		t := &list[len(list)-1]
		if len(t.Values) == chain.MaxTraitValues {
			t.MoreValues = true
			return
		}
		t.Values = append(t.Values, chain.TraitValueCount{Value: value, Items: chain.CappedCount{
			Count: min(n, chain.MaxTraitItems), More: n > chain.MaxTraitItems,
		}})
	}, text, args...)
	return list, err
}
