package boundedvm_test

import (
	"bytes"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/boundedvm"
)

// The library has the rules of every global version, and compares them with the node's emulator. These tests hold the VM of
// this package, with its own opcodes, against the versions that the node documents.

func TestVersions_OpcodesBeginWithTheirs(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, code string
		since      uint64
	}{
		{"CDATASIZE", "F941", 0},
		{"PREVMCBLOCKS", "F83400", 4}, {"GLOBALID", "F835", 4}, {"GASCONSUMED", "F807", 4}, {"HASHEXT_SHA256", "F90400", 4},
		{"ECRECOVER", "F912", 4}, {"P256_CHKSIGNU", "F914", 4}, {"RIST255_ADD", "F922", 4}, {"BLS_VERIFY", "F93000", 4},
		{"SENDMSG", "FB08", 4}, {"RUNVM 0", "DB4000", 4}, {"RUNVMX", "DB50", 4}, {"ADDDIVMOD", "A900", 4},
		{"GETGASFEE", "F836", 6}, {"GETSTORAGEFEE", "F837", 6}, {"GETFORWARDFEE", "F838", 6}, {"GETPRECOMPILEDGAS", "F839", 6},
		{"GETORIGINALFWDFEE", "F83A", 6}, {"CLEVEL", "D766", 6}, {"CHASHIX", "D770", 6},
		{"PREVMCBLOCKS_100", "F83402", 9}, {"SETCONTCTRMANY", "EDE301", 9}, {"TWEAK_ADD", "F913", 9},
		{"GETEXTRABALANCE", "F880", 10},
		{"INMSGPARAMS", "F88111", 11}, {"GETPARAMLONG 20", "F88114", 11}, {"INMSG_BOUNCE", "F890", 11},
		{"BTOS", "CF50", 12}, {"HASHBU", "F916", 12}, {"LDSTDADDR", "FA48", 12}, {"STSTDADDR", "FA52", 12},
	} {
		for version := range uint64(vm.MaxSupportedGlobalVersion + 1) {
			for name, machine := range map[string]*tvm.TVM{"New": boundedvm.New(), "NewLaunch": boundedvm.NewLaunch()} {
				res, _ := executeVersion(t, machine, version, codeOf(t, tc.code), millionGas)
				require.Equal(t, version < tc.since, res.ExitCode == 6, "%s in version %d of %s: exit code %d", tc.name, version, name, res.ExitCode)
			}
		}
	}
}

func TestVersions_RulesOfOpcodesChange(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		rule, code    string
		since         uint64
		before, after int64 // exit codes
	}{
		{"ROLL takes more than 255", "81012C" + "61", 4, 5, 2},
		{"a stack underflow comes first: PFXDICTSET", "707070" + "F470", 9, 7, 2},
	} {
		for version := range uint64(vm.MaxSupportedGlobalVersion + 1) {
			res, _ := executeVersion(t, boundedvm.New(), version, codeOf(t, tc.code), millionGas)
			want := tc.after
			if version < tc.since {
				want = tc.before
			}
			require.Equal(t, want, res.ExitCode, "%s, version %d", tc.rule, version)
		}
	}
}

// configsByVersion are the recorded configuration of the main network with every global version.
func configsByVersion(tb testing.TB) []*tvm.PreparedBlockchainConfig {
	tb.Helper()
	root := mainnetConfig(tb).Root()
	configs := make([]*tvm.PreparedBlockchainConfig, vm.MaxSupportedGlobalVersion+1)
	for version := range configs {
		dict := root.AsDict(32)
		param := cell.BeginCell().MustStoreUInt(0xC4, 8).MustStoreUInt(uint64(version), 32).MustStoreUInt(0x1EE, 64).EndCell()
		_, err := dict.SetBuilderWithMode(cell.BeginCell().MustStoreUInt(8, 32).EndCell(), cell.BeginCell().MustStoreRef(param), cell.DictSetModeSet)
		require.NoError(tb, err)
		configs[version] = tvm.MustPrepareBlockchainConfig(dict.AsCell())
	}
	return configs
}

// transact executes the message that deploys code.
func transact(tb testing.TB, config *tvm.PreparedBlockchainConfig, code *cell.Cell) *tlb.Transaction {
	tb.Helper()
	run := startRun(tb, tb.Context(), boundedvm.Limits{})
	block, err := config.NewBlockContext(tvm.BlockOptions{
		Now: 1_778_630_400, BlockLT: 70_000_000_000_000, RandSeed: bytes.Repeat([]byte{7}, 32), Libraries: run.Libraries(nil),
	})
	require.NoError(tb, err)
	state := &tlb.StateInit{Code: code, Data: cell.BeginCell().EndCell()}
	init, err := tlb.ToCell(state)
	require.NoError(tb, err)
	to := address.NewAddress(0, 0, init.Hash())
	account, err := tvm.PrepareAccount(&tlb.ShardAccount{Account: cell.BeginCell().MustStoreBoolBit(false).EndCell(), LastTransHash: make([]byte, 32)}, to)
	require.NoError(tb, err)
	message, err := tlb.ToCell(&tlb.InternalMessage{
		Bounce: true, IHRDisabled: true, SrcAddr: address.NewAddress(0, 0, make([]byte, 32)), DstAddr: to,
		Amount: tlb.FromNanoTON(big.NewInt(1_000_000_000)), StateInit: state, Body: cell.BeginCell().MustStoreUInt(0xABCDEF01, 32).EndCell(),
	})
	require.NoError(tb, err)
	prepared, err := tvm.PrepareMessage(message)
	require.NoError(tb, err)
	res, err := boundedvm.New().EmulateTransaction(block, account, prepared, tvm.TransactionOptions{LogicalTime: 70_000_000_000_001})
	require.NoError(tb, err)
	tx, err := res.ParseTransaction()
	require.NoError(tb, err)
	return tx
}

// exitCode is that of the compute phase.
func exitCode(tb testing.TB, tx *tlb.Transaction) int32 {
	tb.Helper()
	phase, ok := ordinaryOf(tb, tx).ComputePhase.Phase.(tlb.ComputePhaseVM)
	require.True(tb, ok)
	return phase.Details.ExitCode
}

func ordinaryOf(tb testing.TB, tx *tlb.Transaction) tlb.TransactionDescriptionOrdinary {
	tb.Helper()
	d, ok := tx.Description.(tlb.TransactionDescriptionOrdinary)
	require.True(tb, ok)
	return d
}

func TestVersions_ContractsSeeTheParametersOfTheirs(t *testing.T) {
	t.Parallel()
	// ACCEPT, c7 PUSHCTR, 0 INDEX, TLEN, 1000 ADDCONST, THROWANY
	code := codeOf(t, "F800"+"ED47"+"6F10"+"6F88"+"8103E8A0"+"F2F0")
	for version, config := range configsByVersion(t) {
		want := int32(1010)
		switch {
		case version >= 11:
			want = 1018
		case version >= 6:
			want = 1017
		case version >= 4:
			want = 1014
		}
		require.Equal(t, want, exitCode(t, transact(t, config, code)), version)
	}
}

// A message that cannot be paid: from version 4 on the account pays for its processing, from version 8 on a message that
// ignores errors is counted as skipped, and mode 16 is not valid before version 4.
func TestVersions_RefusedMessagesFollowTheirs(t *testing.T) {
	t.Parallel()
	message, err := tlb.ToCell(&tlb.InternalMessage{
		IHRDisabled: true, SrcAddr: address.NewAddressNone(), DstAddr: address.NewAddress(0, 0, make([]byte, 32)),
		Amount: tlb.FromNanoTON(big.NewInt(5_000_000_000)), Body: cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreUInt(1, 8).EndCell()).EndCell(),
	})
	require.NoError(t, err)
	send := func(mode int) *cell.Cell { return codeOf(t, fmt.Sprintf("F800"+"88"+"80%02X"+"FB00", mode), message) }
	for version, config := range configsByVersion(t) {
		d := ordinaryOf(t, transact(t, config, send(0)))
		require.EqualValues(t, 37, d.ActionPhase.ResultCode, version)
		fined := d.ActionPhase.TotalActionFees != nil && d.ActionPhase.TotalActionFees.Nano().Sign() > 0
		require.Equal(t, version >= 4, fined, version)
		require.Nil(t, d.BouncePhase, version)

		d = ordinaryOf(t, transact(t, config, send(16)))
		want := int32(37)
		if version < 4 {
			want = 34
		}
		require.Equal(t, want, d.ActionPhase.ResultCode, version)
		require.Equal(t, version >= 4, d.BouncePhase != nil, version)

		d = ordinaryOf(t, transact(t, config, send(2)))
		if version >= 8 { // before, the library does not ignore it: the replay does
			require.Zero(t, d.ActionPhase.ResultCode, version)
			require.EqualValues(t, 1, d.ActionPhase.SkippedActions, version)
		}
	}
}

// The random seed of an account: before version 8 the address enters with its form in front.
func TestVersions_RandomSeedsFollowTheirs(t *testing.T) {
	t.Parallel()
	code := codeOf(t, "F800"+"F826"+"C8CBFF"+"C9"+"ED54") // 6 GETPARAM, 256 STU, c4 POP
	seen := map[string][]int{}
	for version, config := range configsByVersion(t) {
		seed, err := config.NewBlockContext(tvm.BlockOptions{Now: 1, RandSeed: bytes.Repeat([]byte{7}, 32)})
		require.NoError(t, err)
		value, err := seed.AccountRandSeed(address.NewAddress(0, 0, unhex("0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20")))
		require.NoError(t, err)
		seen[string(value)] = append(seen[string(value)], version)
		require.Zero(t, exitCode(t, transact(t, config, code)), version)
	}
	require.Len(t, seen, 2)
	for _, versions := range seen {
		require.Contains(t, []int{8, vm.MaxSupportedGlobalVersion - 7}, len(versions))
	}
}

// Since version 15 only fundamental contracts change libraries, and nobody adds private ones.
func TestVersions_OnlyFundamentalContractsChangeLibraries(t *testing.T) {
	t.Parallel()
	library := cell.BeginCell().MustStoreUInt(1, 8).EndCell()
	for version, config := range configsByVersion(t) {
		for _, mode := range []string{"71", "72"} { // private, public
			want := int32(0)
			if version >= 15 {
				want = 46
			}
			d := ordinaryOf(t, transact(t, config, codeOf(t, "F800"+"88"+mode+"FB06", library))) // SETLIBCODE
			require.Equal(t, want, d.ActionPhase.ResultCode, "version %d, mode %s", version, mode)
		}
	}
}

// Since version 15 the fine for a failed action phase covers the messages before the one that failed.
func TestVersions_FinesCoverTheMessagesBeforeTheFailedOne(t *testing.T) {
	t.Parallel()
	message := func(amount int64) *cell.Cell {
		c, err := tlb.ToCell(&tlb.InternalMessage{
			IHRDisabled: true, SrcAddr: address.NewAddressNone(), DstAddr: address.NewAddress(0, 0, make([]byte, 32)),
			Amount: tlb.FromNanoTON(big.NewInt(amount)), Body: cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreUInt(1, 8).EndCell()).EndCell(),
		})
		require.NoError(t, err)
		return c
	}
	two := codeOf(t, "F800"+"88"+"8001FB00"+"88"+"8000FB00", message(1000), message(5_000_000_000))
	one := codeOf(t, "F800"+"88"+"8000FB00", message(5_000_000_000))
	fine := func(config *tvm.PreparedBlockchainConfig, code *cell.Cell) int64 {
		phase := ordinaryOf(t, transact(t, config, code)).ActionPhase
		require.EqualValues(t, 37, phase.ResultCode)
		require.NotNil(t, phase.TotalActionFees)
		return phase.TotalActionFees.Nano().Int64()
	}
	for version, config := range configsByVersion(t) {
		if version < 4 {
			continue // there are no fines
		}
		require.Equal(t, version >= 15, fine(config, two) > fine(config, one), version)
	}
}
