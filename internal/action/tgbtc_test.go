package action_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

// The parties of tgBTC.
const (
	btcUser, btcTeleport, btcMinter, btcWallet, btcPegout, btcCoordinator, btcSigners, tgBTC = 1, 2, 3, 4, 5, 6, 7, 8
)

// write adds a log to a transaction, as a message to no account.
func (b *builder) write(from *action.Transaction, body *cell.Cell) {
	tx := b.send(from, 0, 0, body)
	b.trace.Transactions = b.trace.Transactions[:len(b.trace.Transactions)-1]
	tx.In.Destination, tx.In.Value = nil, nil
}

// mintedLog contains the id of the transaction as a number with its bytes reversed.
func mintedLog() *cell.Cell {
	return op(0x77a80ef3).MustStoreCoins(900).MustStoreAddr(std(btcUser)).MustStoreUInt(0xab, 8).MustStoreUInt(0, 248).EndCell()
}

var mintedID = strings.Repeat("00", 31) + "ab"

func burntLog() *cell.Cell {
	return op(0xca444ce6).MustStoreCoins(800).MustStoreAddr(std(btcUser)).MustStoreAddr(std(btcPegout)).EndCell()
}

func keyLog() *cell.Cell {
	return op(0x27756729).MustStoreCoins(700).MustStoreUInt(0x0a, 8).MustStoreUInt(0, 248).MustStoreAddr(std(btcPegout)).EndCell()
}

func dkgLog() *cell.Cell {
	return op(0x453443a6).MustStoreUInt(1_700_000_000, 64).MustStoreUInt(0x0a, 8).MustStoreUInt(0, 248).EndCell()
}

// btcKey is a key without its leading zero.
var btcKey = "a" + strings.Repeat("00", 31)

func TestTgBTC_LogsAloneAreFallbacks(t *testing.T) {
	t.Parallel()
	r := wallets([3]byte{btcWallet, btcUser, tgBTC})
	// minted adds a payment in bitcoins that is proven in a number of steps.
	minted := func(b *builder, root *action.Transaction, steps int) {
		tx := b.send(root, btcTeleport, 1000, op(0x3f781d24).EndCell())
		for range steps {
			tx = b.send(tx, btcTeleport, 900, op(7).EndCell())
		}
		tx = b.send(tx, btcTeleport, 800, op(0xe42a879b).EndCell())
		b.write(tx, mintedLog())
		tx = b.send(tx, btcMinter, 700, op(0x642b7d07).MustStoreUInt(1, 64).MustStoreAddr(std(btcUser)).MustStoreCoins(5).EndCell())
		b.send(tx, btcWallet, 600, receiveJettons(0x178d4519, 900, btcMinter))
	}
	for name, tc := range map[string]struct {
		build func(*builder, *action.Transaction)
		kinds []string
		row   want
	}{
		"minted": {
			func(b *builder, root *action.Transaction) { minted(b, root, 5) },
			[]string{"tgbtc_mint"},
			want{
				"source": raw(btcUser), "source_secondary": raw(btcTeleport), "destination": raw(btcUser),
				"destination_secondary": raw(btcWallet), "amount": 900, "asset": raw(tgBTC), "asset_secondary": mintedID,
			},
		},
		"minted too far from the proof": {
			func(b *builder, root *action.Transaction) { minted(b, root, 20) },
			append([]string{"tgbtc_mint_fallback", "jetton_mint"}, calls(22)...),
			want{
				"source": raw(btcTeleport), "source_secondary": raw(btcTeleport), "destination": raw(btcUser), "destination_secondary": nil,
				"amount": 900, "asset": nil, "asset_secondary": mintedID,
			},
		},
		"burnt": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, btcWallet, 1000, burnTokens(810))
				tx = b.send(tx, btcMinter, 900, op(0x7bdd97de).EndCell())
				tx = b.send(tx, btcTeleport, 800, op(0x587643a2).EndCell())
				b.write(tx, burntLog())
				b.send(b.send(tx, btcPegout, 700, op(0xbe44e7a6).EndCell()), btcSigners, 5, op(0x1a84c0e0).EndCell())
			},
			[]string{"tgbtc_burn"},
			want{
				"source": raw(btcUser), "source_secondary": raw(btcWallet), "destination": raw(btcPegout), "amount": 800,
				"asset": raw(tgBTC), "success": true,
			},
		},
		"burnt, by a contract that writes addresses with rewrite prefixes": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, btcWallet, 1000, burnTokens(810))
				tx = b.send(tx, btcTeleport, 800, op(0x587643a2).EndCell())
				log := op(0xca444ce6).MustStoreCoins(800).MustStoreUInt(0, 2)
				b.write(tx, rewritten(log, 0x2aaa, -82, btcPegout).EndCell())
			},
			[]string{"tgbtc_burn"},
			want{"source": raw(btcUser), "destination": "-82" + raw(btcPegout)[1:], "amount": 800},
		},
		"burnt, by a contract that writes an external address": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(b.send(root, btcWallet, 1000, burnTokens(810)), btcTeleport, 800, op(0x587643a2).EndCell())
				log := op(0xca444ce6).MustStoreCoins(800).MustStoreUInt(1, 2).MustStoreUInt(70, 9).MustStoreUInt(5, 64).MustStoreUInt(1, 6)
				b.write(tx, log.MustStoreAddr(std(btcPegout)).EndCell())
			},
			[]string{"tgbtc_burn"}, want{"destination": raw(btcPegout), "amount": 800},
		},
		"burnt, by a contract that writes something else": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(b.send(root, btcWallet, 1000, burnTokens(810)), btcTeleport, 800, op(0x587643a2).EndCell())
				log := op(0xca444ce6).MustStoreCoins(800).MustStoreUInt(3, 2).MustStoreUInt(0, 1).MustStoreUInt(8, 9).MustStoreUInt(0, 40)
				b.write(tx, log.MustStoreAddr(std(btcPegout)).EndCell())
			},
			[]string{"tgbtc_burn"}, want{"destination": nil, "amount": 800},
		},
		"a burn of which only the log is there": {
			func(b *builder, root *action.Transaction) {
				b.write(b.send(root, btcTeleport, 1000, op(7).EndCell()), burntLog())
			},
			[]string{"tgbtc_burn_fallback", "call_contract"},
			want{"source": raw(btcUser), "destination": raw(btcPegout), "amount": 800, "asset": nil},
		},
		"a new key": {
			func(b *builder, root *action.Transaction) {
				signers := b.send(root, btcSigners, 1000, op(7).EndCell())
				tx := b.send(signers, btcCoordinator, 900, op(0x690f357a).EndCell())
				b.write(tx, keyLog())
				b.write(signers, dkgLog())
			},
			[]string{"tgbtc_new_key"},
			want{
				"source": raw(btcSigners), "source_secondary": btcKey, "destination": raw(btcCoordinator),
				"destination_secondary": raw(btcPegout), "amount": 700, "value": 1_700_000_000,
			},
		},
		"a new key of which only the log is there": {
			func(b *builder, root *action.Transaction) {
				b.write(b.send(root, btcCoordinator, 1000, op(7).EndCell()), keyLog())
			},
			[]string{"tgbtc_new_key_fallback", "call_contract"},
			want{
				"source": nil, "source_secondary": btcKey, "destination": raw(btcCoordinator), "destination_secondary": raw(btcPegout),
				"amount": 700, "value": nil,
			},
		},
		"a key that is not used yet": {
			func(b *builder, root *action.Transaction) {
				b.write(b.send(root, btcSigners, 1000, op(7).EndCell()), dkgLog())
			},
			[]string{"tgbtc_dkg_log_fallback", "call_contract"},
			want{"source": raw(btcSigners), "asset": btcKey, "value": 1_700_000_000},
		},
	} {
		b, root := external(btcUser)
		tc.build(b, root)
		t.Log(name)
		requireRows(t, b, r, tc.kinds, tc.row)
	}
}

// rewritten adds a standard address with a rewrite prefix of 14 bits.
func rewritten(b *cell.Builder, prefix uint64, workchain int64, n byte) *cell.Builder {
	id := account(n).ID
	return b.MustStoreUInt(0b101, 3).MustStoreUInt(14, 5).MustStoreUInt(prefix, 14).MustStoreInt(workchain, 8).MustStoreSlice(id[:], 256)
}

// The accounts of a row are the addresses, then the key.
func TestTgBTC_AccountsContainTheKey(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(b *builder, root *action.Transaction){
		"tgbtc_new_key": func(b *builder, root *action.Transaction) {
			signers := b.send(root, btcSigners, 1000, op(7).EndCell())
			b.write(b.send(signers, btcCoordinator, 900, op(0x690f357a).EndCell()), keyLog())
			b.write(signers, dkgLog())
		},
		"tgbtc_new_key_fallback": func(b *builder, root *action.Transaction) {
			b.write(b.send(root, btcCoordinator, 1000, op(7).EndCell()), keyLog())
		},
	} {
		b, root := external(btcUser)
		build(b, root)
		actions, err := action.Classify(b.trace, records{})
		require.NoError(t, err)
		at := slices.IndexFunc(actions, func(a *action.Action) bool { return a.Type == name })
		require.GreaterOrEqual(t, at, 0)
		accounts, ok := columns(t, actions[at])["accounts"].([]any)
		require.True(t, ok)
		require.Equal(t, btcKey, accounts[len(accounts)-1])
		require.Contains(t, accounts, raw(btcCoordinator))
		require.Contains(t, accounts, raw(btcPegout))
		require.Len(t, accounts, len(actions[at].Accounts)+1)
	}
}

func calls(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = "call_contract"
	}
	return all
}
