package multisig_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
)

func newRunner(t *testing.T) *contract.Runner {
	t.Helper()
	config, err := mainnet.OpenFatBlock(t).Config(t.Context(), chain.BlockIDExt{})
	require.NoError(t, err)
	return contracttest.Runner(t, config, contract.Env{}, contract.Options{})
}

// members makes a dictionary of addresses by index.
func members(t testing.TB, names ...string) *cell.Cell {
	t.Helper()
	d := cell.NewDict(8)
	for i, n := range names {
		require.NoError(t, d.SetIntKey(big.NewInt(int64(i)), cell.BeginCell().MustStoreAddr(contracttest.Party(n)).EndCell()))
	}
	return d.AsCell()
}

func addresses(names ...string) []chain.Address {
	list := []chain.Address{}
	for _, n := range names {
		list = append(list, contracttest.Address(n))
	}
	return list
}

// wallet makes a multisig that returns the address of "order" for every order.
func wallet(t *testing.T, signers, proposers *cell.Cell) contract.State {
	t.Helper()
	return contracttest.Account("multisig", map[string]*cell.Cell{
		"get_multisig_data": contracttest.MethodReturning(0, 12, 2, signers, proposers),
		"get_order_address": contracttest.MethodReturning(1, contracttest.Address("order")),
	})
}

func TestDetect_MultisigHasItsMembers(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	st := wallet(t, members(t, "a", "b", "c"), members(t, "p"))
	facts := contracttest.Detect(t, r, contracttest.Snapshot{}, st)
	require.Equal(t, []string{"multisig_v2"}, facts.Interfaces)
	require.Equal(t, &chain.Multisig{
		Address: st.Address, NextOrderSeqno: big.NewInt(12), Threshold: 2, Signers: addresses("a", "b", "c"),
		Proposers: addresses("p"), CodeHash: st.CodeHash(), DataHash: st.DataHash(), LastTxLT: 77,
	}, facts.Multisig)

	facts = contracttest.Detect(t, r, contracttest.Snapshot{}, wallet(t, members(t, "a"), nil))
	require.Equal(t, []chain.Address{}, facts.Multisig.Proposers)
	require.Nil(t, contracttest.Detect(t, r, contracttest.Snapshot{}, wallet(t, nil, nil)).Multisig, "no signers")

	free := contracttest.Account("free", map[string]*cell.Cell{
		"get_multisig_data": contracttest.MethodReturning(0, -1, 1, members(t, "a"), nil), "get_order_address": contracttest.Asm(""),
	})
	require.Equal(t, "-1", contracttest.Detect(t, r, contracttest.Snapshot{}, free).Multisig.NextOrderSeqno.String())
}

func TestDetect_OrderIsConfirmedByItsMultisig(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	ms := wallet(t, members(t, "a", "b"), nil)
	snapshot := contracttest.Snapshot{}.Add(ms)
	body := members(t, "x") // any dictionary
	orderOf := func(values ...any) contract.State {
		return contracttest.Account("order", map[string]*cell.Cell{"get_order_data": contracttest.MethodReturning(0, values...)})
	}
	st := orderOf(ms.Address, 5, 2, 0, members(t, "a", "b"), 3, 2, 1_800_000_000, body)
	facts := contracttest.Detect(t, r, snapshot, st)
	require.Equal(t, []string{"multisig_order_v2"}, facts.Interfaces)
	require.Equal(t, &chain.MultisigOrder{
		Address: st.Address, Multisig: ms.Address, Seqno: big.NewInt(5), Threshold: new(2), SentForExecution: new(false),
		ApprovalsMask: big.NewInt(3), ApprovalsNum: new(2), Expiration: new(int64(1_800_000_000)),
		Order: chain.BOC(body.ToBOC()), Signers: addresses("a", "b"),
		CodeHash: st.CodeHash(), DataHash: st.DataHash(), LastTxLT: 77,
	}, facts.MultisigOrder)

	fresh := orderOf(ms.Address, 5, nil, nil, nil, nil, nil, nil, nil)
	facts = contracttest.Detect(t, r, snapshot, fresh)
	require.NotNil(t, facts.MultisigOrder, "not initialised yet")
	require.Nil(t, facts.MultisigOrder.Threshold)
	require.Empty(t, facts.MultisigOrder.Signers)

	fake := st
	fake.Address = contracttest.Address("fake")
	require.Nil(t, contracttest.Detect(t, r, snapshot, fake).MultisigOrder, "at another address")
	require.Nil(t, contracttest.Detect(t, r, contracttest.Snapshot{}, st).MultisigOrder, "no multisig yet")
	require.Nil(t, contracttest.Detect(t, r, snapshot, orderOf(ms.Address, 5, 2, 0, contracttest.Asm("ffff"), 3, 2, 0, body)).MultisigOrder)
}
