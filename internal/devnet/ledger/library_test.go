package ledger

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
)

// TestLibraries_AreUsableUntilWithdrawn publishes wallet code from a masterchain contract, runs a
// basechain wallet whose code is a reference to it, and withdraws it.
func TestLibraries_AreUsableUntilWithdrawn(t *testing.T) {
	t.Parallel()
	owner := newTestWallet(t, 1, -1, 1000e9)
	user := newTestWallet(t, 2, 0, 10e9)
	code := user.account.Code
	user.account.Code = contracts.LibraryCode(code)
	librarian := contracts.Librarian(owner.address)
	c := openChain(t, Options{Genesis: append(accountsOf(owner, user), genesis.Account{
		Address: librarian.Address, Balance: 10e9, Code: librarian.Init.Code, Data: librarian.Init.Data,
	})})
	mine(t, c, 1)
	require.Nil(t, c.Libraries())
	send := func(seqno uint32, body *cell.Cell) {
		m := contracts.Call(librarian.Address, 2e9, body)
		require.NoError(t, c.SendExternal(context.Background(), owner.transfer(t, seqno, m)))
		mine(t, c, 1)
	}
	var refused *ExternalError
	require.ErrorAs(t, c.SendExternal(context.Background(), user.transfer(t, 0, pay(owner.address, 1e6))), &refused)

	send(0, contracts.PublishLibrary(1, code))
	value, err := c.Libraries().AsDict(256).LoadValue(cell.BeginCell().MustStoreSlice(code.Hash(), 256).EndCell())
	require.NoError(t, err)
	require.Zero(t, value.MustLoadUInt(2))
	published, err := value.LoadRefCell()
	require.NoError(t, err)
	require.Equal(t, code.Hash(), published.Hash())
	publishers, err := value.MustToCell().AsDict(256).LoadAll()
	require.NoError(t, err)
	require.Len(t, publishers, 1)
	require.Equal(t, librarian.Address.Data(), publishers[0].Key.MustLoadSlice(256))

	require.NoError(t, c.SendExternal(context.Background(), user.transfer(t, 0, pay(owner.address, 1e6))))
	mine(t, c, 1)
	send(1, contracts.WithdrawLibrary(2, code))
	require.Nil(t, c.Libraries())
	require.ErrorAs(t, c.SendExternal(context.Background(), user.transfer(t, 1, pay(owner.address, 1e6))), &refused)
	r := replayAll(t, c)
	require.Positive(t, r.txs)
}

// TestLibraries_OfTheZerostateHaveAllPublishers publishes libraries in the zerostate, by two publishers.
func TestLibraries_OfTheZerostateHaveAllPublishers(t *testing.T) {
	t.Parallel()
	a, b := newTestWallet(t, 1, -1, 10e9), newTestWallet(t, 2, -1, 10e9)
	lib := cell.BeginCell().MustStoreUInt(7, 32).EndCell()
	libs := cell.NewDict(256)
	entry := cell.BeginCell().MustStoreBoolBit(true).MustStoreRef(lib).EndCell()
	require.NoError(t, libs.Set(cell.BeginCell().MustStoreSlice(lib.Hash(), 256).EndCell(), entry))
	a.account.Libraries, b.account.Libraries = libs, libs
	c := openChain(t, Options{Genesis: accountsOf(a, b)})
	mine(t, c, 1)
	value, err := c.Libraries().AsDict(256).LoadValue(cell.BeginCell().MustStoreSlice(lib.Hash(), 256).EndCell())
	require.NoError(t, err)
	value.MustLoadUInt(2)
	value.MustLoadRef()
	publishers, err := value.MustToCell().AsDict(256).LoadAll()
	require.NoError(t, err)
	require.Len(t, publishers, 2)
}
