package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Lists inside lists: the same page of the records of each of several accounts, in one statement.

// ofParents is rows with the account in whose page each of them is.
type ofParents[T any] struct {
	parents []chain.Address
	rows    []T
}

// readPages reads rows whose first column is the parent.
func readPages[T any](
	ctx context.Context, r *Reader, what string, s *sqlbuild.Statement, l *sqlbuild.List, scan func(*sqlbuild.Row, *T),
) (ofParents[T], error) {
	type pair struct {
		parent chain.Address
		row    T
	}
	pairs, err := sqlbuild.Collect(ctx, r.pool, what, l.Limit, func(r *sqlbuild.Row, p *pair) {
		p.parent = r.Address()
		scan(r, &p.row)
	}, s.Text.String(), s.Args...)
	found := ofParents[T]{make([]chain.Address, len(pairs)), make([]T, len(pairs))}
	for i, p := range sqlbuild.RestoreOrder(l, pairs) {
		found.parents[i], found.rows[i] = p.parent, p.row
	}
	return found, err
}

func (f ofParents[T]) byParent() map[chain.Address][]T {
	pages := make(map[chain.Address][]T)
	for i, parent := range f.parents {
		pages[parent] = append(pages[parent], f.rows[i])
	}
	return pages
}

// pagesAlong writes one walk along the list for each value of a column.
func (t *recordList) pagesAlong(column string, values []chain.Address, conditions func(*sqlbuild.Statement)) *sqlbuild.Statement {
	s := &sqlbuild.Statement{}
	s.Add("SELECT v.value, "+t.columns+" FROM unnest(?::bytea[]) v(value) CROSS JOIN LATERAL (", sqlbuild.AddressArray(sqlbuild.Unique(values)))
	s.From("SELECT c.* FROM " + t.table + " c").And(column + " = v.value")
	conditions(s)
	t.between(s, t.Order)
	s.OrderBy(t.Order).Window(&t.List)
	return s.Add(") c").OrderBy(t.Order)
}

// linked is a table whose column names a parent and another the record.
type linked struct{ table, column, address string }

// pagesThrough writes one walk along tables that link parents to records, in the order of the records' addresses.
func (t *recordList) pagesThrough(values []chain.Address, links ...linked) *sqlbuild.Statement {
	s := &sqlbuild.Statement{}
	s.Add("SELECT v.value, "+t.columns+" FROM unnest(?::bytea[]) v(value) CROSS JOIN LATERAL (SELECT DISTINCT k.address FROM (",
		sqlbuild.AddressArray(sqlbuild.Unique(values)))
	desc := t.Order[0].Desc
	for i, link := range links {
		if i > 0 {
			s.Add(" UNION ALL ")
		}
		within := t.List
		within.Order = byAddress("m."+link.address, desc)
		s.From("(SELECT m." + link.address + " AS address FROM " + link.table + " m").And("m." + link.column + " = v.value")
		s.Keyset(&within)
		s.OrderBy(within.Order).Add(" LIMIT ?)", t.Reach())
	}
	s.Add(") k").OrderBy(byAddress("k.address", desc)).Window(&t.List)
	return s.Add(") k CROSS JOIN LATERAL (SELECT * FROM " + t.table + " c WHERE c.address = k.address OFFSET 0) c").OrderBy(t.Order)
}

func anyRecord(*sqlbuild.Statement) {}

// JettonWalletsOfOwners reads the same page of the Jetton wallets of each owner: by Jetton, or by balance in the page's
// direction.
func (r *Reader) JettonWalletsOfOwners(
	ctx context.Context, owners []chain.Address, c chain.JettonWalletChoice, p chain.Page,
) (map[chain.Address][]chain.JettonWallet, error) {
	return r.jettonWalletsOf(ctx, "c.owner", "jetton", owners, c, p)
}

// JettonWalletsOfMasters reads the same page of the Jetton wallets of each Jetton: by address, or by balance in the
// page's direction.
func (r *Reader) JettonWalletsOfMasters(
	ctx context.Context, masters []chain.Address, c chain.JettonWalletChoice, p chain.Page,
) (map[chain.Address][]chain.JettonWallet, error) {
	return r.jettonWalletsOf(ctx, "c.jetton", "", masters, c, p)
}

func (r *Reader) jettonWalletsOf(
	ctx context.Context, column, then string, parents []chain.Address, c chain.JettonWalletChoice, p chain.Page,
) (map[chain.Address][]chain.JettonWallet, error) {
	if len(parents) == 0 {
		return nil, nil
	}
	t := recordList{table: "jetton_wallets", columns: jettonWalletColumns}
	o := byAddress("c.address", false)
	switch desc := p.Sort == chain.Descending; {
	case c.ByBalance:
		o = sqlbuild.Order{t.column("balance", desc), byAddress("c.address", desc)[0]}
	case then != "":
		o = append(sqlbuild.Order{t.column(then, false)}, o...)
	}
	t.List = sqlbuild.NewList(o, p)
	s := t.pagesAlong(column, parents, func(s *sqlbuild.Statement) {
		if c.ExcludeZero {
			s.And("(c.balance > 0 OR c.mintless_amount > 0 AND c.claimed IS NOT TRUE)")
		}
	})
	found, err := readPages(ctx, r, "Jetton wallets", s, &t.List, scanJettonWallet)
	return found.byParent(), err
}

// NFTItemsOfOwners reads the same page of the items that each owner holds, by collection and number.
func (r *Reader) NFTItemsOfOwners(ctx context.Context, owners []chain.Address, p chain.Page) (map[chain.Address][]chain.NFTItem, error) {
	t := recordList{table: "nft_items", columns: nftItemColumns}
	o := sqlbuild.Order{t.column("collection", false), t.column("item_index", false), byAddress("c.address", false)[0]}
	return r.nftItemsOf(ctx, "c.owner", o, owners, p)
}

// NFTItemsOfCollections reads the same page of the items of each collection, by number.
func (r *Reader) NFTItemsOfCollections(
	ctx context.Context, collections []chain.Address, p chain.Page,
) (map[chain.Address][]chain.NFTItem, error) {
	t := recordList{table: "nft_items", columns: nftItemColumns}
	o := sqlbuild.Order{t.column("item_index", false), byAddress("c.address", false)[0]}
	return r.nftItemsOf(ctx, "c.collection", o, collections, p)
}

func (r *Reader) nftItemsOf(
	ctx context.Context, column string, o sqlbuild.Order, parents []chain.Address, p chain.Page,
) (map[chain.Address][]chain.NFTItem, error) {
	if len(parents) == 0 {
		return nil, nil
	}
	t := recordList{sqlbuild.NewList(o, p), "nft_items", nftItemColumns}
	found, err := readPages(ctx, r, "NFT items", t.pagesAlong(column, parents, anyRecord), &t.List, scanNFTItem)
	if err != nil {
		return nil, err
	}
	if err := r.surround(ctx, found.rows); err != nil {
		return nil, err
	}
	return found.byParent(), nil
}

// DNSRecordsOfWallets reads the same page of the domains that stand for each wallet, by length and name.
func (r *Reader) DNSRecordsOfWallets(ctx context.Context, wallets []chain.Address, p chain.Page) (map[chain.Address][]chain.DNSRecord, error) {
	if len(wallets) == 0 {
		return nil, nil
	}
	t := recordList{sqlbuild.NewList(dnsOrder(), p), "dns_records", dnsColumns}
	found, err := readPages(ctx, r, "domains", t.pagesAlong("c.wallet", wallets, anyRecord), &t.List, scanDNSRecord)
	return found.byParent(), err
}

var selectDomainsByItem = `SELECT ` + dnsColumns + ` FROM dns_records c WHERE c.item = ANY($1)`

// DNSRecordsByItem finds domains by their items.
func (r *Reader) DNSRecordsByItem(ctx context.Context, items []chain.Address) ([]chain.DNSRecord, error) {
	return sqlbuild.Collect(ctx, r.pool, "domains", len(items), scanDNSRecord, selectDomainsByItem, sqlbuild.AddressArray(sqlbuild.Unique(items)))
}

// MultisigsOfMembers reads the same page of the multisig wallets of which each account is a signer or a proposer, by
// address.
func (r *Reader) MultisigsOfMembers(ctx context.Context, members []chain.Address, p chain.Page) (map[chain.Address][]chain.Multisig, error) {
	if len(members) == 0 {
		return nil, nil
	}
	t := recordList{sqlbuild.NewList(byAddress("c.address", false), p), "multisigs", multisigColumns}
	s := t.pagesThrough(members, linked{"multisig_members", "member", "multisig"})
	found, err := readPages(ctx, r, "multisig wallets", s, &t.List, scanMultisig)
	return found.byParent(), err
}

// OrdersOfMultisigs reads the same page of the orders of each multisig wallet, by number in the page's direction. Their
// actions stay in the BoC.
func (r *Reader) OrdersOfMultisigs(ctx context.Context, multisigs []chain.Address, p chain.Page) (map[chain.Address][]chain.MultisigOrder, error) {
	if len(multisigs) == 0 {
		return nil, nil
	}
	t := recordList{table: "multisig_orders", columns: multisigOrderColumns}
	desc := p.Sort == chain.Descending
	t.List = sqlbuild.NewList(sqlbuild.Order{t.column("seqno", desc), byAddress("c.address", desc)[0]}, p)
	found, err := readPages(ctx, r, "multisig orders", t.pagesAlong("c.multisig", multisigs, anyRecord), &t.List, scanMultisigOrder)
	return found.byParent(), err
}

// VestingsOfWallets reads the same page of the vesting wallets whose owner or sender each account is, by address.
func (r *Reader) VestingsOfWallets(ctx context.Context, wallets []chain.Address, p chain.Page) (map[chain.Address][]chain.Vesting, error) {
	if len(wallets) == 0 {
		return nil, nil
	}
	t := recordList{sqlbuild.NewList(byAddress("c.address", false), p), "vestings", vestingColumns}
	s := t.pagesThrough(wallets, linked{"vestings", "owner", "address"}, linked{"vestings", "sender", "address"})
	found, err := readPages(ctx, r, "vesting wallets", s, &t.List, scanVesting)
	return found.byParent(), err
}
