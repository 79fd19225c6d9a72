package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// JettonTransfersOf reads the same page of the transfers of each parent, in the order of [Reader.JettonTransfers].
func (r *Reader) JettonTransfersOf(
	ctx context.Context, parents []chain.Address, c chain.TransferChoice, p chain.Page,
) (map[chain.Address][]chain.JettonTransfer, error) {
	return transfersOf(ctx, r, &jettonTransfersTable, "Jetton transfers", parents, c, p, scanJettonTransfer)
}

// JettonBurnsOf reads the same page of the burns of each parent, in the order of [Reader.JettonBurns].
func (r *Reader) JettonBurnsOf(
	ctx context.Context, parents []chain.Address, c chain.TransferChoice, p chain.Page,
) (map[chain.Address][]chain.JettonBurn, error) {
	return transfersOf(ctx, r, &jettonBurnsTable, "Jetton burns", parents, c, p, scanJettonBurn)
}

// NFTTransfersOf reads the same page of the transfers of items of each parent, in the order of [Reader.NFTTransfers].
func (r *Reader) NFTTransfersOf(
	ctx context.Context, parents []chain.Address, c chain.TransferChoice, p chain.Page,
) (map[chain.Address][]chain.NFTTransfer, error) {
	return transfersOf(ctx, r, &nftTransfersTable, "NFT transfers", parents, c, p, scanNFTTransfer)
}

// TransferPagesStatements returns the statements of [Reader.JettonTransfersOf], [Reader.JettonBurnsOf] and [Reader.NFTTransfersOf] for the
// transfers of owners, for tests of their plans.
func TransferPagesStatements(owners []chain.Address, p chain.Page) (list []*sqlbuild.Statement) {
	for _, t := range []*transferTable{&jettonTransfersTable, &jettonBurnsTable, &nftTransfersTable} {
		s, _ := t.pages(owners, chain.TransferChoice{Of: chain.TransfersOfOwner}, p)
		list = append(list, s)
	}
	return list
}

func transfersOf[T any](
	ctx context.Context, r *Reader, t *transferTable, what string, parents []chain.Address, c chain.TransferChoice,
	p chain.Page, scan func(*sqlbuild.Row, *T),
) (map[chain.Address][]T, error) {
	if len(parents) == 0 {
		return nil, nil
	}
	s, l := t.pages(parents, c, p)
	found, err := readPages(ctx, r, what, s, &l, scan)
	return found.byParent(), err
}

// pages writes the walks of each parent, merged: as many keys as the page has from each, then the rows.
func (t *transferTable) pages(parents []chain.Address, c chain.TransferChoice, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	q := &transferQuery{transferTable: t}
	l := sqlbuild.NewList(q.order(p.Sort), p)
	keys := q.keyOrder(l.Order)
	s := &sqlbuild.Statement{}
	s.Add("SELECT k.value, "+t.columns+" FROM (SELECT v.value, k.* FROM unnest(?::bytea[]) v(value) CROSS JOIN LATERAL (SELECT k.* FROM (",
		sqlbuild.AddressArray(sqlbuild.Unique(parents)))
	for i, g := range q.sides(c) {
		if i > 0 {
			s.Add(" UNION ALL ")
		}
		s.Add("(")
		q.along(s, &l, g, q.keys(), "v.value")
		s.OrderBy(l.Order).Add(" LIMIT ?)", l.Reach())
	}
	s.Add(") k").OrderBy(keys).Window(&l)
	// The fence makes the keys lead to the rows. The planner may else read all rows in their order, and the keys again for each of them.
	s.Add(") k OFFSET 0) k CROSS JOIN LATERAL (SELECT * FROM " + t.table + " t WHERE " + t.account + " = k.account AND t.tx_lt = k.tx_lt OFFSET 0) t")
	return s.OrderBy(l.Order), l
}

// sides are the walks of one parent. What a parent sent to itself is found where it was sent.
func (q *transferQuery) sides(c chain.TransferChoice) []leg {
	switch c.Of {
	case chain.TransfersOfToken:
		return []leg{{column: q.token}}
	case chain.TransfersOfContract:
		return []leg{{column: q.account}}
	case chain.TransfersOfOwner:
	}
	out, in := leg{column: q.sender}, leg{column: q.target}
	switch {
	case q.target == "" || c.Direction == chain.Outgoing:
		return []leg{out}
	case c.Direction == chain.Incoming:
		return []leg{in}
	default:
		in.but = "(" + q.sender + " <> v.value) IS TRUE"
		return []leg{out, in}
	}
}
