package contracts_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/storetest"
)

func TestJettonMasters_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	seen := 0
	for name, f := range map[string]chain.JettonMasterFilter{
		"all": {}, "by address": {Addresses: m.Masters[:3]}, "by admin": {Admins: m.People[:1]}, "by admins": {Admins: m.People[:5]},
		"by both": {Addresses: m.Masters, Admins: m.People[:4]}, "unknown": {Addresses: m.People}, "of nobody": {Admins: m.Items[:1]},
	} {
		want := storetest.Select(storetest.Records(m, func(k *chain.Contract) *chain.JettonMaster { return k.JettonMaster }), func(v *chain.JettonMaster) bool {
			return storetest.Among(f.Addresses, v.Address) && storetest.AmongOptional(f.Admins, v.Admin)
		}, func(a, b *chain.JettonMaster) int { return a.Address.Compare(b.Address) })
		storetest.RequireList(t, name, want, chain.Descending, (*chain.JettonMaster).Cursor, func(p chain.Page) ([]chain.JettonMaster, error) {
			return m.Reader.JettonMasters(t.Context(), f, p)
		})
		seen += len(want)
	}
	require.Greater(t, seen, 5)
}

func TestJettonWallets_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	filters := map[string]chain.JettonWalletFilter{
		"all": {}, "by address": {Addresses: m.Wallets[:20]}, "by owner": {Owners: m.People[:1]}, "by owners": {Owners: m.People[:5]},
		"by jetton": {Jettons: m.Masters[:1]}, "by owner and jetton": {Owners: m.People[:1], Jettons: m.Masters[:1]},
		"by owners and jetton": {Owners: m.People[:6], Jettons: m.Masters[:1]}, "by owner and jettons": {Owners: m.People[:1], Jettons: m.Masters[:3]},
		"by address and owner": {Addresses: m.Wallets, Owners: m.People[:3]}, "by address and jetton": {Addresses: m.Wallets, Jettons: m.Masters[1:2]},
		"unknown": {Addresses: m.People}, "of nobody": {Owners: m.Items[:2]},
	}
	all := storetest.Records(m, func(k *chain.Contract) *chain.JettonWallet { return k.JettonWallet })
	seen := 0
	for name, f := range filters {
		for _, f.ExcludeZero = range []bool{false, true} {
			for _, f.ByBalance = range []bool{false, true} {
				for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
					require.NoError(t, f.Validate())
					want := storetest.Select(all, func(v *chain.JettonWallet) bool {
						filled := v.Balance.Sign() > 0 || v.Mintless != nil && v.Mintless.Amount.Sign() > 0 && (v.Claimed == nil || !*v.Claimed)
						return storetest.Among(f.Addresses, v.Address) && storetest.Among(f.Owners, v.Owner) && storetest.Among(f.Jettons, v.Jetton) && (filled || !f.ExcludeZero)
					}, func(a, b *chain.JettonWallet) int { return compareJettonWallets(&f, sort, a, b) })
					seen += len(want)
					storetest.RequireList(t, name, want, sort, (*chain.JettonWallet).Cursor, func(p chain.Page) ([]chain.JettonWallet, error) {
						return m.Reader.JettonWallets(t.Context(), f, p)
					})
				}
			}
		}
	}
	require.Greater(t, seen, 500)
}

func compareJettonWallets(f *chain.JettonWalletFilter, sort chain.Sort, a, b *chain.JettonWallet) int {
	owned := len(f.Addresses) == 0 && len(f.Owners) > 0
	byOwner, byJetton := 0, 0
	if owned {
		byOwner = a.Owner.Compare(b.Owner)
	}
	if f.ByBalance {
		return cmp.Or(byOwner, storetest.Directed(sort, a.Balance.Cmp(b.Balance)), storetest.Directed(sort, a.Address.Compare(b.Address)))
	}
	if owned {
		byJetton = a.Jetton.Compare(b.Jetton)
	}
	return cmp.Or(byOwner, byJetton, a.Address.Compare(b.Address))
}

// transferCases returns the combinations of filters that every list of transfers supports.
func transferCases(m *storetest.Contracts, accounts, tokens []chain.Address) map[string]chain.JettonTransferFilter {
	from, to := m.Blocks[20].Block.GenUtime, m.Blocks[40].Block.GenUtime
	fromLT, toLT := m.Blocks[10].Block.StartLT+1, m.Blocks[50].Block.StartLT
	times := chain.TransferRange{StartUtime: &from, EndUtime: &to}
	lts := chain.TransferRange{StartLT: &fromLT, EndLT: &toLT}
	both := chain.TransferRange{StartUtime: &from, EndLT: &toLT}
	cases := map[string]chain.JettonTransferFilter{}
	for what, f := range map[string]chain.JettonTransferFilter{
		"all": {}, "of owner": {Owners: m.People[:1]}, "of owners": {Owners: m.People[:4]}, "of contract": {JettonWallets: accounts[:1]},
		"of contracts": {JettonWallets: accounts[:9]}, "of token": {Jetton: &tokens[0]}, "of owner and token": {Owners: m.People[:1], Jetton: &tokens[0]},
		"of owners and token": {Owners: m.People[2:6], Jetton: &tokens[1]}, "of contract and owner": {JettonWallets: accounts[:9], Owners: m.People[:3]},
		"of contract and token": {JettonWallets: accounts, Jetton: &tokens[1]}, "of nobody": {Owners: m.Masters[:1]},
	} {
		for span, r := range map[string]chain.TransferRange{"": {}, ", times": times, ", LTs": lts, ", both": both} {
			for way, d := range map[string]chain.TransferDirection{"": chain.AnyDirection, ", in": chain.Incoming, ", out": chain.Outgoing} {
				if d == chain.AnyDirection || len(f.Owners) > 0 {
					f.TransferRange, f.Direction = r, d
					cases[what+span+way] = f
				}
			}
		}
	}
	return cases
}

// transferRow has the fields that lists of transfers filter and order by.
type transferRow struct {
	account, from chain.Address
	to, token     *chain.Address
	lt            uint64
	now           uint32
}

func (r *transferRow) matches(f *chain.JettonTransferFilter) bool {
	ours := len(f.Owners) == 0 || f.Direction != chain.Incoming && slices.Contains(f.Owners, r.from) ||
		f.Direction != chain.Outgoing && storetest.AmongOptional(f.Owners, r.to)
	return ours && storetest.Among(f.JettonWallets, r.account) && (f.Jetton == nil || r.token != nil && *r.token == *f.Jetton) &&
		storetest.In(r.now, f.StartUtime, f.EndUtime) && storetest.In(r.lt, f.StartLT, f.EndLT)
}

func compareTransfers(f *chain.JettonTransferFilter, sort chain.Sort, a, b *transferRow) int {
	byTime := 0
	if f.StartUtime != nil || f.EndUtime != nil {
		byTime = cmp.Compare(a.now, b.now)
	}
	return cmp.Or(storetest.Directed(sort, byTime), storetest.Directed(sort, cmp.Compare(a.lt, b.lt)), a.account.Compare(b.account))
}

// requireTransfers compares every combination with a search in memory.
func requireTransfers[T any](t *testing.T, m *storetest.Contracts, all []T, accounts, tokens []chain.Address, row func(*T) *transferRow, cursor func(*T) chain.Cursor,
	read func(*chain.JettonTransferFilter, chain.Page) ([]T, error),
) {
	t.Helper()
	seen := 0
	for name, f := range transferCases(m, accounts, tokens) {
		for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
			want := storetest.Select(all, func(v *T) bool { return row(v).matches(&f) }, func(a, b *T) int { return compareTransfers(&f, sort, row(a), row(b)) })
			seen += len(want)
			storetest.RequireList(t, name, want, sort, cursor, func(p chain.Page) ([]T, error) { return read(&f, p) })
		}
	}
	require.Greater(t, seen, 5000)
}

func TestJettonTransfers_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	completed := slices.DeleteFunc(slices.Clone(m.Transfers), func(v chain.JettonTransfer) bool { return v.TxAborted })
	require.Less(t, len(completed), len(m.Transfers))
	requireTransfers(t, m, completed, m.Wallets, m.Masters, func(v *chain.JettonTransfer) *transferRow {
		return &transferRow{v.SourceWallet, v.Source, v.Destination, &v.Jetton, v.TxLT, v.TxNow}
	}, (*chain.JettonTransfer).Cursor, func(f *chain.JettonTransferFilter, p chain.Page) ([]chain.JettonTransfer, error) {
		return m.Reader.JettonTransfers(t.Context(), *f, p)
	})
}

func TestJettonBurns_EveryFilterEqualsASearchInMemory(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	m := storetest.IndexContracts(t)
	burned := func(v *chain.JettonBurn) *transferRow { // an owner burns, whatever the direction
		return &transferRow{v.JettonWallet, v.Owner, &v.Owner, &v.Jetton, v.TxLT, v.TxNow}
	}
	requireTransfers(t, m, m.Burns, m.Wallets, m.Masters, burned, (*chain.JettonBurn).Cursor, func(f *chain.JettonTransferFilter, p chain.Page) ([]chain.JettonBurn, error) {
		return m.Reader.JettonBurns(t.Context(), chain.JettonBurnFilter{
			Owners: f.Owners, JettonWallets: f.JettonWallets, Jetton: f.Jetton, TransferRange: f.TransferRange,
		}, p)
	})
}

func TestJettonWalletAt_IsTheNewestStateAtTheBlock(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	found := 0
	for _, wallet := range m.Wallets {
		for seqno := uint32(1); seqno <= 60; seqno += 7 {
			want := detectionAt(m, wallet, seqno, func(k *chain.Contract) bool { return k.JettonWallet != nil })
			got, err := m.Reader.JettonWalletAt(t.Context(), wallet, seqno)
			if want == nil {
				require.Equal(t, chain.NotFound, chain.KindOf(err))
				continue
			}
			found++
			require.NoError(t, err)
			w := want.JettonWallet
			require.Equal(t, chain.JettonWallet{Address: wallet, LastTxLT: want.LT, Balance: w.Balance, Owner: w.Owner, Jetton: w.Jetton}, got)
		}
	}
	require.Greater(t, found, 100)
	_, err := m.Reader.JettonWalletAt(t.Context(), m.Wallets[0], 61)
	require.Equal(t, chain.NotFound, chain.KindOf(err), "the block is not indexed")
}

// detectionAt returns the first detection that satisfies is, in the newest state of the account at a block; nil if the account
// was destroyed or has no such detection.
func detectionAt(m *storetest.Contracts, account chain.Address, seqno uint32, is func(*chain.Contract) bool) *chain.Contract {
	var newest uint64
	for _, mb := range m.Blocks[:seqno] {
		for i := range mb.Transactions {
			if tx := &mb.Transactions[i]; tx.Account == account {
				newest = tx.LT
			}
		}
	}
	for i := range m.Detections {
		if k := &m.Detections[i]; k.Account == account && k.LT == newest && is(k) {
			return k
		}
	}
	return nil
}
