package contracts

import (
	"context"
	"math/big"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// NFTCollections lists collections by address.
func (r *Reader) NFTCollections(ctx context.Context, f chain.NFTCollectionFilter, p chain.Page) ([]chain.NFTCollection, error) {
	s, l := NFTCollectionsStatement(&f, p)
	rows, err := sqlbuild.Collect(ctx, r.pool, "NFT collections", l.Limit, scanNFTCollection, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// NFTCollectionsStatement returns the statement of [Reader.NFTCollections], and its page.
func NFTCollectionsStatement(f *chain.NFTCollectionFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	t := recordList{sqlbuild.NewList(byAddress("c.address", false), p), "nft_collections", nftCollectionColumns}
	return t.found(f.Addresses, "c.owner", f.Owners), t.List
}

var selectSales = `SELECT ` + nftSaleColumns + ` FROM (SELECT c.* FROM nft_sales c WHERE c.address = ANY($1) OFFSET 0) c ORDER BY c.address`

// NFTSales finds sales by the address of the contract, in the order of addresses.
func (r *Reader) NFTSales(ctx context.Context, addresses []chain.Address) ([]chain.NFTSale, error) {
	if len(addresses) == 0 {
		return nil, nil
	}
	return sqlbuild.Collect(ctx, r.pool, "NFT sales", len(addresses), scanNFTSale, selectSales, sqlbuild.AddressArray(sqlbuild.Unique(addresses)))
}

// NFTSaleList lists sales by the address of the contract. Those of sellers are contracts whose code is known.
func (r *Reader) NFTSaleList(ctx context.Context, f chain.NFTSaleFilter, p chain.Page) ([]chain.NFTSale, error) {
	t := recordList{sqlbuild.NewList(byAddress("c.address", false), p), "nft_sales", nftSaleColumns}
	s := &sqlbuild.Statement{}
	if len(f.Addresses) > 0 {
		t.among(s, func() {
			s.And("c.address = ANY(?)", sqlbuild.AddressArray(sqlbuild.Unique(f.Addresses)))
			s.IsAny("c.nft_owner", f.Sellers)
			if len(f.Sellers) > 0 {
				s.And("c.known")
			}
		})
	} else {
		t.along(s, "c.nft_owner", sqlbuild.Unique(f.Sellers), t.Order, func() { s.And("c.known") })
	}
	rows, err := sqlbuild.Collect(ctx, r.pool, "NFT sales", t.Limit, scanNFTSale, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&t.List, rows), err
}

// NFTItems lists items with their collection and the sale that holds them: by address; those of owners by owner,
// collection and index; those of collections by collection and index; or all by the LT of their last change, newest
// first. The page's direction does not matter.
func (r *Reader) NFTItems(ctx context.Context, f chain.NFTItemFilter, p chain.Page) ([]chain.NFTItem, error) {
	s, l := NFTItemsStatement(&f, p)
	rows, err := sqlbuild.Collect(ctx, r.pool, "NFT items", l.Limit, scanNFTItem, s.Text.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	return sqlbuild.RestoreOrder(&l, rows), r.surround(ctx, rows)
}

// ownedBySale is the sale s that holds item c: the owner is a contract that was detected as a sale or an auction of this item.
const ownedBySale = `s.nft = c.address AND s.address = c.owner AND s.known AND s.kind IN (1, 2)`

var (
	// SelectCollectionsOf reads collections by address.
	SelectCollectionsOf = `SELECT ` + nftCollectionColumns + ` FROM nft_collections c WHERE c.address = ANY($1)`

	// SelectSalesOf reads the sales that own items.
	SelectSalesOf = `SELECT ` + sqlbuild.Qualified("s", NFTSaleTable) + ` FROM unnest($1::bytea[], $2::bytea[]) c(address, owner)
		JOIN nft_sales s ON ` + ownedBySale
)

// surround adds the collections and sales of items, in one round trip.
func (r *Reader) surround(ctx context.Context, items []chain.NFTItem) error {
	var collections, owned, owners []chain.Address
	for i := range items {
		if c := items[i].Collection; c != nil {
			collections = append(collections, *c)
		}
		if o := items[i].Owner; o != nil {
			owned, owners = append(owned, items[i].Address), append(owners, *o)
		}
	}
	var found []chain.NFTCollection
	var sales []chain.NFTSale
	b := &pgx.Batch{}
	if collections = sqlbuild.Unique(collections); len(collections) > 0 {
		sqlbuild.Queue(b, &found, len(collections), scanNFTCollection, SelectCollectionsOf, sqlbuild.AddressArray(collections))
	}
	if len(owned) > 0 {
		sqlbuild.Queue(b, &sales, len(owned), scanNFTSale, SelectSalesOf, sqlbuild.AddressArray(owned), sqlbuild.AddressArray(owners))
	}
	if b.Len() == 0 {
		return nil
	}
	if err := sqlbuild.SendBatch(ctx, r.pool, "collections and sales of NFT items", b); err != nil {
		return err
	}
	byAddress := make(map[chain.Address]*chain.NFTCollection, len(found))
	for i := range found {
		byAddress[found[i].Address] = &found[i]
	}
	bySold := make(map[chain.Address]*chain.NFTSale, len(sales))
	for i := range sales {
		bySold[*sales[i].NFT] = &sales[i]
	}
	for i := range items {
		if c := items[i].Collection; c != nil {
			items[i].CollectionInfo = byAddress[*c]
		}
		items[i].Sale = bySold[items[i].Address]
	}
	return nil
}

// itemQuery builds the statement of a filter.
type itemQuery struct {
	recordList
	*chain.NFTItemFilter

	owners      []chain.Address
	collections []chain.Address
}

// NFTItemsStatement returns the statement of [Reader.NFTItems], and its page.
func NFTItemsStatement(f *chain.NFTItemFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	q := &itemQuery{
		recordList: recordList{table: "nft_items", columns: nftItemColumns}, NFTItemFilter: f,
		owners: sqlbuild.Unique(f.Owners), collections: sqlbuild.Unique(f.Collections),
	}
	q.List = sqlbuild.NewList(q.sequence(), p)
	s := &sqlbuild.Statement{}
	switch {
	case f.Trait != nil:
		q.withTrait(s)
	case len(f.Addresses) > 0:
		q.among(s, func() {
			s.And("c.address = ANY(?)", sqlbuild.AddressArray(sqlbuild.Unique(f.Addresses)))
			q.ownedFor(s)
			s.IsAny("c.collection", q.collections)
			q.numbered(s)
		})
	case len(q.owners) > 0:
		q.owned(s)
	case len(q.collections) > 0 && len(f.Indexes) > 0: // one item for each pair
		q.among(s, func() {
			s.And("c.collection = ANY(?)", sqlbuild.AddressArray(q.collections))
			s.And("c.item_index = ANY(?::text[]::numeric[])", decimals(f.Indexes))
		})
	case len(q.collections) > 0:
		inner := q.Order
		if !f.ByLastTxLT {
			inner = inner[1:] // the collection is the same along a walk
		}
		q.along(s, "c.collection", q.collections, inner, nothing)
	default:
		q.everything(s, nothing)
	}
	return s, q.List
}

// sequence is the order of the list.
func (q *itemQuery) sequence() sqlbuild.Order {
	address := byAddress("c.address", false)[0]
	numbered := sqlbuild.Order{q.column("collection", false), q.column("item_index", false), address}
	switch {
	case q.Trait != nil:
		return byAddress("k.item", false)
	case q.ByLastTxLT:
		return sqlbuild.Order{q.column("last_tx_lt", true), byAddress("c.address", true)[0]}
	case len(q.Addresses) > 0:
		return sqlbuild.Order{address}
	case len(q.owners) > 0:
		return append(sqlbuild.Order{q.holder()}, numbered...)
	case len(q.collections) > 0:
		return numbered
	default:
		return sqlbuild.Order{address}
	}
}

// withTrait walks along the items of a collection that have a trait.
func (q *itemQuery) withTrait(s *sqlbuild.Statement) {
	t := q.Trait.Searchable()
	// The join is lateral, so that the walk decides the order of rows and ends with the page.
	s.From("SELECT " + q.columns + " FROM nft_traits k CROSS JOIN LATERAL (SELECT * FROM nft_items c WHERE c.address = k.item OFFSET 0) c")
	s.And("k.collection = ? AND k.name = ? AND k.value = ?", q.collections[0].Bytes(), t.Name, t.Value)
	q.between(s, q.Order)
	s.OrderBy(q.Order).Window(&q.List)
}

// holder is the requested owner: v.value in a walk, c.holder outside.
func (q *itemQuery) holder() sqlbuild.Term {
	const owner = "(SELECT owner FROM nft_items WHERE address = ?)"
	if !q.OnSale {
		return sqlbuild.Term{Column: "v.value", Desc: false, At: owner, Bind: sqlbuild.BindMinor}
	}
	return sqlbuild.Term{
		Column: "v.value", Desc: false,
		At: "COALESCE((SELECT s.nft_owner FROM nft_items c JOIN nft_sales s ON " + ownedBySale +
			" WHERE c.address = ? AND c.owner <> ALL(?)), " + owner + ")",
		Bind: func(c *chain.Cursor) []any {
			return []any{sqlbuild.MinorAddress(c), sqlbuild.AddressArray(q.owners), sqlbuild.MinorAddress(c)}
		},
	}
}

// owned merges walks along what each owner holds and, when requested, along the items that sales hold for each owner.
func (q *itemQuery) owned(s *sqlbuild.Statement) {
	inner, outer := q.Order, append(sqlbuild.Order{}, q.Order...)
	if !q.ByLastTxLT {
		inner = inner[1:]
		outer[0].Column = "c.holder"
	}
	s.Add("SELECT " + q.columns + " FROM (")
	walk := func(source, condition string, fenced bool) {
		s.Add("SELECT v.value AS holder, c.* FROM unnest(?::bytea[]) v(value) CROSS JOIN LATERAL (", sqlbuild.AddressArray(q.owners))
		if fenced {
			s.Add("SELECT * FROM (")
		}
		s.From("SELECT c.* FROM " + source).And(condition)
		if fenced {
			s.And("c.owner <> ALL(?)", sqlbuild.AddressArray(q.owners))
		}
		if len(q.collections) == 1 && !fenced {
			s.And("c.collection = ?", q.collections[0].Bytes())
		} else {
			s.IsAny("c.collection", q.collections)
		}
		q.numbered(s)
		if len(q.owners) == 1 || q.ByLastTxLT {
			q.between(s, inner)
		} else {
			s.Keyset(&q.List)
		}
		if fenced {
			s.Add(" OFFSET 0) c")
		}
		s.OrderBy(inner).Add(" LIMIT ?", q.Reach()).Add(") c")
	}
	walk("nft_items c", "c.owner = v.value", false)
	if q.OnSale {
		s.Add(" UNION ALL ")
		walk("nft_sales s JOIN nft_items c ON "+ownedBySale, "s.nft_owner = v.value", true)
	}
	s.Add(") c").OrderBy(outer).Window(&q.List)
}

// ownedFor filters by owner.
func (q *itemQuery) ownedFor(s *sqlbuild.Statement) {
	switch {
	case len(q.owners) == 0:
	case q.OnSale:
		s.And("(c.owner = ANY(?) OR EXISTS (SELECT 1 FROM nft_sales s WHERE "+ownedBySale+" AND s.nft_owner = ANY(?))) IS TRUE",
			sqlbuild.AddressArray(q.owners), sqlbuild.AddressArray(q.owners))
	default:
		s.IsAny("c.owner", q.owners)
	}
}

// numbered filters by index.
func (q *itemQuery) numbered(s *sqlbuild.Statement) {
	if len(q.Indexes) > 0 {
		s.And("(c.item_index = ANY(?::text[]::numeric[])) IS TRUE", decimals(q.Indexes))
	}
}

// decimals binds numbers of any size.
func decimals(numbers []*big.Int) []string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = n.String()
	}
	return texts
}
