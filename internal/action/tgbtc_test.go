package action_test

import (
	"strings"
	"testing"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

// The parties of tgBTC.
const (
	btcUser, btcTeleport, btcMinter, btcWallet, btcPegout, btcCoordinator, btcSigners, tgBTC = 1, 2, 3, 4, 5, 6, 7, 8
)

// write lets a transaction write a log.
func (b *builder) write(from *action.Transaction, body *cell.Cell) {
	tx := b.send(from, 0, 0, body)
	b.trace.Transactions = b.trace.Transactions[:len(b.trace.Transactions)-1]
	tx.In.Destination, tx.In.Value = nil, nil
}

// mintedLog names the transaction by a number whose bytes are in reverse.
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

func TestTgBTC(t *testing.T) {
	t.Parallel()
	r := wallets([3]byte{btcWallet, btcUser, tgBTC})
	// minted is a payment in bitcoins, proven in so many steps.
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
				"source": nil, "source_secondary": raw(btcTeleport), "destination": raw(btcUser), "destination_secondary": nil,
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
		"a key that nobody uses yet": {
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

func calls(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = "call_contract"
	}
	return all
}
