package detect_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/detect"
	"tonql/indexer/mainnet"
	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/devnet/contracts"
)

// replayed decodes and executes the recorded block of the main network.
func replayed(tb testing.TB, fat *mainnet.FatBlock) (*replay.Network, *decode.Master) {
	tb.Helper()
	net := replay.NewNetwork(fat)
	m, err := decode.MasterBlock(tb.Context(), fat.Raw)
	require.NoError(tb, err)
	_, err = replay.New(net, replay.Options{}).Run(tb.Context(), m)
	require.NoError(tb, err)
	return net, m
}

// The number of workers and cached states of an earlier run must not change the rows.
func TestBatch_SameBlockHasSameRows(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	net, m := replayed(t, fat)
	var want chain.MasterBlock
	for i, workers := range []int{1, 2, 5} {
		d := detect.New(fat, net, detect.Options{Workers: workers})
		t.Cleanup(d.Close)
		batch := d.NewBatch()
		for range 2 {
			stats, err := batch.Run(t.Context(), m)
			require.NoError(t, err)
			require.Equal(t, len(fat.Accounts()), stats.Accounts)
			require.Equal(t, 6, stats.Undetected, "the recording lacks six masters")
			require.Zero(t, stats.Failed)
			require.Positive(t, stats.Gas)
		}
		if i == 0 {
			want = *m.MasterBlock
			continue
		}
		require.Equal(t, want.Contracts, m.Contracts)
		require.Equal(t, want.JettonTransfers, m.JettonTransfers)
		require.Equal(t, want.JettonBurns, m.JettonBurns)
		require.Equal(t, want.NFTTransfers, m.NFTTransfers)
	}
	interfaces := map[string]int{}
	for i := range want.Contracts {
		for _, name := range want.Contracts[i].Interfaces {
			interfaces[name]++
		}
	}
	require.Equal(t, 112, interfaces["wallet_v5r1"], "%v", interfaces)
	require.Equal(t, 83, interfaces["wallet_v4r2"], "%v", interfaces)
}

// Accounts that use up the gas of the first run are recorded by their code when the gas of the block is spent.
func TestBatch_WithoutGasOnlyCodeIsRecorded(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	net, m := replayed(t, fat)
	d := detect.New(fat, net, detect.Options{QuickGas: 500, BlockGas: 1})
	t.Cleanup(d.Close)
	stats, err := d.NewBatch().Run(t.Context(), m)
	require.NoError(t, err)
	require.Greater(t, stats.Undetected, 8)
	require.Len(t, m.Contracts, stats.Accounts)
	masters, named := 0, 0
	for i := range m.Contracts {
		if m.Contracts[i].JettonMaster != nil {
			masters++
		}
		if slices.Contains(m.Contracts[i].Interfaces, "jetton_master") {
			named++
		}
	}
	require.Equal(t, 3, named, "detected by the code")
	require.Less(t, masters, 3)
}

// richBlock replaces the code of accounts of the recorded block by that of Jetton masters with size bytes of content.
func richBlock(tb testing.TB, m *decode.Master, accounts, size int) (replaced []contract.State) {
	tb.Helper()
	text := contracts.OffchainContent(strings.Repeat("x", size))
	code := contracttest.Code(map[string]*cell.Cell{
		"get_jetton_data":    contracttest.MethodReturning(0, 5, -1, contracttest.Address("admin"), text, contracttest.Asm("")),
		"get_wallet_address": contracttest.Asm("30"),
	})
	seen := map[chain.Address]bool{}
	for i := range m.Transactions {
		a := m.Transactions[i].Account
		before := m.Final[a]
		if seen[a] || before == nil || before.Row.Status != chain.Active || len(replaced) == accounts {
			continue
		}
		seen[a] = true
		s := *before
		s.Code = code
		m.Final[a] = &s
		replaced = append(replaced, detect.StateOf(&s))
	}
	require.Len(tb, replaced, accounts)
	return replaced
}

// Contents share cells on the chain. When the facts of a block exceed the budget, the accounts after that are recorded by their code,
// independent of the number of workers, and a review detects them.
func TestBatch_FactsOfABlockAreBounded(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	net, m := replayed(t, fat)
	const rich, size, fit = 12, 50_000, 5
	states := richBlock(t, m, rich, size)
	for name, quick := range map[string]int64{"in the first run": 0, "with the full gas": 500} {
		var want []chain.Contract
		for _, workers := range []int{1, 3, 8} {
			d := detect.New(fat, net, detect.Options{QuickGas: quick, Workers: workers, BlockBytes: fit*size + size/2})
			t.Cleanup(d.Close)
			stats, err := d.NewBatch().Run(t.Context(), m)
			require.NoError(t, err)
			require.GreaterOrEqual(t, stats.Undetected, rich-fit)
			if want == nil {
				want = m.Contracts
			}
			require.Equal(t, want, m.Contracts, name)
		}
		byAccount := map[chain.Address]*chain.Contract{}
		small := 0
		for i := range want {
			byAccount[want[i].Account] = &want[i]
			if k := want[i].JettonMaster; k != nil && k.Content.Size() < 4<<10 {
				small++
			}
		}
		require.Positive(t, small, "small facts are recorded in any case")
		for i, s := range states {
			k := byAccount[s.Address]
			require.NotEmpty(t, k.Methods)
			require.Equal(t, i < fit, k.JettonMaster != nil, "%s: account %d of %d", name, i, rich)
		}
		d := detect.New(fat, net, detect.Options{QuickGas: quick, BlockBytes: 1})
		t.Cleanup(d.Close)
		_, _, err := d.NewReview().Detect(t.Context(), &m.Block, noAccounts{}, states, make([]uint32, rich))
		require.ErrorIs(t, err, detect.ErrTooMuch)
		for i := range states {
			records, stats, err := d.NewReview().Detect(t.Context(), &m.Block, noAccounts{}, states[i:i+1], make([]uint32, 1))
			require.NoError(t, err)
			require.Zero(t, stats.Undetected)
			require.Len(t, records[0].JettonMaster.Content["uri"], size)
		}
	}
}

// noAccounts is a snapshot of a network without accounts.
type noAccounts struct{}

func (noAccounts) State(context.Context, chain.Address) (contract.State, bool, error) {
	return contract.State{}, false, nil
}

// After an error of the network, another Run completes the block.
func TestBatch_RunsAgainAfterNetworkError(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	net, m := replayed(t, fat)
	src := &failingSource{Source: fat, fails: true}
	d := detect.New(src, net, detect.Options{})
	t.Cleanup(d.Close)
	batch := d.NewBatch()
	_, err := batch.Run(t.Context(), m)
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	src.fails = false
	stats, err := batch.Run(t.Context(), m)
	require.NoError(t, err)
	require.Positive(t, stats.Fetched)
	require.Len(t, m.Contracts, stats.Accounts)
}

// failingSource is a source whose accounts are unavailable while fails is set.
type failingSource struct {
	chain.Source
	fails bool
}

func (l *failingSource) Account(ctx context.Context, at chain.BlockIDExt, a chain.Address) (*chain.RawAccount, error) {
	if l.fails {
		return nil, &chain.Error{Kind: chain.Unavailable, Message: "no server responded"}
	}
	return l.Source.Account(ctx, at, a)
}

// BenchmarkFatBlock detects the 234 accounts of a full block of the main network.
func BenchmarkFatBlock(b *testing.B) {
	fat := mainnet.OpenFatBlock(b)
	net, m := replayed(b, fat)
	d := detect.New(fat, net, detect.Options{})
	b.Cleanup(d.Close)
	batch := d.NewBatch()
	b.ReportAllocs()
	for b.Loop() {
		_, err := batch.Run(b.Context(), m)
		require.NoError(b, err)
	}
	b.ReportMetric(float64(fat.TxCount*b.N)/b.Elapsed().Seconds(), "tx/s")
}

// attacked returns the recorded block with code that names three accounts of its own at each account, in the families of Jetton wallets, NFT items
// and orders of a multisig. The accounts do not exist.
func attacked(tb testing.TB, fat *mainnet.FatBlock) (*replay.Network, *decode.Master) {
	tb.Helper()
	net, m := replayed(tb, fat)
	const (
		seed   = "f828fa4431f815"                 // the own address becomes the seed of RANDU256
		random = "f810c87401cb027001ca07cbffc9d0" // an address of the basechain
	)
	names := contracttest.Account("names", map[string]*cell.Cell{
		"get_wallet_data": contracttest.Asm(seed + "75" + random + random + "c8c9"),
		"get_nft_data":    contracttest.Asm(seed + "7f75" + random + random + "c8c9"),
		"get_order_data":  contracttest.Asm(seed + "f81030f81030" + random + "756d6d6d6d6d6d6d"),
	})
	for _, s := range m.Final {
		if s != nil && s.Row.Status == chain.Active {
			s.Code, s.Data = names.Code, names.Data
		}
	}
	return net, m
}

// absentSource is a source of accounts that do not exist. It counts the requests.
type absentSource struct {
	chain.Source
	requests atomic.Int64
	atOnce   int64 // the first requests end when so many of them run
	together chan struct{}
	fails    int64 // the number of the request that fails

	goroutines atomic.Int64 // the most during a request
}

func (s *absentSource) Account(ctx context.Context, at chain.BlockIDExt, a chain.Address) (*chain.RawAccount, error) {
	if a.Workchain == chain.MasterchainID { // the root of the DNS
		return s.Source.Account(ctx, at, a)
	}
	n := s.requests.Add(1)
	for now := int64(runtime.NumGoroutine()); ; {
		if most := s.goroutines.Load(); now <= most || s.goroutines.CompareAndSwap(most, now) {
			break
		}
	}
	if n == s.fails {
		return nil, &chain.Error{Kind: chain.Unavailable, Message: "no server responded"}
	}
	if n == s.atOnce {
		close(s.together)
	}
	if n <= s.atOnce {
		select {
		case <-s.together:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return &chain.RawAccount{}, nil
}

// The accounts that a block names are fetched up to a number, some at a time, and the same ones whatever the number of workers.
func TestBatch_FetchesOfABlockAreBounded(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	net, m := attacked(t, fat)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	var want []chain.Contract
	for _, tc := range []struct {
		workers int
		fails   int64
	}{{workers: 1}, {workers: 7}, {workers: 3, fails: 100}} {
		src := &absentSource{Source: fat, atOnce: 8, together: make(chan struct{}), fails: tc.fails}
		d := detect.New(src, net, detect.Options{Workers: tc.workers})
		t.Cleanup(d.Close)
		batch := d.NewBatch()
		stats, err := batch.Run(ctx, m)
		if tc.fails > 0 {
			require.Equal(t, chain.Unavailable, chain.KindOf(err))
			stats, err = batch.Run(ctx, m)
		}
		require.NoError(t, err)
		repeated := 0.0
		if tc.fails > 0 {
			repeated = 16 // the group that failed
		}
		require.InDelta(t, 256, src.requests.Load(), repeated)
		require.Len(t, m.Contracts, stats.Accounts)
		require.Equal(t, stats.Accounts-64, stats.Undetected, "all but the first name one that is not fetched")
		if want == nil {
			want = m.Contracts
		}
		require.Equal(t, want, m.Contracts)
	}
}

// librarySource counts the libraries that are requested.
type librarySource struct {
	chain.Source
	requested atomic.Int64
}

func (s *librarySource) LibrariesAt(ctx context.Context, at chain.BlockIDExt, hashes []chain.Hash) (*chain.LibrarySet, error) {
	s.requested.Add(int64(len(hashes)))
	return s.Source.LibrariesAt(ctx, at, hashes)
}

// Codes of a block that name many libraries are recorded without detection, the same ones whatever the number of workers, and a review
// detects them.
func TestBatch_LibrariesOfABlockAreBounded(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	_, m := replayed(t, fat)
	const each, accounts = 60, 100
	var reviewed []contract.State
	for n, s := range richBlock(t, m, accounts, 10) {
		code := cell.BeginCell().MustStoreRef(s.Code)
		list := cell.BeginCell().EndCell()
		for i := range each {
			hash := append([]byte{byte(n), byte(i)}, make([]byte, 30)...)
			lib, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(hash, 256).EndCellSpecial(true)
			require.NoError(t, err)
			list = cell.BeginCell().MustStoreRef(list).MustStoreRef(lib).EndCell()
		}
		m.Final[s.Address].Code = code.MustStoreRef(list).EndCell()
		reviewed = append(reviewed, detect.StateOf(m.Final[s.Address]))
	}
	undetected := 0
	for _, workers := range []int{1, 4} {
		source := &librarySource{Source: fat}
		d := detect.New(fat, replay.NewNetwork(source), detect.Options{Workers: workers})
		t.Cleanup(d.Close)
		stats, err := d.NewBatch().Run(t.Context(), m)
		require.NoError(t, err)
		require.LessOrEqual(t, source.requested.Load(), int64(1024+100), "and those of accounts that others name")
		require.GreaterOrEqual(t, stats.Undetected, accounts-1024/contract.MaxLibraries)
		require.Less(t, stats.Undetected, accounts)
		if undetected > 0 {
			require.Equal(t, undetected, stats.Undetected)
		}
		undetected = stats.Undetected

		source.requested.Store(0)
		_, stats, err = d.NewReview().Detect(t.Context(), &m.Block, contracttest.Snapshot{}, reviewed, make([]uint32, len(reviewed)))
		require.NoError(t, err)
		require.Zero(t, stats.Undetected)
		require.Positive(t, source.requested.Load())
	}
}

// nestedLibraries are libraries that reference each other, by their hashes.
type nestedLibraries struct {
	chain.Source
	public map[chain.Hash]*cell.Cell

	mu        sync.Mutex
	requested map[chain.Hash]bool
}

func (s *nestedLibraries) LibrariesAt(_ context.Context, _ chain.BlockIDExt, hashes []chain.Hash) (*chain.LibrarySet, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	set := &chain.LibrarySet{Root: chain.Hash{1}, Found: map[chain.Hash]*cell.Cell{}}
	for _, h := range hashes {
		if lib := s.public[h]; lib != nil {
			set.Found[h] = lib
			s.requested[h] = true
		}
	}
	return set, nil
}

// level adds libraries that all reference each library of the level below, and returns a list of library cells of them.
func (s *nestedLibraries) level(t *testing.T, libraries int, below *cell.Cell) *cell.Cell {
	t.Helper()
	list := cell.BeginCell().EndCell()
	for i := range libraries {
		lib := cell.BeginCell().MustStoreUInt(uint64(i), 64).MustStoreRef(below).EndCell()
		s.public[chain.Hash(lib.HashKey())] = lib
		hash := lib.HashKey()
		ref, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(hash[:], 256).EndCellSpecial(true)
		require.NoError(t, err)
		list = cell.BeginCell().MustStoreRef(list).MustStoreRef(ref).EndCell()
	}
	return list
}

// Few libraries, each of which references all of the next level, are a tree of millions. Of a code, as many are fetched as its get-methods
// have, and each once.
func TestBatch_LibrariesThatReferenceLibrariesAreBounded(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	_, m := replayed(t, fat)
	const levels, each = 8, 6
	source := &nestedLibraries{Source: fat, public: map[chain.Hash]*cell.Cell{}, requested: map[chain.Hash]bool{}}
	list := cell.BeginCell().EndCell()
	for range levels {
		list = source.level(t, each, list)
	}
	s := richBlock(t, m, 1, 10)[0]
	m.Final[s.Address].Code = cell.BeginCell().MustStoreBuilder(s.Code.ToBuilder()).MustStoreRef(list).EndCell()
	d := detect.New(fat, replay.NewNetwork(source), detect.Options{})
	t.Cleanup(d.Close)
	_, err := d.NewBatch().Run(t.Context(), m)
	require.NoError(t, err)
	i := slices.IndexFunc(m.Contracts, func(k chain.Contract) bool { return k.Account == s.Address })
	require.NotNil(t, m.Contracts[i].JettonMaster)
	require.Len(t, source.requested, contract.MaxLibraries)
}

// Detections that wait for accounts hold what they have read, so not all of a block wait at once.
func TestBatch_FewDetectionsWaitAtOnce(t *testing.T) { //nolint:paralleltest // it counts goroutines
	fat := mainnet.OpenFatBlock(t)
	net, m := attacked(t, fat)
	src := &absentSource{Source: fat, atOnce: 1, together: make(chan struct{})}
	before := runtime.NumGoroutine()
	d := detect.New(src, net, detect.Options{})
	t.Cleanup(d.Close)
	stats, err := d.NewBatch().Run(t.Context(), m)
	require.NoError(t, err)
	require.Greater(t, stats.Accounts, 200)
	require.Less(t, int(src.goroutines.Load())-before, 120)
}
