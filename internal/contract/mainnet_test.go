package contract_test

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"golang.org/x/sync/errgroup"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract"
	_ "tonql/internal/contract/all"
)

// snapshot is a fixed set of states.
type snapshot map[chain.Address]contract.State

func (s snapshot) State(_ context.Context, a chain.Address) (contract.State, bool, error) {
	st, ok := s[a]
	return st, ok, nil
}

// recordedBlock is the input of detection from a recorded block.
type recordedBlock struct {
	states snapshot
	order  []chain.Address
	env    contract.Env
}

var (
	recordedOnce sync.Once
	recorded     *recordedBlock
)

// mainnetBlock returns the 234 account states before a basechain block of May 2026, with the configuration and
// libraries of that block.
func mainnetBlock(tb testing.TB) *recordedBlock {
	tb.Helper()
	recordedOnce.Do(func() { recorded = loadMainnet(tb) })
	require.NotNil(tb, recorded)
	return recorded
}

func loadMainnet(tb testing.TB) *recordedBlock {
	tb.Helper()
	fat := mainnet.OpenFatBlock(tb)
	at := chain.BlockIDExt{BlockID: fat.Parent}
	root, err := fat.Config(tb.Context(), at)
	require.NoError(tb, err)
	config, err := tvm.PrepareBlockchainConfig(root)
	require.NoError(tb, err)
	w := &recordedBlock{states: snapshot{}, env: contract.Env{Config: config, Now: 1_778_630_400, LT: 70_000_000_000_000}}
	libs := contract.LibraryMap{}
	for _, a := range fat.Accounts() {
		raw, err := fat.Account(tb.Context(), at, a)
		require.NoError(tb, err)
		w.order = append(w.order, a)
		st := stateOf(tb, a, raw)
		w.states[a] = st
		found, err := fat.Libraries(tb.Context(), contract.LibraryRefs(st.Code, st.Data))
		require.NoError(tb, err)
		maps.Copy(libs, found)
	}
	w.env.Libraries = libs
	return w
}

func stateOf(tb testing.TB, a chain.Address, raw *chain.RawAccount) contract.State {
	tb.Helper()
	st := contract.State{Address: a, LastTxLT: raw.LastTxLT}
	if raw.Root == nil {
		return st
	}
	var acc tlb.AccountState
	require.NoError(tb, acc.LoadFromCell(raw.Root.MustBeginParse()))
	if !acc.IsValid {
		return st
	}
	st.Balance = chain.Coins(acc.Balance.Nano().Uint64())
	if acc.Status == tlb.AccountStatusActive {
		st.Code, st.Data = acc.StateInit.Code, acc.StateInit.Data
	}
	return st
}

func newRunner(tb testing.TB, env contract.Env, o contract.Options) *contract.Runner {
	tb.Helper()
	m := contract.NewMachine(o)
	tb.Cleanup(m.Close)
	r, err := m.At(env)
	require.NoError(tb, err)
	return r
}

// Every record of the 234 accounts agrees with the results of their get-methods.
func TestDetect_MainnetRecordsAgreeWithGetMethods(t *testing.T) {
	t.Parallel()
	w := mainnetBlock(t)
	r := newRunner(t, w.env, contract.Options{})
	count := map[string]int{}
	var active, masters, wallets, collections int
	var maxGas int64
	for _, a := range w.order {
		st := w.states[a]
		facts, err := contract.Detect(t.Context(), w.states, r, st)
		require.NoError(t, err)
		if !st.Active() {
			require.Zero(t, facts)
			continue
		}
		active++
		maxGas = max(maxGas, facts.Gas)
		for _, name := range facts.Interfaces {
			count[name]++
		}
		if facts.Wallet != nil {
			requireWallet(t, r, &st, facts)
		}
		if facts.JettonMaster != nil {
			masters++
			requireMaster(t, r, &st, facts.JettonMaster)
		}
		if facts.JettonWallet != nil {
			wallets++
			requireJettonWallet(t, r, &st, facts.JettonWallet)
		}
		if facts.NFTCollection != nil {
			collections++
			require.Equal(t, "https://nft.fragment.com/collection/poolfloat.json", facts.NFTCollection.Content["uri"])
			require.Equal(t, "-1", facts.NFTCollection.NextItemIndex.String())
		}
	}
	require.Len(t, w.order, 234)
	require.Equal(t, 233, active)
	require.Equal(t, map[string]int{
		"wallet_v5r1": 112, "wallet_v4r2": 83, "wallet_v3r2": 12, "wallet_v3r1": 2, "wallet_highload_v3r1": 8,
		"jetton_master": 3, "jetton_wallet": 2, "jetton_wallet_governed": 6, "nft_collection": 1,
		"dedust_pool": 1, "moon_pool": 1, "stonfi_pool_v2": 1, "dedust_vault": 1, "stonfi_router": 1,
		"stonfi_router_v2": 1, "daolama_vault": 1, "tonstake_pool": 1,
	}, count)
	require.Equal(t, 3, masters)
	require.Equal(t, 2, wallets, "the two whose master is recorded too; the other six name one that is not")
	require.Equal(t, 1, collections)
	require.Less(t, maxGas, int64(60_000), "gas of the most expensive account")
}

// run returns the values of a get-method, or nil when the contract has no such method.
func run(t *testing.T, r *contract.Runner, st *contract.State, method string) []any {
	t.Helper()
	res, err := r.Run(t.Context(), st, method)
	if err != nil {
		require.True(t, contract.IsFault(err), "%v", err)
		return nil
	}
	return res.Stack
}

func requireWallet(t *testing.T, r *contract.Runner, st *contract.State, facts contract.Facts) {
	t.Helper()
	info := facts.Wallet
	require.Equal(t, []string{info.Name}, facts.Interfaces)
	if stack := run(t, r, st, "seqno"); stack != nil {
		require.Equal(t, stack[0].(*big.Int).Uint64(), uint64(*info.Seqno))
	} else {
		require.Nil(t, info.Seqno)
	}
	if stack := run(t, r, st, "get_public_key"); stack != nil {
		require.Equal(t, stack[0].(*big.Int).FillBytes(make([]byte, 32)), info.PublicKey[:])
	}
	if stack := run(t, r, st, "get_subwallet_id"); stack != nil {
		require.Equal(t, uint32(stack[0].(*big.Int).Int64()), *info.WalletID)
	}
	if stack := run(t, r, st, "is_signature_allowed"); stack != nil {
		require.Equal(t, stack[0].(*big.Int).Sign() != 0, *info.IsSignatureAllowed)
	} else {
		require.Nil(t, info.IsSignatureAllowed)
	}
}

func requireMaster(t *testing.T, r *contract.Runner, st *contract.State, m *chain.JettonMaster) {
	t.Helper()
	stack := run(t, r, st, "get_jetton_data")
	require.Equal(t, stack[0].(*big.Int).String(), m.TotalSupply.String())
	require.Equal(t, stack[1].(*big.Int).Sign() != 0, m.Mintable)
	require.Equal(t, chain.Hash(stack[4].(*cell.Cell).HashKey()), m.WalletCodeHash)
	require.NotEmpty(t, m.Content["uri"])
}

func requireJettonWallet(t *testing.T, r *contract.Runner, st *contract.State, w *chain.JettonWallet) {
	t.Helper()
	stack := run(t, r, st, "get_wallet_data")
	require.Equal(t, stack[0].(*big.Int).String(), w.Balance.String())
	owner, err := contract.LoadAddress(stack[1].(*cell.Slice).Copy())
	require.NoError(t, err)
	require.Equal(t, *owner, w.Owner)
	master, err := contract.LoadAddress(stack[2].(*cell.Slice).Copy())
	require.NoError(t, err)
	require.Equal(t, *master, w.Jetton)
}

// The facts of an account do not depend on the runs at the same time.
func TestDetect_ParallelCallsAgree(t *testing.T) {
	t.Parallel()
	w := mainnetBlock(t)
	r := newRunner(t, w.env, contract.Options{Parallel: 4})
	want := make([]contract.Facts, len(w.order))
	for i, a := range w.order {
		var err error
		want[i], err = contract.Detect(t.Context(), w.states, r, w.states[a])
		require.NoError(t, err)
	}
	var group errgroup.Group
	for range 4 {
		group.Go(func() error {
			for i, a := range w.order {
				got, err := contract.Detect(t.Context(), w.states, r, w.states[a])
				if err != nil {
					return err
				}
				if !reflect.DeepEqual(want[i], got) {
					return fmt.Errorf("account %s differs", a)
				}
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
}

// A wallet that names a well-known master, at an address that is not the master's for it, is no wallet of the Jetton.
func TestDetect_FakeJettonWalletIsNotConfirmed(t *testing.T) {
	t.Parallel()
	w := mainnetBlock(t)
	r := newRunner(t, w.env, contract.Options{})
	genuine, err := chain.ParseAddress("0:93503D3A286A25F9BDE372166FB330B1B2490F00AB1FE0F5293B6CB61F811219")
	require.NoError(t, err)
	fake := w.states[genuine]
	fake.Address.ID[0] ^= 1
	facts, err := contract.Detect(t.Context(), w.states, r, fake)
	require.NoError(t, err)
	require.Nil(t, facts.JettonWallet)
	facts, err = contract.Detect(t.Context(), w.states, r, w.states[genuine])
	require.NoError(t, err)
	require.NotNil(t, facts.JettonWallet)
}

func BenchmarkDetectMainnet(b *testing.B) {
	w := mainnetBlock(b)
	m := contract.NewMachine(contract.Options{})
	b.Cleanup(m.Close)
	r, err := m.At(w.env)
	require.NoError(b, err)
	var gas int64
	b.ReportAllocs()
	for b.Loop() {
		gas = 0
		for _, a := range w.order {
			facts, err := contract.Detect(b.Context(), w.states, r, w.states[a])
			if err != nil {
				b.Fatal(err)
			}
			gas += facts.Gas
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(w.order)), "µs/account")
	b.ReportMetric(float64(gas)/float64(len(w.order)), "gas/account")
}
