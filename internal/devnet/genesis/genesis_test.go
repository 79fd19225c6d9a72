package genesis

import (
	"crypto/ed25519"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/layout"
)

func options() Options {
	return Options{Seed: [32]byte{1}, Time: 1_800_000_000, GlobalID: -777}
}

func readParams(t *testing.T, z *Zerostates) tlb.BlockchainConfig {
	t.Helper()
	st, err := layout.ParseState(z.Masterchain.Root)
	require.NoError(t, err)
	extra, err := layout.ParseMcExtra(st.Extra)
	require.NoError(t, err)
	return tlb.BlockchainConfig{Root: extra.Config}
}

// TestBuild_ClientLibraryReadsTheParameters reads back every parameter a network needs with the client library.
func TestBuild_ClientLibraryReadsTheParameters(t *testing.T) {
	t.Parallel()
	o := options()
	o.DNSRoot = address.MustParseRawAddr("-1:1111111111111111111111111111111111111111111111111111111111111111")
	z, err := Build(o)
	require.NoError(t, err)
	p := readParams(t, z)
	for _, id := range []uint32{0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 29, 31, 34, 40, 43, 44, 45} {
		_, err := p.GetParam(id)
		require.NoError(t, err, "parameter %d", id)
	}
	version, err := p.GetGlobalVersion()
	require.NoError(t, err)
	require.Equal(t, uint32(DefaultGlobalVersion), version.Version)
	root, err := p.GetDNSRootAddress()
	require.NoError(t, err)
	require.Equal(t, o.DNSRoot.Data(), root)
	gas, err := p.GetGasPrices(false)
	require.NoError(t, err)
	require.Equal(t, uint64(400<<16), gas.GasPrice)
	chains, err := p.GetWorkchains()
	require.NoError(t, err)
	value, err := chains.Workchains.LoadValueByUintKey(0)
	require.NoError(t, err)
	var descr tlb.WorkchainDescrV1
	require.NoError(t, tlb.LoadFromCell(&descr, value))
	require.Equal(t, z.Basechain.RootHash, descr.ZeroStateRootHash)
	require.Equal(t, z.Basechain.FileHash, descr.ZeroStateFileHash)
	set, err := p.GetCurrentValidators()
	require.NoError(t, err)
	require.IsType(t, tlb.ValidatorSetExt{}, set.Validators)
	_, err = tvm.PrepareBlockchainConfig(p.Root)
	require.NoError(t, err)
	for _, check := range []func() error{
		func() error { _, err := p.GetBlockLimits(true); return err },
		func() error { _, err := p.GetSizeLimitsConfig(); return err },
		func() error { _, err := p.GetConsensusConfig(); return err },
		func() error { _, err := p.GetCatchainConfig(); return err },
		func() error { _, err := p.GetMisbehaviourPunishmentConfig(); return err },
		func() error { _, err := p.GetSuspendedAddressList(); return err },
		func() error { _, err := p.GetPrecompiledContractsConfig(); return err },
		func() error { _, err := p.GetMandatoryParams(); return err },
		func() error { _, err := p.GetCriticalParams(); return err },
		func() error { _, err := p.GetConfigVotingSetup(); return err },
	} {
		require.NoError(t, check())
	}
}

// TestBuild_IsDeterministic also checks that every option has an effect.
func TestBuild_IsDeterministic(t *testing.T) {
	t.Parallel()
	first, err := Build(options())
	require.NoError(t, err)
	again, err := Build(options())
	require.NoError(t, err)
	require.Equal(t, first.Masterchain.Data, again.Masterchain.Data)
	require.Equal(t, first.Basechain.Data, again.Basechain.Data)
	for name, change := range map[string]func(*Options){
		"seed":      func(o *Options) { o.Seed[3]++ },
		"time":      func(o *Options) { o.Time++ },
		"global id": func(o *Options) { o.GlobalID-- },
		"account": func(o *Options) {
			o.Accounts = []Account{{Address: masterchainAddress(0x77), Balance: 1}}
		},
	} {
		o := options()
		change(&o)
		other, err := Build(o)
		require.NoError(t, err)
		require.NotEqual(t, first.Masterchain.RootHash, other.Masterchain.RootHash, name)
	}
}

func TestBuild_InvalidOptionsAreRefused(t *testing.T) {
	t.Parallel()
	for name, accounts := range map[string][]Account{
		"twice":     {{Address: masterchainAddress(7)}, {Address: masterchainAddress(7)}},
		"none":      {{Address: address.NewAddressNone()}},
		"nil":       {{}},
		"workchain": {{Address: address.NewAddress(0, 5, make([]byte, 32))}},
	} {
		o := options()
		o.Accounts = accounts
		_, err := Build(o)
		require.Error(t, err, name)
	}
}

// TestBuild_ContainsTheAccounts reads genesis accounts back from the state.
func TestBuild_ContainsTheAccounts(t *testing.T) {
	t.Parallel()
	code, data := cell.BeginCell().MustStoreUInt(1, 8).EndCell(), cell.BeginCell().MustStoreRef(cell.BeginCell().EndCell()).EndCell()
	active := Account{Address: address.NewAddress(0, 0, append(make([]byte, 31), 1)), Balance: 5e9, Code: code, Data: data}
	uninit := Account{Address: address.NewAddress(0, 0, append(make([]byte, 31), 2)), Balance: 7e9}
	o := options()
	o.Accounts = []Account{active, uninit}
	z, err := Build(o)
	require.NoError(t, err)
	var st tlb.ShardStateUnsplit
	require.NoError(t, tlb.Parse(&st, z.Basechain.Root))
	for _, want := range o.Accounts {
		value, err := st.Accounts.ShardAccounts.LoadValue(cell.BeginCell().MustStoreSlice(want.Address.Data(), 256).EndCell())
		require.NoError(t, err)
		var record tlb.ShardAccount
		require.NoError(t, tlb.LoadFromCell(&record, value))
		var got tlb.AccountState
		require.NoError(t, tlb.Parse(&got, record.Account))
		require.Equal(t, want.Balance, got.Balance.Nano().Uint64())
		require.Equal(t, o.Time, got.StorageInfo.LastPaid)
		if want.Code == nil {
			require.EqualValues(t, tlb.AccountStatusUninit, got.Status)
			require.Equal(t, int64(1), got.StorageInfo.StorageUsed.CellsUsed.Int64())
			continue
		}
		require.EqualValues(t, tlb.AccountStatusActive, got.Status)
		require.Equal(t, code.Hash(), got.StateInit.Code.Hash())
		require.Equal(t, int64(4), got.StorageInfo.StorageUsed.CellsUsed.Int64())
	}
	state, err := layout.ParseState(z.Basechain.Root)
	require.NoError(t, err)
	require.Equal(t, int64(12e9), state.TotalBalance.Nano.Int64())
}

func TestKeys_DependOnSeedAndPurpose(t *testing.T) {
	t.Parallel()
	a, b := ValidatorKey([32]byte{1}, 0), ValidatorKey([32]byte{2}, 0)
	require.NotEqual(t, a, b)
	require.NotEqual(t, a, ValidatorKey([32]byte{1}, 1))
	require.NotEqual(t, a, ConfigKey([32]byte{1}))
	require.Equal(t, a, ValidatorKey([32]byte{1}, 0))
	id, err := NodeIDShort(a.Public().(ed25519.PublicKey))
	require.NoError(t, err)
	require.Len(t, id, 32)
}

// TestContracts_MatchTheSources compiles the fundamental contracts again. The compiler needs
// Node and an npm install in the folder of the other contracts.
func TestContracts_MatchTheSources(t *testing.T) {
	t.Parallel()
	missing := ""
	if _, err := exec.LookPath("node"); err != nil {
		missing = "node is not installed"
	} else if _, err := os.Stat(filepath.Join("..", "contracts", "tolk", "node_modules", "@ton", "tolk-js")); err != nil {
		missing = "@ton/tolk-js is not installed: run npm install in internal/devnet/contracts/tolk"
	}
	if missing != "" {
		require.NotEqual(t, "1", os.Getenv("TONQL_REQUIRE_NODE"), "TONQL_REQUIRE_NODE=1, but %s", missing)
		t.Skip(missing)
	}
	cmd := exec.CommandContext(t.Context(), "node", "compile.mjs", "--check")
	cmd.Dir = "tolk"
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestBuild_EveryGlobalVersionHasItsSizeLimits reads parameter 43: version 15 has its long form, with limits of all
// messages of a transaction behind the fields of the shorter one.
func TestBuild_EveryGlobalVersionHasItsSizeLimits(t *testing.T) {
	t.Parallel()
	for version := uint32(MinGlobalVersion); version <= MaxGlobalVersion; version++ {
		o := options()
		o.GlobalVersion = version
		z, err := Build(o)
		require.NoError(t, err)
		p := readParams(t, z)
		got, err := p.GetGlobalVersion()
		require.NoError(t, err)
		require.Equal(t, version, got.Version)
		require.NotZero(t, got.Capabilities&CapDeferMessages)
		root, err := p.GetParam(43)
		require.NoError(t, err)
		s := root.MustBeginParse()
		tag := s.MustLoadUInt(8)
		fields := []uint64{}
		for _, bits := range []uint{32, 32, 32, 16, 32, 16, 32, 32, 32, 32, 32, 8, 32} {
			fields = append(fields, s.MustLoadUInt(bits))
		}
		require.Equal(t, []uint64{1 << 21, 1 << 13, 1000, 512, 65535, 512, 1 << 16, 1 << 11, 256, 256, 2, 8, 26}, fields)
		require.Zero(t, s.MustLoadUInt(1), "no limit of library loads")
		if version < 15 {
			require.Equal(t, uint64(2), tag)
			require.Zero(t, s.BitsLeft())
			continue
		}
		require.Equal(t, uint64(3), tag)
		require.Equal(t, []uint64{5 << 20, 5 << 12}, []uint64{s.MustLoadUInt(32), s.MustLoadUInt(32)})
		require.Zero(t, s.BitsLeft())
	}
	for _, version := range []uint32{MinGlobalVersion - 1, MaxGlobalVersion + 1} {
		o := options()
		o.GlobalVersion = version
		_, err := Build(o)
		require.ErrorContains(t, err, "should be 13 to 15")
	}
}
