package action_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

const hipoTreasuryAddress = "0:8BC991CFE177BC7E9721433EFA3BEFD199485A55CFFD040A06C89AF026B71BCF"

// The parties of Hipo. The staker's wallet, the collection of bills and the bill are those of liquid staking.
const hipoParentAt = 3

// at moves the transaction to an account that has an address of its own.
func at(tx *action.Transaction, account string) *action.Transaction {
	a, err := chain.ParseAddress(account)
	if err != nil {
		panic(err)
	}
	tx.Account, tx.In.Destination = a, &a
	return tx
}

// hipo sends a message to the treasury.
func (b *builder) hipo(from *action.Transaction, value int64, body *cell.Cell) *action.Transaction {
	return at(b.send(from, stakePool, value, body), hipoTreasuryAddress)
}

// hipoOwned makes the body of a message about the staker: opcode, query id, amounts, owner.
func hipoOwned(code uint64, amounts ...uint64) *cell.Builder {
	body := withQueryID(code)
	for _, n := range amounts {
		body.MustStoreCoins(n)
	}
	return to(body, staker)
}

// hipoDeposit adds the request to the treasury.
func (b *builder) hipoDeposit(from *action.Transaction, owner *cell.Builder, coins uint64) *action.Transaction {
	body := withQueryID(0x3d3761a6).MustStoreBuilder(owner).MustStoreCoins(coins).MustStoreCoins(1).MustStoreUInt(0, 2)
	return b.hipo(from, 5_000, body.EndCell())
}

func nobody() *cell.Builder { return cell.BeginCell().MustStoreUInt(0, 2) }

// hipoMint adds the tokens that the treasury has minted.
func (b *builder) hipoMint(treasury *action.Transaction, tokens, coins uint64) {
	tx := b.send(treasury, hipoParentAt, 300, hipoOwned(0x5be57626, tokens, coins).MustStoreUInt(9, 32).EndCell())
	tx = b.send(tx, stakeWallet, 200, hipoOwned(0x5445efee, tokens, coins).MustStoreUInt(9, 32).EndCell())
	b.send(tx, staker, 1, withQueryID(0x7362d09c).EndCell())
	b.send(tx, staker, 100, withQueryID(0xd53276db).EndCell())
}

// hipoMintBill adds the bill for a request that waits for the end of the round.
func (b *builder) hipoMintBill(treasury *action.Transaction, amount uint64, unstake bool) {
	body := to(to(withQueryID(0x4b2d7871).MustStoreCoins(amount).MustStoreBoolBit(unstake), staker), hipoParentAt).MustStoreCoins(1)
	tx := b.send(treasury, bills, 200, body.EndCell())
	b.send(tx, bill, 150, withQueryID(0x3275dfc2).EndCell())
}

// hipoUnstake adds the burn of tokens and returns the transaction of the treasury.
func (b *builder) hipoUnstake(root *action.Transaction) *action.Transaction {
	tx := b.send(root, stakeWallet, 1000, burnTokens(55))
	reserve := func(code uint64) *cell.Cell {
		return hipoOwned(code, 55).MustStoreUInt(0, 4).MustStoreCoins(0).EndCell()
	}
	tx = b.send(tx, hipoParentAt, 900, reserve(0x688b0213))
	return b.hipo(tx, 800, reserve(0x386a358b))
}

// hipoPay adds the payment of a withdrawal.
func (b *builder) hipoPay(treasury *action.Transaction, tokens, coins uint64) {
	tx := b.send(treasury, hipoParentAt, 700, hipoOwned(0x4476fde0, tokens, coins).EndCell())
	tx = b.send(tx, stakeWallet, 600, withQueryID(0x5b512e25).MustStoreCoins(tokens).MustStoreCoins(coins).EndCell())
	b.send(tx, staker, 500, withQueryID(0xf0fa223b).MustStoreCoins(tokens).MustStoreCoins(coins).EndCell())
}

// hipoReturn adds the return of tokens that the treasury can not pay for.
func (b *builder) hipoReturn(treasury *action.Transaction, tokens uint64) {
	tx := b.send(treasury, hipoParentAt, 700, hipoOwned(0x32b67194, tokens).EndCell())
	b.send(tx, stakeWallet, 600, withQueryID(0x1b77fd1a).MustStoreCoins(tokens).EndCell())
}

// hipoRoundEnd adds the burn of a bill by the collection, and the message that settles its request.
func (b *builder) hipoRoundEnd(root *action.Transaction, code uint64) *action.Transaction {
	tx := b.send(root, bill, 90, withQueryID(0x6f89f5e3).EndCell())
	tx = b.send(tx, bills, 80, withQueryID(0x840f6369).EndCell())
	return b.hipo(tx, 70, to(hipoOwned(code, 55), hipoParentAt).MustStoreUInt(9, 32).EndCell())
}

func TestHipo_EveryTransitionIsOneAction(t *testing.T) {
	t.Parallel()
	depositRow := func(amount, minted, item any) want {
		return want{
			"source": raw(staker), "source_secondary": raw(stakeWallet), "destination": hipoTreasuryAddress, "asset": raw(hipoParentAt),
			"amount": amount, "success": true,
			"staking_data": want{"provider": "hipo", "tokens_minted": minted, "tokens_burnt": nil, "ts_nft": item},
		}
	}
	withdrawalRow := func(wallet, amount, burnt, item any) want {
		return want{
			"source": raw(staker), "source_secondary": wallet, "destination": hipoTreasuryAddress, "asset": raw(hipoParentAt),
			"amount": amount, "success": true,
			"staking_data": want{"provider": "hipo", "tokens_minted": nil, "tokens_burnt": burnt, "ts_nft": item},
		}
	}
	failed := func(row want) want { row["success"] = false; return row }
	for name, tc := range map[string]struct {
		build func(*builder, *action.Transaction)
		kinds []string
		row   want
	}{
		"staked at once": {
			func(b *builder, root *action.Transaction) {
				b.hipoMint(b.hipoDeposit(root, nobody(), 4_000), 3_900, 4_000)
			},
			[]string{"stake_deposit"}, depositRow(4_000, 3_900, nil),
		},
		"staked for another owner": {
			func(b *builder, root *action.Transaction) {
				b.hipoMint(b.hipoDeposit(root, to(cell.BeginCell(), 20), 0), 3_900, 4_000)
			},
			[]string{"stake_deposit"}, want{"source": raw(20), "amount": 4_000},
		},
		"staked by a comment": {
			func(b *builder, root *action.Transaction) {
				b.hipoMint(b.hipo(root, 5_000, textBody("D")), 3_900, 4_000)
			},
			[]string{"stake_deposit"}, depositRow(4_000, 3_900, nil),
		},
		"staked at the end of the round, the request": {
			func(b *builder, root *action.Transaction) {
				treasury := b.hipoDeposit(root, nobody(), 4_000)
				tx := b.send(treasury, hipoParentAt, 300, hipoOwned(0x47daa10f, 4_000).MustStoreUInt(9, 32).EndCell())
				b.send(tx, stakeWallet, 200, hipoOwned(0x4cce0e74, 4_000).MustStoreUInt(9, 32).EndCell())
				b.hipoMintBill(treasury, 4_000, false)
			},
			[]string{"stake_deposit", "call_contract"}, depositRow(4_000, nil, raw(bill)),
		},
		"staked at the end of the round": {
			func(b *builder, root *action.Transaction) { b.hipoMint(b.hipoRoundEnd(root, 0x42684479), 3_900, 4_000) },
			[]string{"stake_deposit"}, depositRow(nil, 3_900, raw(bill)),
		},
		"the treasury rejects the deposit": {
			func(b *builder, root *action.Transaction) { b.bounce(b.abort(b.hipoDeposit(root, nobody(), 4_000))) },
			[]string{"stake_deposit", "call_contract"},
			want{"source": raw(staker), "success": false, "amount": 4_000, "staking_data": want{"tokens_minted": nil}},
		},
		"the treasury rejects a deposit of all coins": {
			func(b *builder, root *action.Transaction) { b.abort(b.hipoDeposit(root, nobody(), 0)) },
			[]string{"stake_deposit"}, want{"success": false, "amount": 5_000},
		},
		"the parent fails": {
			func(b *builder, root *action.Transaction) {
				treasury := b.hipoDeposit(root, nobody(), 4_000)
				b.bounce(b.abort(b.send(treasury, hipoParentAt, 300, hipoOwned(0x5be57626, 3_900, 4_000).EndCell())))
			},
			[]string{"stake_deposit", "call_contract", "call_contract"}, want{"success": false},
		},
		"unstaked at once": {
			func(b *builder, root *action.Transaction) { b.hipoPay(b.hipoUnstake(root), 55, 60) },
			[]string{"stake_withdrawal"}, withdrawalRow(raw(stakeWallet), 60, 55, nil),
		},
		"unstaked at the end of the round, the request": {
			func(b *builder, root *action.Transaction) { b.hipoMintBill(b.hipoUnstake(root), 55, true) },
			[]string{"stake_withdrawal_request", "call_contract"}, withdrawalRow(raw(stakeWallet), 55, 55, raw(bill)),
		},
		"unstaked at the end of the round": {
			func(b *builder, root *action.Transaction) { b.hipoPay(b.hipoRoundEnd(root, 0x7cffe1ee), 55, 60) },
			[]string{"stake_withdrawal"}, withdrawalRow(raw(stakeWallet), 60, 55, raw(bill)),
		},
		"postponed to a later round": {
			func(b *builder, root *action.Transaction) { b.hipoMintBill(b.hipoRoundEnd(root, 0x7cffe1ee), 55, true) },
			[]string{"stake_withdrawal_request", "call_contract"}, withdrawalRow(nil, 55, 55, raw(bill)),
		},
		"never paid, the tokens are returned": {
			func(b *builder, root *action.Transaction) { b.hipoReturn(b.hipoRoundEnd(root, 0x7cffe1ee), 55) },
			[]string{"stake_withdrawal"}, failed(withdrawalRow(raw(stakeWallet), nil, 55, raw(bill))),
		},
		"settled without the burn of the bill in the trace": {
			func(b *builder, root *action.Transaction) {
				b.hipoPay(b.hipo(root, 70, to(hipoOwned(0x7cffe1ee, 55), hipoParentAt).EndCell()), 55, 60)
			},
			[]string{"stake_withdrawal"}, withdrawalRow(raw(stakeWallet), 60, 55, nil),
		},
		"the treasury returns the tokens at once": {
			func(b *builder, root *action.Transaction) { b.hipoReturn(b.hipoUnstake(root), 55) },
			[]string{"call_contract", "call_contract", "call_contract", "call_contract", "call_contract"}, want{},
		},
		"a comment that the treasury does not accept": {
			func(b *builder, root *action.Transaction) { b.hipo(root, 5_000, textBody("deposit")) },
			[]string{"ton_transfer"}, want{},
		},
		"a deposit that cannot be read": {
			func(b *builder, root *action.Transaction) { b.hipo(root, 5_000, withQueryID(0x3d3761a6).EndCell()) },
			[]string{"call_contract"}, want{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, root := external(staker)
			tc.build(b, root)
			requireRows(t, b, records{}, tc.kinds, tc.row)
			requireOwners(t, b.trace, records{})
		})
	}
}

// Any contract can send the messages of Hipo with any owner in them; only the treasury's are actions.
func TestHipo_OtherTreasuriesAreCalls(t *testing.T) {
	t.Parallel()
	other := account(99).String()
	for name, build := range map[string]func(*builder, *action.Transaction){
		"a deposit": func(b *builder, root *action.Transaction) {
			b.hipoMint(at(b.hipoDeposit(root, nobody(), 4_000), other), 3_900, 4_000)
		},
		"a deposit by a comment": func(b *builder, root *action.Transaction) {
			b.hipoMint(at(b.hipo(root, 5_000, textBody("d")), other), 3_900, 4_000)
		},
		"a withdrawal": func(b *builder, root *action.Transaction) { b.hipoPay(at(b.hipoUnstake(root), other), 55, 60) },
		"a request":    func(b *builder, root *action.Transaction) { b.hipoMintBill(at(b.hipoUnstake(root), other), 55, true) },
		"a settled deposit": func(b *builder, root *action.Transaction) {
			b.hipoMint(at(b.hipoRoundEnd(root, 0x42684479), other), 1, 1)
		},
		"a settled withdraw": func(b *builder, root *action.Transaction) {
			b.hipoPay(at(b.hipoRoundEnd(root, 0x7cffe1ee), other), 55, 60)
		},
	} {
		b, root := external(staker)
		build(b, root)
		actions, err := action.Classify(b.trace, records{})
		require.NoError(t, err)
		for _, a := range actions {
			require.Contains(t, []string{"call_contract", "ton_transfer"}, a.Type, name)
		}
	}
}

// With the record of the bill, its deployment is a mint beside the request.
func TestHipo_BillWithRecordIsMinted(t *testing.T) {
	t.Parallel()
	b, root := external(staker)
	b.hipoMintBill(b.hipoUnstake(root), 55, true)
	b.trace.Transactions[len(b.trace.Transactions)-1].OrigStatus = "nonexist"
	r := records{items: map[chain.Address]*action.NFTItem{account(bill): {Collection: new(account(bills))}}}
	requireRows(t, b, r, []string{"stake_withdrawal_request", "nft_mint", "contract_deploy"}, want{"staking_data": want{"ts_nft": raw(bill)}})
}
