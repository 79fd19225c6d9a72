package contract_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
)

// hostile lists get-methods that misbehave, with their code in hexadecimal digits.
var hostile = []struct {
	name   string
	code   string
	reason contract.Reason
	exit   int32
}{
	{"throws", "f22a", contract.Threw, 42},
	{"throws what the dispatcher throws", "f20b", contract.NoMethod, 11},
	{"wrong opcode", "fffe", contract.Threw, 6},
	{"pops an empty stack", "3030303030", contract.Threw, 2},
	{"prints shared cells", "c8c9803c99202020c8ccccccccc9e4fe00fe2030f22a", contract.Threw, 42},
	{"holds closures in closures", "90803c952090ec2f00e430f22a", contract.Threw, 42},
	{"accepts and loops for ever", "f8009100ea", contract.OutOfGas, -14},
	{"lifts its gas limit and loops for ever", "837ef8019100ea", contract.OutOfGas, -14},
	{"loops for ever", "9100ea", contract.OutOfGas, -14},
	{"fills the stack for ever", "9171ea", contract.OutOfGas, -14},
	{"calls itself for ever", "82017b02ed43d8", contract.OutOfGas, -14},
	{"leaves 300 values", "81012c9171e4", contract.TooLarge, 0},
	{"leaves tuples inside tuples", "6f00810064926f01e4", contract.TooLarge, 0},
	{"leaves 200 cells inside each other", "c8c98100c893c8ccc9e4", contract.TooLarge, 0},
	{"leaves the same 51 cells 65 times", "c8c9803293c8ccc9e480409120e4", contract.TooLarge, 0},
	{"hashes for ever", "c8c99420f90030ea", contract.OutOfGas, -14},
	{"multiplies large numbers for ever", "837e942020a830ea", contract.OutOfGas, -14},
}

func TestRun_HostileMethodsEndWithinTheBudget(t *testing.T) {
	t.Parallel()
	budget := contract.DefaultBudget()
	budget.CellDepth, budget.Cells = 100, 1000
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{Budget: budget})
	for _, tc := range hostile {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			st := contracttest.Account(tc.name, map[string]*cell.Cell{"get_wallet_data": contracttest.Asm(tc.code)})
			start := time.Now()
			_, err := r.Run(t.Context(), &st, "get_wallet_data")
			var f *contract.Fault
			require.ErrorAs(t, err, &f)
			require.Equal(t, tc.reason, f.Reason, "%v", err)
			require.Equal(t, tc.exit, f.Exit)
			require.Less(t, time.Since(start), budget.Time)
			require.NotEqual(t, chain.Internal, chain.KindOf(err))
			require.NotEmpty(t, chain.PublicMessage(err))

			facts := contracttest.Detect(t, r, contracttest.Snapshot{}, st)
			require.Nil(t, facts.JettonWallet)
			require.Equal(t, []string{"jetton_wallet"}, facts.Interfaces, "the methods alone name the interface")
			require.LessOrEqual(t, facts.Gas, budget.Gas+1000, "gas is checked after each instruction")
		})
	}
}

// Every method of every interface is an endless loop.
func TestDetect_LoopsStayWithinTheBudget(t *testing.T) {
	t.Parallel()
	methods := map[string]*cell.Cell{}
	for _, i := range contract.AllInterfaces() {
		for _, m := range i.Methods {
			methods[m] = contracttest.Asm("9100ea")
		}
	}
	st := contracttest.Account("loops", methods)
	budget := contract.DefaultBudget()
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{Budget: budget})
	start := time.Now()
	facts := contracttest.Detect(t, r, contracttest.Snapshot{}, st)
	t.Logf("%d gas in %s", facts.Gas, time.Since(start))
	require.LessOrEqual(t, facts.Gas, budget.TotalGas+budget.Gas/10)
	require.Greater(t, len(facts.Interfaces), 50)
	facts.Interfaces, facts.Methods, facts.Gas = nil, nil, 0
	require.Zero(t, facts)
}

// A run that exceeds the time of the budget is a fault of the contract; a cancelled call is not.
func TestRun_EndsAtTheTimeOfTheBudget(t *testing.T) {
	t.Parallel()
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{},
		contract.Options{Parallel: 1, Budget: contract.Budget{Gas: 20_000_000, Time: time.Millisecond}})
	st := contracttest.Account("slow", map[string]*cell.Cell{"seqno": contracttest.Asm("9100ea")})
	_, err := r.Run(t.Context(), &st, "seqno")
	var f *contract.Fault
	require.ErrorAs(t, err, &f)
	require.Equal(t, contract.TooLong, f.Reason)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = r.Run(ctx, &st, "seqno")
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, contract.IsFault(err))
	_, err = contract.Detect(ctx, contracttest.Snapshot{}, r, contracttest.Account("x", map[string]*cell.Cell{"get_wallet_data": contracttest.Asm("71")}))
	require.Error(t, err)
	require.False(t, contract.IsFault(err))
}

// Results of wrong types are no records.
func TestDetect_ResultsOfWrongTypesAreNoRecords(t *testing.T) {
	t.Parallel()
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{})
	someone := contracttest.Address("someone")
	empty := cell.BeginCell().EndCell()
	for name, methods := range map[string]map[string]*cell.Cell{
		"wallet of integers":    {"get_wallet_data": contracttest.MethodReturning(0, 1, 2, 3, 4)},
		"wallet of nothing":     {"get_wallet_data": contracttest.MethodReturning(0)},
		"negative balance":      {"get_wallet_data": contracttest.MethodReturning(0, -5, someone, someone, empty)},
		"owner addr_none":       {"get_wallet_data": contracttest.MethodReturning(0, 5, (*chain.Address)(nil), someone, empty)},
		"owner cut short":       {"get_wallet_data": contracttest.MethodReturning(0, 5, "abc", someone, empty)},
		"wallet without code":   {"get_wallet_data": contracttest.MethodReturning(0, 5, someone, someone, nil)},
		"a continuation":        {"get_wallet_data": contracttest.Asm("9171")},
		"not a number":          {"get_wallet_data": contracttest.Asm("83ff")},
		"master of integers":    {"get_jetton_data": contracttest.MethodReturning(0, 1, 2, 3, 4, 5), "get_wallet_address": contracttest.Asm("")},
		"negative supply":       {"get_jetton_data": contracttest.MethodReturning(0, -1, -1, someone, empty, empty), "get_wallet_address": contracttest.Asm("")},
		"item of cells":         {"get_nft_data": contracttest.MethodReturning(0, empty, empty, empty, empty, empty)},
		"collection of nothing": {"get_collection_data": contracttest.MethodReturning(0, nil, nil, nil), "get_nft_address_by_index": contracttest.Asm("")},
		"sale of another kind":  {"get_sale_data": contracttest.MethodReturning(0, 0x12345678, 0, 0)},
		"sale cut short":        {"get_sale_data": contracttest.MethodReturning(0, 0x46495850, 0, 0)},
		"multisig of integers":  {"get_multisig_data": contracttest.MethodReturning(0, 1, 2, 3, 4), "get_order_address": contracttest.Asm("")},
		"signers of nonsense":   {"get_multisig_data": contracttest.MethodReturning(0, 1, 2, contracttest.Asm("ffff"), nil), "get_order_address": contracttest.Asm("")},
		"order of nonsense":     {"get_order_data": contracttest.MethodReturning(0, someone, 1, 300, 0, empty, 0, 0, 0, empty)},
		"vesting of nothing":    {"get_vesting_data": contracttest.MethodReturning(0, nil, nil, nil, nil, nil, nil, nil, nil)},
		"telemint of integers":  {"get_telemint_token_name": contracttest.MethodReturning(0, 1), "get_telemint_auction_state": contracttest.Asm("f20a"), "get_telemint_auction_config": contracttest.Asm("f20a")},
	} {
		facts := contracttest.Detect(t, r, contracttest.Snapshot{}, contracttest.Account(name, methods))
		require.NotNil(t, facts.Methods, name)
		facts.Interfaces, facts.Methods, facts.Gas = nil, nil, 0
		require.Zero(t, facts, name)
	}
}

// An account without code has no facts; get-methods run without data.
func TestDetect_StatesWithoutCodeOrDataHaveNoFacts(t *testing.T) {
	t.Parallel()
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{})
	none := contract.State{Address: contracttest.Address("none")}
	require.Zero(t, contracttest.Detect(t, r, contracttest.Snapshot{}, none))
	_, err := r.Run(t.Context(), &none, "seqno")
	require.Equal(t, chain.NotFound, chain.KindOf(err))

	dataless := contracttest.Account("dataless", map[string]*cell.Cell{"seqno": contracttest.MethodReturning(0, 1)})
	dataless.Data = nil
	res, err := r.Run(t.Context(), &dataless, "seqno")
	require.NoError(t, err)
	require.Equal(t, int64(1), res.Read().Int64())
	_, err = r.Run(t.Context(), &dataless, "no_such_method")
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	_, err = r.Run(t.Context(), &dataless, "seqno", struct{}{})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func BenchmarkHostileLoop(b *testing.B) {
	r := contracttest.Runner(b, mainnetBlock(b).env.Config.Root(), contract.Env{}, contract.Options{})
	for _, tc := range []struct{ name, code string }{
		{"nothing", "9100ea"}, {"push", "9171ea"}, {"multiply", "837e942020a830ea"}, {"tuples", "6f00926f01ea"},
	} {
		b.Run(tc.name, func(b *testing.B) {
			st := contracttest.Account(tc.name, map[string]*cell.Cell{"seqno": contracttest.Asm(tc.code)})
			for b.Loop() {
				if _, err := r.Run(b.Context(), &st, "seqno"); !contract.IsFault(err) {
					b.Fatal(err)
				}
			}
		})
	}
}
