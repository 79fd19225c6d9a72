package contracts

import (
	"context"
	"math/big"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// pastPages writes one walk along a table of history for each of several contracts.
func pastPages(table, key, columns string, contracts []chain.Address, l *sqlbuild.List) *sqlbuild.Statement {
	s := &sqlbuild.Statement{}
	s.Add("SELECT "+columns+" FROM unnest(?::bytea[]) v(value) CROSS JOIN LATERAL (", sqlbuild.AddressArray(sqlbuild.Unique(contracts)))
	s.From("SELECT h.* FROM " + table + " h").And("h." + key + " = v.value")
	s.Keyset(l)
	s.OrderBy(l.Order).Window(l)
	return s.Add(") h").OrderBy(l.Order)
}

func pastOrder(sort chain.Sort) sqlbuild.Order {
	return sqlbuild.Order{{Column: "h.lt", Desc: sort == chain.Descending, At: "?", Bind: sqlbuild.BindMajor}}
}

// JettonBalancesOf reads the same page of the history of each Jetton wallet, by LT.
func (r *Reader) JettonBalancesOf(
	ctx context.Context, wallets []chain.Address, p chain.Page,
) (map[chain.Address][]chain.JettonBalancePoint, error) {
	if len(wallets) == 0 {
		return nil, nil
	}
	l := sqlbuild.NewList(pastOrder(p.Sort), p)
	s := pastPages("jetton_balances", "wallet", "h.wallet, h.lt, h.mc_seqno, h.balance", wallets, &l)
	rows, err := sqlbuild.Collect(ctx, r.pool, "balances of Jetton wallets", len(wallets)*l.Limit, func(r *sqlbuild.Row, p *chain.JettonBalancePoint) {
		p.Wallet, p.LT, p.McSeqno, p.Balance = r.Address(), r.LT(), r.Uint32(), r.Numeric()
	}, s.Text.String(), s.Args...)
	return sqlbuild.Group(sqlbuild.RestoreOrder(&l, rows), func(p *chain.JettonBalancePoint) chain.Address { return p.Wallet }), err
}

// NFTOwnersOf reads the same page of the history of each item, by LT.
func (r *Reader) NFTOwnersOf(ctx context.Context, items []chain.Address, p chain.Page) (map[chain.Address][]chain.NFTOwnerPoint, error) {
	if len(items) == 0 {
		return nil, nil
	}
	l := sqlbuild.NewList(pastOrder(p.Sort), p)
	s := pastPages("nft_owners", "item", "h.item, h.lt, h.mc_seqno, h.owner", items, &l)
	rows, err := sqlbuild.Collect(ctx, r.pool, "owners of items", len(items)*l.Limit, func(r *sqlbuild.Row, p *chain.NFTOwnerPoint) {
		p.Item, p.LT, p.McSeqno, p.Owner = r.Address(), r.LT(), r.Uint32(), r.SetAddress(new(chain.Address))
	}, s.Text.String(), s.Args...)
	return sqlbuild.Group(sqlbuild.RestoreOrder(&l, rows), func(p *chain.NFTOwnerPoint) chain.Address { return p.Item }), err
}

// Owned is a contract that an account owns or has owned, at a block.
type Owned struct {
	Contract chain.Address
	// StateLT is of the newest indexed state that a transaction left by then, SeenLT of the newest analysed one; nil
	// when there was none. The other fields belong to the latter.
	StateLT, SeenLT *uint64
	Owner           *chain.Address
	Balance         *big.Int      // of a Jetton wallet
	Jetton          chain.Address // of a Jetton wallet
}

// Certain reports whether the analysed state is the state at the block.
func (h *Owned) Certain() bool {
	return h.SeenLT != nil && (h.StateLT == nil || *h.StateLT <= *h.SeenLT)
}

// candidates are the contracts that an account ever owned as far as the index shows, and what they were at a block.
const (
	candidatesOf = ` FROM blocks m CROSS JOIN (SELECT k.contract FROM (`
	asOfEach     = `) k ORDER BY k.contract LIMIT $3) k
	CROSS JOIN LATERAL (SELECT greatest((SELECT t.lt FROM transactions t WHERE t.account = k.contract AND t.lt <= m.end_lt AND t.mc_seqno <= m.seqno
			AND ` + transactions.LeftState + ` ORDER BY t.lt DESC LIMIT 1),
		(SELECT max(o.lt) FROM account_states o WHERE o.account = k.contract AND o.lt <= m.end_lt)) AS lt) s
	LEFT JOIN LATERAL (SELECT h.* FROM `
	newestBy = ` = k.contract AND h.lt <= m.end_lt AND h.mc_seqno <= m.seqno ORDER BY h.lt DESC LIMIT 1) h ON true
	WHERE m.workchain = -1 AND m.shard = '-9223372036854775808'::bigint AND m.seqno = $2 ORDER BY k.contract`

	selectOwnedWallets = `SELECT k.contract, s.lt, h.lt, h.owner, h.balance, h.jetton` + candidatesOf +
		`SELECT b.wallet AS contract FROM jetton_balances b WHERE b.owner = $1
		UNION SELECT w.address FROM jetton_wallets w WHERE w.owner = $1` + asOfEach + `jetton_balances h WHERE h.wallet` + newestBy
	selectOwnedItems = `SELECT k.contract, s.lt, h.lt, h.owner` + candidatesOf +
		`SELECT o.item AS contract FROM nft_owners o WHERE o.owner = $1
		UNION SELECT i.address FROM nft_items i WHERE i.owner = $1` + asOfEach + `nft_owners h WHERE h.item` + newestBy
)

// OwnedWallets lists the Jetton wallets that an account ever owned, at most limit, as they were at a masterchain block.
func (r *Reader) OwnedWallets(ctx context.Context, owner chain.Address, mcSeqno uint32, limit int) ([]Owned, error) {
	return sqlbuild.Collect(ctx, r.pool, "Jetton wallets of the past", limit, func(r *sqlbuild.Row, h *Owned) {
		scanOwned(r, h)
		h.Balance = r.Numeric()
		r.SetAddress(&h.Jetton)
	}, selectOwnedWallets, owner.Bytes(), int64(mcSeqno), int64(limit))
}

// OwnedItems lists the items that an account ever held, at most limit, as they were at a masterchain block.
func (r *Reader) OwnedItems(ctx context.Context, owner chain.Address, mcSeqno uint32, limit int) ([]Owned, error) {
	return sqlbuild.Collect(ctx, r.pool, "items of the past", limit, scanOwned, selectOwnedItems, owner.Bytes(), int64(mcSeqno), int64(limit))
}

func scanOwned(r *sqlbuild.Row, h *Owned) {
	h.Contract = r.Address()
	h.StateLT, h.SeenLT = sqlbuild.SetInt8(r, new(uint64)), sqlbuild.SetInt8(r, new(uint64))
	h.Owner = r.SetAddress(new(chain.Address))
}
