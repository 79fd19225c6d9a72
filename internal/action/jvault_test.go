package action_test

import (
	"testing"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
)

// The parties of JVault.
const (
	vaultUser, vaultStake, vaultPool, vaultLock, vaultUserWallet, vaultJetton, vaultToken = 1, 2, 3, 4, 5, 6, 7
)

func TestJVault_RefusedRequestsAreNotSuccessful(t *testing.T) {
	t.Parallel()
	r := jvaultRecords()
	// paid adds a transfer of Jettons from the pool to the user.
	paid := func(b *builder, from *action.Transaction) {
		tx := b.send(from, vaultLock, 500, transferJettons(300, vaultUser, vaultPool, nil))
		b.send(tx, vaultUserWallet, 400, receiveJettons(0x178d4519, 300, vaultPool))
	}
	// staked adds a transfer of Jettons from the user to the pool and returns the transaction of the stake wallet.
	staked := func(b *builder, root *action.Transaction) *action.Transaction {
		payload := op(0xc89a3ee4).MustStoreUInt(86400, 32).EndCell()
		tx := b.send(root, vaultUserWallet, 1000, transferJettons(300, vaultPool, vaultUser, payload))
		tx = b.send(tx, vaultLock, 900, receiveJettons(0x178d4519, 300, vaultUser))
		tx = b.send(tx, vaultPool, 800, op(0x7362d09c).EndCell())
		return b.send(tx, vaultStake, 700, op(0xd68a4ac1).EndCell())
	}
	unstake := func(code uint64) *cell.Cell { return op(code).MustStoreUInt(1, 64).MustStoreCoins(300).EndCell() }
	row := want{
		"source": raw(vaultUser), "source_secondary": raw(vaultStake), "destination": raw(vaultPool), "amount": 300,
		"asset": raw(vaultJetton), "asset2": raw(vaultToken),
	}
	for name, tc := range map[string]struct {
		build   func(*builder, *action.Transaction)
		kinds   []string
		row     want
		success bool
		opcode  any
	}{
		"a claim of Jettons whose dictionary has no end": {
			func(b *builder, root *action.Transaction) {
				claim := op(0x78d9f109).MustStoreUInt(1, 64).MustStoreMaybeRef(cellgraphtest.Dict(267, cell.BeginCell())).EndCell()
				tx := b.send(b.send(root, vaultStake, 1000, claim), vaultPool, 900, op(0x44bc1fe3).EndCell())
				paid(b, tx)
				b.send(tx, vaultUser, 300, op(0xae9307ce).EndCell())
			},
			[]string{"jvault_claim"},
			want{"source": raw(vaultUser), "source_secondary": raw(vaultStake), "destination": raw(vaultPool)},
			true, nil,
		},
		"a stake without a referrer": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(staked(b, root), vaultPool, 600, op(0xf5c5baa3).EndCell())
				b.send(tx, vaultUser, 500, op(0xae9307ce).EndCell())
			},
			[]string{"jvault_stake"},
			want{
				"source": raw(vaultUser), "source_secondary": raw(vaultUserWallet), "destination": raw(vaultPool),
				"asset": raw(vaultJetton), "amount": 300, "jvault_stake_data": want{"period": 86400, "stake_wallet": raw(vaultStake)},
			},
			true, nil,
		},
		"a stake that is cancelled": {
			func(b *builder, root *action.Transaction) {
				paid(b, b.send(staked(b, root), vaultPool, 600, op(0x9eada1d9).EndCell()))
			},
			[]string{"jvault_stake"}, want{"amount": 300}, false, nil,
		},
		"unstaked": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, vaultStake, 1000, unstake(0x499a9262))
				tx = b.send(tx, vaultPool, 900, op(0xf5c5baa3).EndCell())
				b.send(tx, 0x55, 5, textBody(""))
				paid(b, tx)
				b.send(tx, vaultUser, 300, op(0xae9307ce).EndCell())
			},
			[]string{"jvault_unstake"}, row, true, nil,
		},
		"not unstaked": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, vaultStake, 1000, unstake(0x499a9262))
				tx.Aborted, tx.ExitCode = true, 46
			},
			[]string{"jvault_unstake"}, row, false, 46,
		},
		"not unstaked, without gas": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, vaultStake, 1000, unstake(0x499a9262))
				tx.Aborted, tx.Skipped = true, true
			},
			[]string{"jvault_unstake"}, row, false, nil,
		},
		"unstaked, but the pool fails": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, vaultStake, 1000, unstake(0x499a9262))
				tx = b.send(tx, vaultPool, 900, op(0xf5c5baa3).EndCell())
				tx.Aborted, tx.ExitCode = true, 37
				b.bounce(tx)
			},
			[]string{"jvault_unstake", "call_contract", "call_contract"}, row, true, 0,
		},
		"unstaked, but the pool pays nothing": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, vaultStake, 1000, unstake(0x499a9262))
				tx = b.send(tx, vaultPool, 900, op(0xf5c5baa3).EndCell())
				b.send(tx, vaultUser, 300, op(0xae9307ce).EndCell())
			},
			[]string{"jvault_unstake", "call_contract", "call_contract"}, row, true, 0,
		},
		"not unstaked, the request bounces": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, vaultStake, 1000, unstake(0x499a9262))
				tx.Aborted, tx.ExitCode = true, 46
				b.bounce(tx)
			},
			[]string{"jvault_unstake", "call_contract"}, row, false, 46,
		},
		"requested, but the pool fails": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, vaultStake, 1000, unstake(0x0168d4b7))
				tx = b.send(tx, vaultPool, 900, op(0xf5c5baa3).EndCell())
				tx.Aborted = true
				b.bounce(tx)
			},
			[]string{"jvault_unstake_request", "call_contract", "call_contract"}, row, false, 0,
		},
		"requested": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, vaultStake, 1000, unstake(0x0168d4b7))
				tx = b.send(tx, vaultPool, 900, op(0xf5c5baa3).EndCell())
				b.send(b.send(tx, 0x55, 5, op(0x55c35b40).EndCell()), 0x56, 4, op(0x076ee4e0).EndCell())
				b.send(tx, vaultUser, 300, op(0xae9307ce).EndCell())
			},
			[]string{"jvault_unstake_request"}, row, true, nil,
		},
		"requested, with several referrers": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, vaultStake, 1000, unstake(0x0168d4b7))
				tx = b.send(tx, vaultPool, 900, op(0xf5c5baa3).EndCell())
				b.send(tx, vaultUser, 300, op(0xae9307ce).EndCell())
				for n, code := range []uint64{0x55c35b40, 0x55c35b40, 0x55c35b40, 0x55c35b40, 0x076ee4e0, 0x55c35b40, 0x076ee4e0} {
					tx = b.send(tx, 0x55+byte(n), 5, op(code).EndCell())
				}
				b.send(tx, 0x55, 3, op(0xd53276db).EndCell())
			},
			[]string{"jvault_unstake_request"}, row, true, nil,
		},
		"requested, with more referrers than are followed": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, vaultStake, 1000, unstake(0x0168d4b7))
				tx = b.send(tx, vaultPool, 900, op(0xf5c5baa3).EndCell())
				b.send(tx, vaultUser, 300, op(0xae9307ce).EndCell())
				for range 18 {
					tx = b.send(tx, 0x55, 5, op(0x55c35b40).EndCell())
				}
			},
			[]string{"jvault_unstake_request", "call_contract", "call_contract"}, row, true, nil,
		},
		"not allowed to request": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, vaultStake, 1000, unstake(0x0168d4b7))
				tx.Aborted, tx.ExitCode = true, 47
			},
			[]string{"jvault_unstake_request"}, row, false, 47,
		},
	} {
		b, root := external(vaultUser)
		tc.build(b, root)
		t.Log(name)
		requireRows(t, b, r, tc.kinds, tc.row)
		requireRows(t, b, r, tc.kinds, want{"success": tc.success, "opcode": tc.opcode})
	}
}

// jvaultRecords makes the records of a stake wallet, its pool and the wallet of the pool's deposits.
func jvaultRecords() extraRecords {
	return extraRecords{
		records: wallets([3]byte{vaultStake, vaultUser, vaultToken}, [3]byte{vaultLock, vaultPool, vaultJetton},
			[3]byte{vaultUserWallet, vaultUser, vaultJetton}),
		stakes: map[chain.Address]*chain.Address{account(vaultStake): new(account(vaultPool))},
		locks:  map[chain.Address]*chain.Address{account(vaultPool): new(account(vaultLock))},
	}
}

// Stakes and rewards have the amounts in the requests, also where a wallet transfers less.
func TestJVault_AmountsAreThoseOfTheRequests(t *testing.T) {
	t.Parallel()
	transfer := func(b *builder, from *action.Transaction, wallet, to, owner, receiver byte) *action.Transaction {
		payload := op(0xc89a3ee4).MustStoreUInt(86400, 32).EndCell()
		return b.send(b.send(from, wallet, 1000, transferJettons(300, to, owner, payload)), receiver, 900, receiveJettons(0x178d4519, 290, owner))
	}
	b, root := external(vaultUser)
	tx := b.send(transfer(b, root, vaultUserWallet, vaultPool, vaultUser, vaultLock), vaultPool, 800, op(0x7362d09c).EndCell())
	tx = b.send(b.send(tx, vaultStake, 700, op(0xd68a4ac1).EndCell()), vaultPool, 600, op(0xf5c5baa3).EndCell())
	b.send(tx, vaultUser, 500, op(0xae9307ce).EndCell())
	requireRows(t, b, jvaultRecords(), []string{"jvault_stake"}, want{"amount": 300})

	b, root = external(vaultUser)
	tx = b.send(b.send(root, vaultStake, 1000, op(0x78d9f109).MustStoreUInt(1, 64).MustStoreBoolBit(false).EndCell()), vaultPool, 900, op(0x44bc1fe3).EndCell())
	transfer(b, tx, vaultLock, vaultUser, vaultPool, vaultUserWallet)
	b.send(tx, vaultUser, 300, op(0xae9307ce).EndCell())
	requireRows(t, b, jvaultRecords(), []string{"jvault_claim"}, want{"jvault_claim_data": want{"claimed_amounts": []int{300}}})
}

func TestJVault_UnstakesNeedTheRecordsOfTheContracts(t *testing.T) {
	t.Parallel()
	unknownLock, unknownStake := jvaultRecords(), jvaultRecords()
	unknownLock.locks, unknownStake.stakes = nil, nil
	build := func(code uint64, confirmed bool) *builder {
		b, root := external(vaultUser)
		tx := b.send(root, vaultStake, 1000, op(code).MustStoreUInt(1, 64).MustStoreCoins(300).EndCell())
		if !confirmed {
			tx.Aborted, tx.ExitCode = true, 46
			return b
		}
		tx = b.send(tx, vaultPool, 900, op(0xf5c5baa3).EndCell())
		if code == 0x499a9262 {
			paid := b.send(tx, vaultLock, 500, transferJettons(300, vaultUser, vaultPool, nil))
			b.send(paid, vaultUserWallet, 400, receiveJettons(0x178d4519, 300, vaultPool))
		}
		b.send(tx, vaultUser, 300, op(0xae9307ce).EndCell())
		return b
	}
	for _, r := range []extraRecords{unknownLock, unknownStake} {
		requireRows(t, build(0x499a9262, false), r, []string{"call_contract"}, want{})
		requireRows(t, build(0x0168d4b7, false), r, []string{"call_contract"}, want{})
		requireRows(t, build(0x499a9262, true), r, []string{"jetton_transfer", "call_contract", "call_contract", "call_contract"}, want{})
		requireRows(t, build(0x0168d4b7, true), r, []string{"jvault_unstake_request"}, want{"destination": raw(vaultPool), "asset": nil, "success": true})
	}
	// The pool pays another Jetton than that of the deposits.
	other := jvaultRecords()
	other.wallets[account(vaultUserWallet)].Jetton = account(vaultToken)
	requireRows(t, build(0x499a9262, true), other, []string{"jetton_transfer", "call_contract", "call_contract", "call_contract"}, want{})
	requireRows(t, build(0x499a9262, true), jvaultRecords(), []string{"jvault_unstake"}, want{"asset": raw(vaultJetton), "asset2": raw(vaultToken)})
}
