package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// JettonMasters lists Jetton masters by address.
func (r *Reader) JettonMasters(ctx context.Context, f chain.JettonMasterFilter, p chain.Page) ([]chain.JettonMaster, error) {
	s, l := JettonMastersStatement(&f, p)
	rows, err := sqlbuild.Collect(ctx, r.pool, "Jetton masters", l.Limit, scanJettonMaster, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// JettonMastersStatement returns the statement of [Reader.JettonMasters], and its page.
func JettonMastersStatement(f *chain.JettonMasterFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	t := recordList{sqlbuild.NewList(byAddress("c.address", false), p), "jetton_masters", jettonMasterColumns}
	return t.found(f.Addresses, "c.admin", f.Admins), t.List
}

// found is a list by address of contracts given by address, by the value of a column, or both.
func (t *recordList) found(addresses []chain.Address, column string, values []chain.Address) *sqlbuild.Statement {
	s := &sqlbuild.Statement{}
	switch {
	case len(addresses) > 0:
		t.among(s, func() {
			s.And("c.address = ANY(?)", sqlbuild.AddressArray(sqlbuild.Unique(addresses)))
			s.IsAny(column, values)
		})
	case len(values) > 0:
		t.along(s, column, sqlbuild.Unique(values), t.Order, nothing)
	default:
		t.everything(s, nothing)
	}
	return s
}

// JettonWallets lists Jetton wallets: those of owners by owner, Jetton and address, others by address. By balance is in
// the page's direction, within an owner, equal balances by address in the same direction.
func (r *Reader) JettonWallets(ctx context.Context, f chain.JettonWalletFilter, p chain.Page) ([]chain.JettonWallet, error) {
	s, l := JettonWalletsStatement(&f, p)
	rows, err := sqlbuild.Collect(ctx, r.pool, "Jetton wallets", l.Limit, scanJettonWallet, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// JettonWalletsStatement returns the statement of [Reader.JettonWallets], and its page.
func JettonWalletsStatement(f *chain.JettonWalletFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	t := recordList{table: "jetton_wallets", columns: jettonWalletColumns}
	desc := p.Sort == chain.Descending
	inner := byAddress("c.address", false)
	owned := len(f.Addresses) == 0 && len(f.Owners) > 0
	switch {
	case f.ByBalance:
		inner = sqlbuild.Order{t.column("balance", desc), byAddress("c.address", desc)[0]}
	case owned:
		inner = append(sqlbuild.Order{t.column("jetton", false)}, inner...)
	}
	full := inner
	if owned {
		full = append(sqlbuild.Order{t.column("owner", false)}, inner...)
	}
	t.List = sqlbuild.NewList(full, p)
	inner = t.Order[len(full)-len(inner):] // in the direction of reading
	s := &sqlbuild.Statement{}
	filled := func() {
		if f.ExcludeZero {
			s.And("(c.balance > 0 OR c.mintless_amount > 0 AND c.claimed IS NOT TRUE)")
		}
	}
	owners, jettons := sqlbuild.Unique(f.Owners), sqlbuild.Unique(f.Jettons)
	switch {
	case len(f.Addresses) > 0:
		t.among(s, func() {
			s.And("c.address = ANY(?)", sqlbuild.AddressArray(sqlbuild.Unique(f.Addresses)))
			s.IsAny("c.owner", owners)
			s.IsAny("c.jetton", jettons)
			filled()
		})
	case len(owners) > 0 && len(jettons) > 0: // one wallet for each pair, as a rule
		t.among(s, func() {
			s.And("c.owner = ANY(?)", sqlbuild.AddressArray(owners)).And("c.jetton = ANY(?)", sqlbuild.AddressArray(jettons))
			filled()
		})
	case len(owners) > 0:
		t.along(s, "c.owner", owners, inner, filled)
	case len(jettons) > 0:
		t.along(s, "c.jetton", jettons, inner, filled)
	default:
		t.everything(s, filled)
	}
	return s, t.List
}

// The newest state at which an account was a Jetton wallet or an item, at a masterchain block. It must be the newest
// of the account, else the account was none of that kind any more. States that no indexed transaction left are in account_states, as of
// blocks that were dropped.
const (
	asOf = ` AND h.lt <= m.end_lt AND h.mc_seqno <= m.seqno ORDER BY h.lt DESC LIMIT 1) h
	WHERE m.workchain = -1 AND m.shard = '-9223372036854775808'::bigint AND m.seqno = $2
	AND NOT EXISTS (SELECT 1 FROM transactions t
		WHERE t.account = $1 AND t.lt > h.lt AND t.lt <= m.end_lt AND t.mc_seqno <= m.seqno AND ` + transactions.LeftState + `)
	AND NOT EXISTS (SELECT 1 FROM account_states o WHERE o.account = $1 AND o.lt > h.lt AND o.lt <= m.end_lt)`
	// SelectBalanceAt reads that state of a Jetton wallet.
	SelectBalanceAt = `SELECT h.wallet, h.lt, h.balance, h.owner, h.jetton FROM blocks m CROSS JOIN LATERAL (
	SELECT * FROM jetton_balances h WHERE h.wallet = $1` + asOf
	// SelectOwnerAt reads the owner in that state of an item.
	SelectOwnerAt = `SELECT h.owner FROM blocks m CROSS JOIN LATERAL (
	SELECT * FROM nft_owners h WHERE h.item = $1` + asOf
)

// JettonWalletAt is a Jetton wallet at a masterchain block: its address, balance, owner, Jetton and LT. NotFound when
// it was none then, as far as the index knows.
func (r *Reader) JettonWalletAt(ctx context.Context, wallet chain.Address, mcSeqno uint32) (chain.JettonWallet, error) {
	rows, err := sqlbuild.Collect(ctx, r.pool, "Jetton wallet", 1, func(r *sqlbuild.Row, w *chain.JettonWallet) {
		w.Address = r.Address()
		w.LastTxLT = r.LT()
		w.Balance = r.Numeric()
		w.Owner = r.Address()
		w.Jetton = r.Address()
	}, SelectBalanceAt, wallet.Bytes(), int64(mcSeqno))
	switch {
	case err != nil:
		return chain.JettonWallet{}, err
	case len(rows) == 0:
		return chain.JettonWallet{}, chain.NotFoundf("no Jetton wallet %s as of masterchain block %d is in the index", wallet, mcSeqno)
	default:
		return rows[0], nil
	}
}

// NFTOwnerAt is the owner of an item at a masterchain block, nil when it had none; NotFound when there was no item.
func (r *Reader) NFTOwnerAt(ctx context.Context, item chain.Address, mcSeqno uint32) (*chain.Address, error) {
	rows, err := sqlbuild.Collect(ctx, r.pool, "NFT owner", 1, func(r *sqlbuild.Row, owner **chain.Address) {
		*owner = r.SetAddress(new(chain.Address))
	}, SelectOwnerAt, item.Bytes(), int64(mcSeqno))
	switch {
	case err != nil:
		return nil, err
	case len(rows) == 0:
		return nil, chain.NotFoundf("no NFT item %s as of masterchain block %d is in the index", item, mcSeqno)
	default:
		return rows[0], nil
	}
}
