package trace

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// jvaultData makes the data of a stake wallet, whose pool is 1, and of a pool, whose deposits are in the wallet 6.
func jvaultData() (wallet, pool chain.BOC) {
	account := func(n byte) *address.Address {
		id := make([]byte, 32)
		id[31] = n
		return address.NewAddress(0, 0, id)
	}
	empty := cell.BeginCell().EndCell()
	w := cell.BeginCell().MustStoreAddr(account(1)).MustStoreAddr(account(2)).MustStoreAddr(account(3)).MustStoreRef(empty)
	p := cell.BeginCell().MustStoreBoolBit(true).MustStoreUInt(51, 32).
		MustStoreAddr(account(4)).MustStoreAddr(account(5)).MustStoreAddr(account(6)).MustStoreBoolBit(false).
		MustStoreRef(empty).MustStoreRef(empty).MustStoreRef(empty)
	return w.EndCell().ToBOC(), p.EndCell().ToBOC()
}

// A request that the stake wallet rejects reaches neither the pool nor its wallet: only the data of the contracts name them.
func TestClassifier_RejectedUnstakeHasItsAsset(t *testing.T) {
	t.Parallel()
	walletData, poolData := jvaultData()
	request := cell.BeginCell().MustStoreUInt(opJVaultUnstakeRequest, 32).MustStoreUInt(1, 64).MustStoreCoins(500).EndCell()
	content := newPaymentTrace(request.ToBOC())
	sent := content.Transactions[1].In
	sent.Opcode = new(uint32(opJVaultUnstakeRequest))
	content.Transactions[1].Description = chain.TransactionDescription{Aborted: true, Compute: &chain.ComputePhase{ExitCode: 77}}
	pool, lock := chain.Address{ID: [32]byte{31: 1}}, chain.Address{ID: [32]byte{31: 6}}
	index := chain.TraceRecords{
		*sent.Destination: {Data: walletData, JettonWallet: &chain.JettonWallet{Jetton: chain.Address{ID: [32]byte{40}}}},
		pool:              {Data: poolData},
		lock:              {JettonWallet: &chain.JettonWallet{Jetton: chain.Address{ID: [32]byte{50}}}},
	}
	r := Classifier{}.Read(content)
	require.True(t, r.NeedsData())
	records := chain.TraceRecords{}
	for range chain.RecordRounds {
		for _, a := range r.Accounts(records) {
			if records[a] = index[a]; records[a] == nil {
				records[a] = &chain.TraceRecord{}
			}
		}
	}
	rows, err := r.Classify(records)
	require.NoError(t, err)
	at := slices.IndexFunc(rows, func(a chain.Action) bool { return a.Type == "jvault_unstake_request" })
	require.GreaterOrEqual(t, at, 0)
	var details map[string]any
	require.NoError(t, json.Unmarshal(rows[at].Details, &details))
	require.Equal(t, chain.Address{ID: [32]byte{50}}.String(), details["asset"])
	require.Equal(t, chain.Address{ID: [32]byte{40}}.String(), details["staking_asset"])
	require.Equal(t, pool.String(), details["pool"])
}

// The data of contracts are read for a trace with an order to a stake wallet or to a pool, whichever of its messages that is.
func TestReading_NeedsDataForOrdersToJVault(t *testing.T) {
	t.Parallel()
	for _, opcode := range []uint32{opJVaultUnstake, opJVaultUnstakeRequest} {
		for at := range 3 {
			content := newPaymentTrace(nil)
			sender := &content.Transactions[0]
			for i := range 2 {
				sender.Out = append(sender.Out, &chain.Message{Hash: chain.Hash{20, byte(i)}, Source: &sender.Account, Destination: &sender.Account, Opcode: new(uint32(0))})
			}
			sender.Out[at].Opcode = &opcode
			require.True(t, Classifier{}.Read(content).NeedsData(), "message %d with %#x", at, opcode)
		}
	}
}

func TestRecords_ReadJVaultDataOfExactLayout(t *testing.T) {
	t.Parallel()
	w, p := jvaultData()
	empty := cell.BeginCell().EndCell()
	r := records{{ID: [32]byte{9}}: {Data: w}, {ID: [32]byte{8}}: {Data: p}}
	require.Equal(t, byte(1), r.JVaultPool(chain.Address{ID: [32]byte{9}}).ID[31])
	require.Equal(t, byte(6), r.JVaultLockWallet(chain.Address{ID: [32]byte{8}}).ID[31])
	for _, other := range []chain.BOC{nil, {1, 2}, empty.ToBOC(), p} {
		require.Nil(t, stakeWalletsPool(other))
	}
	require.Nil(t, poolsLockWallet(w))
	require.Nil(t, r.JVaultPool(chain.Address{}))
}
