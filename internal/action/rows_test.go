package action_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// want has the expected columns of a row; one that is nil must be missing or null.
type want map[string]any

// extraRecords adds records that few kinds read.
type extraRecords struct {
	records

	nominators map[chain.Address]bool
	stakes     map[chain.Address]*chain.Address // JVault stake wallet to pool
	locks      map[chain.Address]*chain.Address // JVault pool to the wallet of its deposits
}

func (k extraRecords) NominatorPool(a chain.Address) bool              { return k.nominators[a] }
func (k extraRecords) JVaultPool(a chain.Address) *chain.Address       { return k.stakes[a] }
func (k extraRecords) JVaultLockWallet(a chain.Address) *chain.Address { return k.locks[a] }

// wallets makes records of Jetton wallets: account, owner, Jetton.
func wallets(of ...[3]byte) records {
	r := records{wallets: map[chain.Address]*action.JettonWallet{}}
	for _, w := range of {
		r.wallets[account(w[0])] = &action.JettonWallet{Owner: account(w[1]), Jetton: account(w[2])}
	}
	return r
}

// raw returns an account in the form of rows.
func raw(n byte) string { return account(n).String() }

// requireRows requires the types of the actions that have no parent, and columns of the row of the first type.
func requireRows(t *testing.T, b *builder, r action.Records, kinds []string, row want) {
	t.Helper()
	actions, err := action.Classify(b.trace, r)
	require.NoError(t, err)
	var top []string
	for _, a := range actions {
		if a.ParentID == "" {
			top = append(top, a.Type)
		}
	}
	require.ElementsMatch(t, kinds, top)
	at := slices.IndexFunc(actions, func(a *action.Action) bool { return a.Type == kinds[0] && a.ParentID == "" })
	requireColumns(t, row, columns(t, actions[at]))
}

func requireColumns(t *testing.T, row want, got map[string]any) {
	t.Helper()
	for name, value := range row {
		if data, ok := value.(want); ok {
			inner, isObject := got[name].(map[string]any)
			require.True(t, isObject, name)
			requireColumns(t, data, inner)
			continue
		}
		wanted, err := json.Marshal(value)
		require.NoError(t, err)
		found, err := json.Marshal(got[name])
		require.NoError(t, err)
		require.JSONEq(t, string(wanted), string(found), name)
	}
}

// transferJettons makes the request of an owner to a wallet, with a payload for the receiver; nil for none.
func transferJettons(amount uint64, to, owner byte, payload *cell.Cell) *cell.Cell {
	b := op(0x0f8a7ea5).MustStoreUInt(1, 64).MustStoreCoins(amount).MustStoreAddr(std(to)).
		MustStoreAddr(std(owner)).MustStoreBoolBit(false).MustStoreCoins(1)
	if payload == nil {
		return b.MustStoreBoolBit(false).EndCell()
	}
	return b.MustStoreBoolBit(true).MustStoreRef(payload).EndCell()
}

// receiveJettons makes the message to the receiving wallet.
func receiveJettons(code, amount uint64, from byte) *cell.Cell {
	return op(code).MustStoreUInt(1, 64).MustStoreCoins(amount).MustStoreAddr(std(from)).MustStoreAddr(std(from)).
		MustStoreCoins(1).MustStoreBoolBit(false).EndCell()
}
