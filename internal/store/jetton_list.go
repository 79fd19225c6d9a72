package store

import (
	"context"

	"tonql/internal/chain"
)

// JettonMasters lists Jetton masters by address.
func (r *Reader) JettonMasters(ctx context.Context, f chain.JettonMasterFilter, p chain.Page) ([]chain.JettonMaster, error) {
	s, l := jettonMastersStatement(&f, p)
	rows, err := collect(ctx, r.pool, "Jetton masters", l.limit, scanJettonMaster, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

func jettonMastersStatement(f *chain.JettonMasterFilter, p chain.Page) (*statement, list) {
	t := recordList{newList(byAddress("c.address", false), p), "jetton_masters", jettonMasterColumns}
	return t.found(f.Addresses, "c.admin", f.Admins), t.list
}

// found is a list by address of contracts given by address, by the value of a column, or both.
func (t *recordList) found(addresses []chain.Address, column string, values []chain.Address) *statement {
	s := &statement{}
	switch {
	case len(addresses) > 0:
		t.among(s, func() {
			s.and("c.address = ANY(?)", addressArray(unique(addresses)))
			s.isAny(column, values)
		})
	case len(values) > 0:
		t.along(s, column, unique(values), t.order, nothing)
	default:
		t.everything(s, nothing)
	}
	return s
}

// JettonWallets lists Jetton wallets: those of owners by owner, Jetton and address, others by address. By balance is in
// the page's direction, within an owner, equal balances by address in the same direction.
func (r *Reader) JettonWallets(ctx context.Context, f chain.JettonWalletFilter, p chain.Page) ([]chain.JettonWallet, error) {
	s, l := jettonWalletsStatement(&f, p)
	rows, err := collect(ctx, r.pool, "Jetton wallets", l.limit, scanJettonWallet, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

func jettonWalletsStatement(f *chain.JettonWalletFilter, p chain.Page) (*statement, list) {
	t := recordList{table: "jetton_wallets", columns: jettonWalletColumns}
	desc := p.Sort == chain.Descending
	inner := byAddress("c.address", false)
	owned := len(f.Addresses) == 0 && len(f.Owners) > 0
	switch {
	case f.ByBalance:
		inner = order{t.column("balance", desc), byAddress("c.address", desc)[0]}
	case owned:
		inner = append(order{t.column("jetton", false)}, inner...)
	}
	whole := inner
	if owned {
		whole = append(order{t.column("owner", false)}, inner...)
	}
	t.list = newList(whole, p)
	inner = t.order[len(whole)-len(inner):] // in the direction of reading
	s := &statement{}
	filled := func() {
		if f.ExcludeZero {
			s.and("(c.balance > 0 OR c.mintless_amount > 0 AND c.claimed IS NOT TRUE)")
		}
	}
	owners, jettons := unique(f.Owners), unique(f.Jettons)
	switch {
	case len(f.Addresses) > 0:
		t.among(s, func() {
			s.and("c.address = ANY(?)", addressArray(unique(f.Addresses)))
			s.isAny("c.owner", owners)
			s.isAny("c.jetton", jettons)
			filled()
		})
	case len(owners) > 0 && len(jettons) > 0: // one wallet for each pair, as a rule
		t.among(s, func() {
			s.and("c.owner = ANY(?)", addressArray(owners)).and("c.jetton = ANY(?)", addressArray(jettons))
			filled()
		})
	case len(owners) > 0:
		t.along(s, "c.owner", owners, inner, filled)
	case len(jettons) > 0:
		t.along(s, "c.jetton", jettons, inner, filled)
	default:
		t.everything(s, filled)
	}
	return s, t.list
}

// The newest state at which an account was a Jetton wallet or an item, as of a masterchain block. It must be the newest
// of the account, else the account was none of that kind any more.
const (
	asOf = ` AND h.lt <= m.end_lt AND h.mc_seqno <= m.seqno ORDER BY h.lt DESC LIMIT 1) h
	WHERE m.workchain = -1 AND m.shard = '-9223372036854775808'::bigint AND m.seqno = $2
	AND NOT EXISTS (SELECT 1 FROM account_states s JOIN transactions t ON t.account = s.account AND t.lt = s.lt
		WHERE s.account = $1 AND s.lt > h.lt AND s.lt <= m.end_lt AND t.mc_seqno <= m.seqno)`
	selectBalanceAt = `SELECT h.wallet, h.lt, h.balance, h.owner, h.jetton FROM blocks m CROSS JOIN LATERAL (
	SELECT * FROM jetton_balances h WHERE h.wallet = $1` + asOf
	selectOwnerAt = `SELECT h.owner FROM blocks m CROSS JOIN LATERAL (
	SELECT * FROM nft_owners h WHERE h.item = $1` + asOf
)

// JettonWalletAt is a Jetton wallet as of a masterchain block: its address, balance, owner, Jetton and LT. NotFound when
// it was none then, as far as the index knows.
func (r *Reader) JettonWalletAt(ctx context.Context, wallet chain.Address, mcSeqno uint32) (chain.JettonWallet, error) {
	rows, err := collect(ctx, r.pool, "Jetton wallet", 1, func(r *row, w *chain.JettonWallet) {
		w.Address = r.address()
		w.LastTxLT = r.lt()
		w.Balance = r.numeric()
		w.Owner = r.address()
		w.Jetton = r.address()
	}, selectBalanceAt, wallet.Bytes(), int64(mcSeqno))
	switch {
	case err != nil:
		return chain.JettonWallet{}, err
	case len(rows) == 0:
		return chain.JettonWallet{}, chain.NotFoundf("no Jetton wallet %s as of masterchain block %d is in the index", wallet, mcSeqno)
	default:
		return rows[0], nil
	}
}

// NFTOwnerAt is the owner of an item as of a masterchain block, nil when it had none; NotFound when there was no item.
func (r *Reader) NFTOwnerAt(ctx context.Context, item chain.Address, mcSeqno uint32) (*chain.Address, error) {
	rows, err := collect(ctx, r.pool, "NFT owner", 1, func(r *row, owner **chain.Address) {
		*owner = r.setAddress(new(chain.Address))
	}, selectOwnerAt, item.Bytes(), int64(mcSeqno))
	switch {
	case err != nil:
		return nil, err
	case len(rows) == 0:
		return nil, chain.NotFoundf("no NFT item %s as of masterchain block %d is in the index", item, mcSeqno)
	default:
		return rows[0], nil
	}
}
