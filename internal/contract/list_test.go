package contract_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/contract/getmethod"
)

// elector is the elector of the main network with elections that have n participants.
func elector(t *testing.T, n int) contract.State {
	t.Helper()
	first := mainnet.OpenFirstBlocks(t)
	head, err := first.Head(t.Context())
	require.NoError(t, err)
	a, err := chain.ParseAddress("-1:3333333333333333333333333333333333333333333333333333333333333333")
	require.NoError(t, err)
	raw, err := first.Account(t.Context(), head, a)
	require.NoError(t, err)
	state, err := decode.Account(a, chain.TransactionRef{}, raw.Root)
	require.NoError(t, err)
	members := cell.NewDict(256)
	for i := range n {
		key := make([]byte, 32)
		key[0], key[1], key[2] = byte(i*37), byte(i), byte(i>>8)
		member := cell.BeginCell().MustStoreBigCoins(big.NewInt(7e14)).MustStoreUInt(1_700_000_000, 32).MustStoreUInt(3<<16, 32).
			MustStoreSlice(key, 256).MustStoreSlice(key, 256).EndCell()
		require.NoError(t, members.Set(cell.BeginCell().MustStoreSlice(key, 256).EndCell(), member))
	}
	elect := cell.BeginCell().MustStoreUInt(1_800_000_000, 32).MustStoreUInt(1_800_000_900, 32).MustStoreBigCoins(big.NewInt(3e14)).
		MustStoreBigCoins(big.NewInt(3e17)).MustStoreDict(members).MustStoreBoolBit(false).MustStoreBoolBit(false).EndCell()
	data := cell.BeginCell().MustStoreMaybeRef(elect).MustStoreDict(nil).MustStoreDict(nil).MustStoreBigCoins(big.NewInt(0)).
		MustStoreUInt(0, 32).MustStoreSlice(make([]byte, 32), 256).EndCell()
	return contract.State{Address: a, Code: state.Code, Data: data}
}

func TestRun_ListOfElectionsHasAllParticipants(t *testing.T) {
	t.Parallel()
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{})
	for _, n := range []int{63, 64, 100} {
		st := elector(t, n)
		res, err := r.Run(t.Context(), &st, "participant_list")
		require.NoError(t, err)
		require.Len(t, res.Stack, 1)
		require.IsType(t, []any{}, res.Stack[0])
		list, ok := getmethod.ListItems(res.Stack[0].([]any)) //nolint:forcetypeassert // of that type
		require.True(t, ok)
		require.Len(t, list, n)
	}
}

// The elections of the main network have 300 to 400 participants.
func TestExecute_ElectionsFitTheBudgetOfCalls(t *testing.T) {
	t.Parallel()
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{Budget: contract.CallBudget()})
	st := elector(t, 1000)
	for _, method := range []string{"participant_list", "participant_list_extended"} {
		res, err := r.Run(t.Context(), &st, method)
		require.NoError(t, err, method)
		require.Greater(t, res.Gas, contract.DefaultBudget().Gas)
	}
}

// Values bound lists, levels bound all other tuples, also pairs that follow each other and do not end with null.
func TestRun_ListsAreBoundedByTheirValues(t *testing.T) {
	t.Parallel()
	budget := contract.DefaultBudget()
	budget.Gas, budget.Values = 4_000_000, 1000
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{Budget: budget})
	// PUSHNULL or 0; n PUSHINT; <{ 1 PUSHINT; SWAP; 2 TUPLE }> PUSHCONT; REPEAT
	pairs := func(end string, n int) string { return end + fmt.Sprintf("81%04x", n) + "9471016f02e4" }
	// A list of 50 values, n times within a list.
	lists := func(n int) string {
		return pairs("6d", 50) + "6d" + fmt.Sprintf("81%04x", n) + "9421016f02e4"
	}
	for name, tc := range map[string]struct {
		code   string
		detail string
	}{
		"a list":                            {pairs("6d", 999), ""},
		"a list that is too long":           {pairs("6d", 1000), "too many values"},
		"a list that is much too long":      {pairs("6d", 30_000), "too many values"},
		"pairs without an end":              {pairs("70", 64), ""},
		"too many pairs without an end":     {pairs("70", 65), "tuples nested too deep"},
		"far too many pairs without an end": {pairs("70", 30_000), "too many values"},
		"lists of a list":                   {lists(10), ""},
		"too many lists of a list":          {lists(1000), "too many values"},
	} {
		st := contracttest.Account("x", map[string]*cell.Cell{"list": contracttest.Asm(tc.code)})
		_, err := r.Run(t.Context(), &st, "list")
		if tc.detail == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, tc.detail, name)
	}
}
