package trace

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

func TestRecords_ReadJVaultDataOfExactLayout(t *testing.T) {
	t.Parallel()
	account := func(n byte) *address.Address {
		id := make([]byte, 32)
		id[31] = n
		return address.NewAddress(0, 0, id)
	}
	empty := cell.BeginCell().EndCell()
	wallet := cell.BeginCell().MustStoreAddr(account(1)).MustStoreAddr(account(2)).MustStoreAddr(account(3)).MustStoreRef(empty)
	pool := cell.BeginCell().MustStoreBoolBit(true).MustStoreUInt(51, 32).
		MustStoreAddr(account(4)).MustStoreAddr(account(5)).MustStoreAddr(account(6)).MustStoreBoolBit(false).
		MustStoreRef(empty).MustStoreRef(empty).MustStoreRef(empty)
	w, p := chain.BOC(wallet.EndCell().ToBOC()), chain.BOC(pool.EndCell().ToBOC())
	r := records{{ID: [32]byte{9}}: {Data: w}, {ID: [32]byte{8}}: {Data: p}}
	require.Equal(t, byte(1), r.JVaultPool(chain.Address{ID: [32]byte{9}}).ID[31])
	require.Equal(t, byte(6), r.JVaultLockWallet(chain.Address{ID: [32]byte{8}}).ID[31])
	for _, other := range []chain.BOC{nil, {1, 2}, empty.ToBOC(), p} {
		require.Nil(t, stakeWalletsPool(other))
	}
	require.Nil(t, poolsLockWallet(w))
	require.Nil(t, r.JVaultPool(chain.Address{}))
}
