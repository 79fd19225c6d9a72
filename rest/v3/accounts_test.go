package v3_test

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/chaintest"
	"tonql/internal/testdb"
)

const unknownAddress = "0:9999999999999999999999999999999999999999999999999999999999999999"

func addressesOf(rows any) []string {
	list := []string{}
	for _, row := range rows.([]any) {
		list = append(list, row.(map[string]any)["address"].(string))
	}
	return list
}

func TestAccountStates_AreSelectedByAddressAndCodeHash(t *testing.T) {
	t.Parallel()
	d := serve(t)
	w, j, tick := chaintest.Wallet.String(), chaintest.JettonWallet.String(), chaintest.Ticker.String()
	for query, want := range map[string][]string{
		"address=" + w:                                                      {w},
		"address=" + w + "&address=" + j:                                    {w, j},
		"address=" + w + "," + j + "," + tick:                               {w, j, tick},
		"address=+" + w + ",+" + j + "%0A":                                  {w, j},
		"address=" + unknownAddress:                                         {},
		"address=" + w + "&address=" + unknownAddress:                       {w},
		"code_hash=" + escape(chaintest.JettonWalletCode):                   {j, tick},
		"code_hash=" + escape(chaintest.JettonWalletCode) + "&address=" + j: {j},
		"code_hash=" + escape(chaintest.JettonWalletCode) + "&address=" + w: {},
	} {
		body := d.get("/accountStates?" + query)
		require.ElementsMatch(t, want, addressesOf(body["accounts"]), query)
		require.Len(t, body["address_book"], len(want))
		require.Equal(t, map[string]any{}, body["metadata"])
	}
	state := d.get("/accountStates?address=" + w)["accounts"].([]any)[0].(map[string]any)
	require.Equal(t, "140000000", state["balance"])
	require.Equal(t, "active", state["status"])
	require.Equal(t, chaintest.State.Hash('W', 14).String(), state["account_state_hash"])
	require.Equal(t, chaintest.Tx.Hash('W', 14).String(), state["last_transaction_hash"])
	require.Equal(t, "14001", state["last_transaction_lt"])
	require.Regexp(t, "^te6ccg", state["data_boc"])
	require.Regexp(t, "^te6ccg", state["code_boc"])
	require.Nil(t, state["contract_methods"])
	for _, off := range []string{"false", "0"} {
		response := d.get("/accountStates?include_boc=" + off + "&address=" + w)["accounts"].([]any)[0]
		require.NotContains(t, response, "data_boc")
		require.NotContains(t, response, "code_boc")
	}
	require.Equal(t, "address of account is required", d.refuse("/accountStates", http.StatusUnprocessableEntity))
	for _, bad := range []string{"address=x", "code_hash=x", "include_boc=yes&address=" + w} {
		d.refuse("/accountStates?"+bad, http.StatusUnprocessableEntity)
	}
	tooMany := strings.Repeat("address="+w+"&", 1025)
	require.Contains(t, d.refuse("/accountStates?"+tooMany, http.StatusUnprocessableEntity), "at most 1024")
}

func TestWalletStates_WalletMembersOnlyForWallets(t *testing.T) {
	t.Parallel()
	d := serve(t)
	body := d.get("/walletStates?address=" + chaintest.Wallet.String() + "&address=" + chaintest.JettonWallet.String() + "&address=" + unknownAddress)
	rows := map[string]map[string]any{}
	for _, row := range body["wallets"].([]any) {
		rows[row.(map[string]any)["address"].(string)] = row.(map[string]any)
	}
	require.Len(t, rows, 2)
	wallet, other := rows[chaintest.Wallet.String()], rows[chaintest.JettonWallet.String()]
	require.Equal(t, true, wallet["is_wallet"])
	require.Equal(t, "wallet v4 r2", wallet["wallet_type"])
	require.EqualValues(t, 14, wallet["seqno"])
	require.EqualValues(t, 698983191, wallet["wallet_id"])
	require.NotContains(t, wallet, "is_signature_allowed")
	require.Equal(t, false, other["is_wallet"])
	require.NotContains(t, other, "wallet_type")
	require.Equal(t, "address of account is required", d.refuse("/walletStates", http.StatusUnprocessableEntity))
	d.refuse("/walletStates?address=x", http.StatusUnprocessableEntity)
}

func TestTopAccountsByBalance_TiesAreOrderedByAddress(t *testing.T) {
	t.Parallel()
	d := serve(t)
	top := func(query string) (list []string) {
		w := d.do("/topAccountsByBalance?" + query)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		var rows []struct{ Account, Balance string }
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &rows))
		for _, r := range rows {
			list = append(list, r.Account[:4]+" "+r.Balance)
		}
		return list
	}
	// Equal balances are ordered by address: the masterchain first.
	require.Equal(t, []string{"0:11 140000000", "-1:3 14000000", "0:22 14000000"}, top(""))
	require.Equal(t, []string{"0:11 140000000"}, top("limit=1"))
	require.Equal(t, []string{"0:22 14000000"}, top("limit=5&offset=2"))
	require.Empty(t, top("offset=3"))
	for _, bad := range []string{"limit=x", "limit=1001", "offset=x", "offset=100001"} {
		d.refuse("/topAccountsByBalance?"+bad, http.StatusUnprocessableEntity)
	}
}

// The keys of the address book are the values as sent. A value that is not an address has a row with null members.
func TestAddressBook_KeysAreTheValuesSent(t *testing.T) {
	t.Parallel()
	d := serve(t)
	friendly := chaintest.Wallet.Friendly(true, false)
	body := d.get("/addressBook?address=" + chaintest.JettonWallet.String() + "&address=" + friendly + "&address=nonsense&address=a,b&address=" +
		url.QueryEscape(unknownAddress) + "&address=" + friendly)
	require.Len(t, body, 5)
	row := func(key string) map[string]any { return body[key].(map[string]any) }
	require.Equal(t, chaintest.JettonWallet.Friendly(true, true), row(chaintest.JettonWallet.String())["user_friendly"])
	require.Equal(t, chaintest.Wallet.Friendly(false, true), row(friendly)["user_friendly"])
	require.Nil(t, row("nonsense")["user_friendly"])
	require.Equal(t, []any{}, row("nonsense")["interfaces"])
	require.Nil(t, row("a,b")["user_friendly"])
	require.Equal(t, "0Q", row(unknownAddress)["user_friendly"].(string)[:2])
	list := url.QueryEscape(chaintest.JettonWallet.String() + "," + friendly)
	body = d.get("/addressBook?address=" + list)
	require.Len(t, body, 2)
	require.Equal(t, chaintest.JettonWallet.Friendly(true, true), row(chaintest.JettonWallet.String())["user_friendly"])
	require.Equal(t, chaintest.Wallet.Friendly(false, true), row(friendly)["user_friendly"])
	require.Equal(t, d.get("/metadata?address="+chaintest.JettonWallet.String()+"&address="+friendly), d.get("/metadata?address="+list))
	require.Equal(t, "at least 1 address required", d.refuse("/addressBook", http.StatusUnprocessableEntity))
	require.Contains(t, d.refuse("/addressBook?"+manyStrings(1025), http.StatusUnprocessableEntity), "at most 1024")
}

func manyStrings(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("address=")
		b.WriteString(strings.Repeat("a", i%40+1))
		b.WriteByte(byte('b' + i/40))
		b.WriteByte('&')
	}
	return b.String()
}

// Accounts without code that configuration parameter 44 lists are suspended until its time, also those that the index does not know.
func TestSuspendedAccounts_AreMarkedUntilTheirTime(t *testing.T) {
	t.Parallel()
	unknown, err := chain.ParseAddress(unknownAddress)
	require.NoError(t, err)
	for name, tc := range map[string]struct {
		until uint32
		want  any
	}{"later": {math.MaxUint32, true}, "over": {1, nil}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := testdb.NewSingle(t)
			chaintest.Index(t, db, lastMc, func(b *chain.MasterBlock) {
				for i := range b.States {
					if s := &b.States[i]; s.Account == chaintest.JettonWallet {
						s.Status, s.CodeHash, s.DataHash = chain.Uninit, nil, nil
					}
				}
				if b.Block.Seqno == chaintest.First {
					chaintest.Suspend(t, b, tc.until, chaintest.Wallet, chaintest.JettonWallet, unknown)
				}
			})
			d := open(t, db)
			w, j := chaintest.Wallet.String(), chaintest.JettonWallet.String()
			for path, list := range map[string]string{"/accountStates": "accounts", "/walletStates": "wallets"} {
				for _, row := range d.get(path + "?address=" + w + "," + j)[list].([]any) {
					state, want := row.(map[string]any), tc.want
					if state["address"] == w {
						want = nil // it has code
					}
					require.Equal(t, want, state["suspended"], "%s %v", path, state)
				}
			}
			for _, path := range []string{"/addressInformation", "/walletInformation"} {
				require.Equal(t, tc.want, d.get(path + "?address=" + unknownAddress)["suspended"], path)
				require.Equal(t, tc.want, d.get(path + "?address=" + j)["suspended"], path)
				require.NotContains(t, d.get(path+"?address="+w), "suspended", path)
			}
		})
	}
}

// Telegram's wallet is a wallet like others: its data are read, whatever the revision, and its addresses are not bounceable.
func TestTelegramWallet_IsAWallet(t *testing.T) {
	t.Parallel()
	code, err := chain.ParseHash("kUmuUcHkaJcQzr94MCl7Fqz7rbNjqSClN4k+f/7sp2g=")
	require.NoError(t, err)
	data := cell.BeginCell().MustStoreUInt(1, 8).MustStoreUInt(7, 32).MustStoreUInt(0x7fff7f11, 32).MustStoreUInt(5, 256).MustStoreUInt(1, 3).EndCell()
	dataHash := chain.Hash(data.HashKey())
	db := testdb.NewSingle(t)
	chaintest.Index(t, db, lastMc, func(b *chain.MasterBlock) {
		for i := range b.States {
			if s := &b.States[i]; s.Account == chaintest.JettonWallet {
				s.CodeHash, s.DataHash = &code, &dataHash
			}
		}
		b.Cells[code], b.Cells[dataHash] = cell.BeginCell().EndCell().ToBOC(), data.ToBOC()
	})
	d := open(t, db)
	j := chaintest.JettonWallet.String()
	states := d.get("/walletStates?address=" + j)
	w := states["wallets"].([]any)[0].(map[string]any)
	require.Equal(t, true, w["is_wallet"])
	info := d.get("/walletInformation?address=" + j)
	for _, row := range []map[string]any{w, info} {
		require.Equal(t, "tg-wallet", row["wallet_type"])
		require.InDelta(t, 7, row["seqno"], 0)
		require.InDelta(t, 0x7fff7f11, row["wallet_id"], 0)
	}
	require.NotContains(t, w, "is_signature_allowed")
	row := states["address_book"].(map[string]any)[j].(map[string]any)
	require.Equal(t, "0Q", row["user_friendly"].(string)[:2])
	ticker := d.get("/addressBook?address=" + chaintest.Ticker.String())[chaintest.Ticker.String()].(map[string]any)
	require.Equal(t, "kf", ticker["user_friendly"].(string)[:2])
}
