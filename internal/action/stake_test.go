package action_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// The parties of liquid staking.
const (
	staker, stakeWallet, tokenMaster, stakePool, bills, bill = 1, 2, 3, 4, 5, 6
)

func burnTokens(amount uint64) *cell.Cell {
	return op(0x595f07bc).MustStoreUInt(1, 64).MustStoreCoins(amount).MustStoreAddr(std(staker)).MustStoreBoolBit(false).EndCell()
}

// sendBurn adds a staker's request to the pool and returns the transaction of the pool.
func sendBurn(b *builder, root *action.Transaction) *action.Transaction {
	tx := b.send(root, stakeWallet, 1000, burnTokens(55))
	tx = b.send(tx, tokenMaster, 900, op(0x7bdd97de).EndCell())
	return b.send(tx, stakePool, 800, op(0x319b0cdc).EndCell())
}

func TestLiquidStaking_WithdrawalIsPaidOrRequested(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		build func(*builder, *action.Transaction)
		kinds []string
		row   want
	}{
		"a deposit": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, stakePool, 5_000_000_000, op(0x47d54391).MustStoreUInt(1, 64).EndCell())
				tx = b.send(tx, tokenMaster, 900, op(0x1674b0a0).EndCell())
				tx = b.send(tx, stakeWallet, 800, receiveJettons(0x178d4519, 3_900, stakePool))
				b.send(tx, staker, 1, op(0x7362d09c).EndCell())
				b.send(tx, staker, 700, op(0xd53276db).EndCell())
			},
			[]string{"stake_deposit"},
			want{
				"source": raw(staker), "destination": raw(stakePool), "asset": raw(tokenMaster), "amount": 4_000_000_000,
				"staking_data": want{"provider": "liquid_staking", "tokens_minted": 3_900, "ts_nft": nil},
			},
		},
		"paid at once": {
			func(b *builder, root *action.Transaction) {
				b.send(sendBurn(b, root), staker, 1_300, op(0x0a77535c).EndCell())
			},
			[]string{"stake_withdrawal"},
			want{
				"source": raw(staker), "source_secondary": nil, "destination": raw(stakePool), "asset": raw(tokenMaster), "amount": 500,
				"staking_data": want{"tokens_burnt": 55, "ts_nft": nil},
			},
		},
		"paid later": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(sendBurn(b, root), bills, 700, op(0x1674b0a0).EndCell())
				b.send(tx, bill, 600, op(0x132f9a45).EndCell())
			},
			[]string{"stake_withdrawal_request", "call_contract"},
			want{
				"source": raw(staker), "source_secondary": raw(stakeWallet), "destination": raw(stakePool), "success": true,
				"asset": raw(tokenMaster), "amount": 55, "staking_data": want{"ts_nft": raw(bill), "tokens_burnt": nil},
			},
		},
		"no bill": {
			func(b *builder, root *action.Transaction) {
				b.send(sendBurn(b, root), bills, 700, op(0x1674b0a0).EndCell())
			},
			[]string{"stake_withdrawal_request"},
			want{"success": false, "staking_data": want{"ts_nft": nil}},
		},
	} {
		b, root := external(staker)
		tc.build(b, root)
		t.Log(name)
		requireRows(t, b, records{}, tc.kinds, tc.row)
	}
}

// A request that begins a round has the pool mint the fee of the last round for its treasury first.
func TestLiquidStaking_FeeOfTheRoundIsNoPartOfARequest(t *testing.T) {
	t.Parallel()
	const treasury, treasuryWallet = 7, 8
	mint := func(owner byte) *cell.Cell {
		return op(0x1674b0a0).MustStoreUInt(1, 64).MustStoreAddr(std(owner)).MustStoreCoins(5).EndCell()
	}
	fee := func(b *builder, pool *action.Transaction) {
		b.send(b.send(pool, tokenMaster, 900, mint(treasury)), treasuryWallet, 800, receiveJettons(0x178d4519, 77, stakePool))
	}
	unmerged := []string{"call_contract", "call_contract"}

	b, root := external(staker)
	pool := b.send(root, stakePool, 5_000_000_000, op(0x47d54391).MustStoreUInt(1, 64).EndCell())
	fee(b, pool)
	b.send(b.send(pool, tokenMaster, 900, mint(staker)), stakeWallet, 800, receiveJettons(0x178d4519, 3_900, stakePool))
	requireRows(t, b, records{}, append([]string{"stake_deposit"}, unmerged...), want{
		"amount": 4_000_000_000, "staking_data": want{"tokens_minted": 3_900},
	})

	b, root = external(staker)
	master := b.send(b.send(root, stakeWallet, 1000, burnTokens(55)), tokenMaster, 900, op(0x7bdd97de).EndCell())
	pool = b.send(master, stakePool, 800, op(0x319b0cdc).MustStoreUInt(1, 64).MustStoreCoins(55).MustStoreAddr(std(staker)).EndCell())
	fee(b, pool)
	b.send(b.send(pool, bills, 700, mint(staker)), bill, 600, op(0x132f9a45).EndCell())
	requireRows(t, b, records{}, append([]string{"stake_withdrawal_request", "call_contract"}, unmerged...), want{
		"success": true, "amount": 55, "staking_data": want{"ts_nft": raw(bill)},
	})

	// A bill for the deposit, which the pool pays at the end of the round.
	b, root = external(staker)
	pool = b.send(root, stakePool, 5_000_000_000, op(0x47d54391).MustStoreUInt(1, 64).EndCell())
	fee(b, pool)
	b.send(b.send(pool, bills, 700, mint(staker)), bill, 600, op(0x132f9a45).EndCell())
	requireRows(t, b, records{}, append([]string{"call_contract", "call_contract", "call_contract"}, unmerged...), want{})
}

// Each bill of a distribution is paid by the pool that started it.
func TestLiquidStaking_EachBurnedBillIsAnAction(t *testing.T) {
	t.Parallel()
	b, root := external(stakePool)
	tx := b.send(root, bills, 100, op(0x1140a64f).EndCell())
	for n := range byte(3) {
		tx = b.send(tx, bill+n, 90, op(0xf127fe4e).EndCell())
		tx = b.send(tx, bills, 80, op(0xed58b0b2).MustStoreUInt(1, 64).MustStoreCoins(10).MustStoreAddr(std(20+n)).EndCell())
		b.send(tx, 20+n, 70, op(0xdb3b8abd).EndCell())
	}
	actions, err := action.Classify(b.trace, records{})
	require.NoError(t, err)
	require.Len(t, actions, 4)
	require.Equal(t, "call_contract", actions[0].Type, "the start of the distribution")
	for n, a := range actions[1:] {
		n := byte(n)
		requireColumns(t, want{
			"type": "stake_withdrawal", "source": raw(20 + n), "destination": raw(stakePool), "asset": nil, "amount": 70,
			"staking_data": want{"provider": "liquid_staking", "ts_nft": raw(bill + n), "tokens_burnt": 10},
		}, columns(t, a))
	}
}

func TestNominatorPool_ChangeIsNoPayout(t *testing.T) {
	t.Parallel()
	r := extraRecords{nominators: map[chain.Address]bool{account(stakePool): true}}
	for name, tc := range map[string]struct {
		comment string
		back    []int64
		kinds   []string
		row     want
	}{
		"a deposit":             {"d", nil, []string{"stake_deposit"}, want{"amount": 1000}},
		"a request":             {"w", nil, []string{"stake_withdrawal_request"}, want{"amount": nil}},
		"a request with change": {"w", []int64{900}, []string{"stake_withdrawal_request"}, want{"amount": nil}},
		"paid with the change":  {"w", []int64{7_000}, []string{"stake_withdrawal"}, want{"amount": 7_000}},
		"paid before change":    {"w", []int64{700, 900}, []string{"stake_withdrawal"}, want{"amount": 700}},
		"something else":        {"x", nil, []string{"ton_transfer"}, want{}},
	} {
		b, root := external(staker)
		tx := b.send(root, stakePool, 1000, textBody(tc.comment))
		for _, n := range tc.back {
			b.send(tx, staker, n, cell.BeginCell().EndCell())
		}
		t.Log(name)
		requireRows(t, b, r, tc.kinds, tc.row)
		if tc.comment != "x" {
			requireRows(t, b, r, tc.kinds, want{
				"source": raw(staker), "destination": raw(stakePool), "success": true, "staking_data": want{"provider": "nominator"},
			})
			tx.Aborted = true
			requireRows(t, b, r, tc.kinds, want{"success": false})
		}
	}

	b, root := external(staker)
	tx := b.send(root, stakePool, 1000, op(2).MustStoreUInt(0, 64).MustStoreUInt(2, 8).EndCell())
	b.send(tx, 20, 50, textBody(""))
	b.send(tx, 21, 60, textBody(""))
	requireRows(t, b, r, []string{"stake_withdrawal", "stake_withdrawal", "call_contract"}, want{
		"source": raw(20), "destination": raw(stakePool), "amount": 50,
	})
}

// A nominator has the coins of a payout unless they bounce.
func TestNominatorPool_PayoutFailsOnlyIfItBounces(t *testing.T) {
	t.Parallel()
	r := extraRecords{nominators: map[chain.Address]bool{account(stakePool): true}}
	for _, bounces := range []bool{false, true} {
		b, root := external(staker)
		tx := b.send(root, stakePool, 1000, op(2).MustStoreUInt(0, 64).MustStoreUInt(2, 8).EndCell())
		paid := b.send(tx, 20, 50, textBody(""))
		paid.Aborted, paid.In.Bounce = true, bounces
		if bounces {
			b.send(paid, stakePool, 40, op(0xffffffff).EndCell()).In.Bounced = true
		}
		kinds := []string{"stake_withdrawal", "call_contract"}
		if bounces {
			kinds = append(kinds, "call_contract")
		}
		requireRows(t, b, r, kinds, want{"source": raw(20), "amount": 50, "success": !bounces})
	}
}

func TestEthenaDeposit_BounceOfTheMintIsSeparate(t *testing.T) {
	t.Parallel()
	const owner, wallet, vault, vaultWallet = 1, 2, 3, 4
	minter, err := chain.ParseAddress("0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D")
	require.NoError(t, err)
	paid, err := chain.ParseAddress("0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC")
	require.NoError(t, err)
	r := wallets([3]byte{wallet, owner, 0}, [3]byte{vaultWallet, vault, 0})
	for _, w := range r.wallets {
		w.Jetton = paid
	}
	b, root := external(owner)
	tx := b.send(root, wallet, 1000, transferJettons(600, vault, owner, nil))
	tx = b.send(tx, vaultWallet, 900, receiveJettons(0x178d4519, 600, owner))
	tx = b.send(tx, vault, 800, op(0x7362d09c).EndCell())
	tx = b.send(tx, 5, 700, op(0x642b7d07).MustStoreUInt(1, 64).MustStoreAddr(std(owner)).MustStoreCoins(30).EndCell())
	tx.Account, tx.In.Destination, tx.Aborted = minter, &minter, true
	b.bounce(tx)
	requireRows(t, b, r, []string{"stake_deposit", "call_contract"}, want{
		"source": raw(owner), "asset": minter.String(), "asset2": paid.String(), "amount": 600, "success": false,
	})
}

func TestEthenaWithdrawalRequest_NeedsTheOwnersWallet(t *testing.T) {
	t.Parallel()
	const owner, wallet, vault, vaultWallet, minter, locked, paid, given = 1, 2, 3, 4, 5, 6, 7, 8
	build := func() *builder {
		b, root := external(owner)
		tx := b.send(root, wallet, 1000, transferJettons(600, vault, owner, nil))
		tx = b.send(tx, vaultWallet, 900, receiveJettons(0x178d4519, 600, owner))
		tx = b.send(tx, vault, 800, op(0x7362d09c).EndCell())
		tx = b.send(tx, minter, 700, op(0x642b7d07).MustStoreUInt(1, 64).EndCell())
		b.send(tx, locked, 600, receiveJettons(0xb2583ed5, 640, minter))
		return b
	}
	row := want{
		"source": raw(owner), "source_secondary": raw(wallet), "destination": raw(vault), "asset": raw(paid), "amount": 600,
		"staking_data": want{"provider": "ethena", "tokens_minted": 640},
	}
	request := []string{"stake_withdrawal_request"}
	requireRows(t, build(), wallets([3]byte{wallet, owner, paid}, [3]byte{vaultWallet, vault, paid}, [3]byte{locked, owner, given}), request, row)
	requireRows(t, build(), wallets([3]byte{wallet, owner, paid}, [3]byte{locked, owner, given}), request, row)
	// Minted to another owner, it is a transfer and a mint.
	requireRows(t, build(), wallets([3]byte{wallet, owner, paid}, [3]byte{vaultWallet, vault, paid}, [3]byte{locked, 99, given}),
		[]string{"jetton_transfer", "call_contract", "call_contract"}, want{"amount": big.NewInt(600)})
}
