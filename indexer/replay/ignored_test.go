package replay

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/boundedvm"
	"tonql/internal/chain"
)

// contract executes the message that deploys a contract under each global version of a recorded configuration.
type contract struct {
	config *cell.Cell
	code   *cell.Cell
}

func newContract(t *testing.T, text string, refs ...*cell.Cell) contract {
	t.Helper()
	first := mainnet.OpenFirstBlocks(t)
	config, err := first.Config(t.Context(), first.Zerostate)
	require.NoError(t, err)
	data, err := hex.DecodeString(text)
	require.NoError(t, err)
	b := cell.BeginCell().MustStoreSlice(data, uint(len(data))*8)
	for _, ref := range refs {
		b.MustStoreRef(ref)
	}
	return contract{config: config, code: b.EndCell()}
}

func (c contract) emulate(t *testing.T, version uint64, run *boundedvm.Run) func() (*tvm.TransactionExecutionResult, error) {
	t.Helper()
	dict := c.config.AsDict(32)
	param := cell.BeginCell().MustStoreUInt(0xC4, 8).MustStoreUInt(version, 32).MustStoreUInt(0x1EE, 64).EndCell()
	_, err := dict.SetBuilderWithMode(cell.BeginCell().MustStoreUInt(8, 32).EndCell(), cell.BeginCell().MustStoreRef(param), cell.DictSetModeSet)
	require.NoError(t, err)
	block, err := tvm.MustPrepareBlockchainConfig(dict.AsCell()).NewBlockContext(tvm.BlockOptions{
		Now: 1_600_000_000, BlockLT: 1_000_000, RandSeed: bytes.Repeat([]byte{7}, 32), Libraries: run.Libraries(nil),
	})
	require.NoError(t, err)
	state := &tlb.StateInit{Code: c.code, Data: cell.BeginCell().EndCell()}
	init, err := tlb.ToCell(state)
	require.NoError(t, err)
	to := address.NewAddress(0, 0, init.Hash())
	message, err := tlb.ToCell(&tlb.InternalMessage{
		IHRDisabled: true, SrcAddr: address.NewAddress(0, 0, make([]byte, 32)), DstAddr: to,
		Amount: tlb.FromNanoTON(big.NewInt(1_000_000_000)), StateInit: state, Body: cell.BeginCell().EndCell(),
	})
	require.NoError(t, err)
	return func() (*tvm.TransactionExecutionResult, error) {
		account, err := tvm.PrepareAccount(&tlb.ShardAccount{
			Account: cell.BeginCell().MustStoreBoolBit(false).EndCell(), LastTransHash: make([]byte, 32),
		}, to)
		require.NoError(t, err)
		prepared, err := tvm.PrepareMessage(message)
		require.NoError(t, err)
		return boundedvm.New().EmulateTransaction(block, account, prepared, tvm.TransactionOptions{LogicalTime: 1_000_001})
	}
}

// execute executes the contract as replay does.
func (c contract) execute(t *testing.T, version uint64) executed {
	t.Helper()
	run := boundedvm.Start(t.Context(), boundedvm.Limits{})
	defer run.Close()
	res, err := ignoring(run, uint32(version), c.emulate(t, version, run))
	require.NoError(t, err)
	require.NotNil(t, res.tx)
	return res
}

func phaseOf(t *testing.T, tx *cell.Cell) *tlb.ActionPhase {
	t.Helper()
	var parsed tlb.Transaction
	require.NoError(t, tlb.Parse(&parsed, tx))
	phase := actionPhase(&parsed)
	require.NotNil(t, phase)
	return phase
}

// uncounted is the transaction without the count of skipped messages.
func uncounted(t *testing.T, tx *cell.Cell) *cell.Cell {
	t.Helper()
	var parsed tlb.Transaction
	require.NoError(t, tlb.Parse(&parsed, tx))
	actionPhase(&parsed).SkippedActions = 0
	description, err := tlb.ToCell(parsed.Description)
	require.NoError(t, err)
	other, err := withRef(tx, int(tx.RefsNum())-1, description)
	require.NoError(t, err)
	return other
}

func coins(t *testing.T, amount int64, body *cell.Cell) *cell.Cell {
	t.Helper()
	message, err := tlb.ToCell(&tlb.InternalMessage{
		IHRDisabled: true, SrcAddr: address.NewAddressNone(), DstAddr: address.NewAddress(0, 0, make([]byte, 32)),
		Amount: tlb.FromNanoTON(big.NewInt(amount)), Body: body,
	})
	require.NoError(t, err)
	return message
}

// The node before version 8 ignores these messages as it does since, but does not count them.
func TestIgnoredMessages_BeforeVersion8AreNotCounted(t *testing.T) {
	t.Parallel()
	none := cell.BeginCell().EndCell()
	much, little := coins(t, 5_000_000_000, none), coins(t, 1000, none)
	send := func(mode string) string { return "88" + "80" + mode + "FB00" }
	reserve := "8103E8" + "70" + "FB02"
	for name, c := range map[string]struct {
		code    string
		refs    []*cell.Cell
		skipped uint16
		total   uint16
		created uint16
	}{
		"the only one":      {code: send("03"), refs: []*cell.Cell{much}, skipped: 1, total: 1},
		"the first":         {code: send("02") + send("01"), refs: []*cell.Cell{much, little}, skipped: 1, total: 2, created: 1},
		"the last":          {code: send("01") + send("03"), refs: []*cell.Cell{little, much}, skipped: 1, total: 2, created: 1},
		"two around others": {code: send("03") + reserve + send("01") + send("02"), refs: []*cell.Cell{much, little, much}, skipped: 2, total: 4, created: 1},
		"three in a row":    {code: send("03") + send("03") + send("03") + send("03"), refs: []*cell.Cell{much, much, much, little}, skipped: 3, total: 4, created: 1},
	} {
		contract := newContract(t, "F800"+c.code, c.refs...)
		later := contract.execute(t, countsIgnored)
		require.False(t, later.dropped, name)
		require.Equal(t, c.skipped, phaseOf(t, later.tx).SkippedActions, name)
		for version := range uint64(countsIgnored) {
			got := contract.execute(t, version)
			require.True(t, got.dropped, name)
			phase := phaseOf(t, got.tx)
			require.True(t, phase.Success, name)
			require.Zero(t, phase.SkippedActions, name)
			require.Equal(t, c.total, phase.TotalActions, name)
			require.Equal(t, c.created, phase.MessagesCreated, name)
			require.Equal(t, uncounted(t, later.tx).Hash(), got.tx.Hash(), "%s, version %d", name, version)
			require.Equal(t, later.NextAccount.ShardAccount().Account.Hash(), got.NextAccount.ShardAccount().Account.Hash(), name)
		}
	}
}

func TestIgnoredMessages_OtherFailuresStay(t *testing.T) {
	t.Parallel()
	much := coins(t, 5_000_000_000, cell.BeginCell().EndCell())
	for name, code := range map[string]string{
		"a mode that ignores nothing":     "88" + "8001" + "FB00",
		"the second one ignores nothing":  "88" + "20" + "8003" + "FB00" + "8001" + "FB00",
		"an action that is not a message": "88" + "30" + "82201DCD65000000" + "70" + "FB02",
	} {
		contract := newContract(t, "F800"+code, much)
		for version := range uint64(countsIgnored) {
			got := contract.execute(t, version)
			phase := phaseOf(t, got.tx)
			require.EqualValues(t, 37, phase.ResultCode, name)
			require.False(t, phase.Success, name)
			if version >= finesIgnored {
				require.Equal(t, uncounted(t, contract.execute(t, countsIgnored).tx).Hash(), got.tx.Hash(), "%s, version %d", name, version)
			}
		}
	}
}

// Actions that the code puts together itself have no places. The execution of the library stays, and differs.
func TestIgnoredMessages_ActionsMadeByHandStay(t *testing.T) {
	t.Parallel()
	much := coins(t, 5_000_000_000, cell.BeginCell().EndCell())
	list := cell.BeginCell().MustStoreUInt(0x0ec3c86d, 32).MustStoreUInt(3, 8).
		MustStoreRef(cell.BeginCell().EndCell()).MustStoreRef(much).EndCell()
	contract := newContract(t, "F800"+"88"+"ED55", list)
	for version := range uint64(countsIgnored) {
		got := contract.execute(t, version)
		require.False(t, got.dropped)
		require.EqualValues(t, 37, phaseOf(t, got.tx).ResultCode)
	}
}

// From version 4 on an account pays for the cells of an ignored message.
func TestIgnoredMessages_CellsAreFinedSinceVersion4(t *testing.T) {
	t.Parallel()
	body := cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreUInt(1, 8).EndCell()).EndCell()
	c := newContract(t, "F800"+"88"+"8003"+"FB00", coins(t, 5_000_000_000, body))
	later := c.execute(t, countsIgnored)
	require.NotNil(t, phaseOf(t, later.tx).TotalActionFees)
	for version := range uint64(countsIgnored) {
		got := c.execute(t, version)
		require.True(t, got.dropped)
		require.Nil(t, phaseOf(t, got.tx).TotalActionFees)
		require.NotEqual(t, later.NextAccount.ShardAccount().Account.Hash(), got.NextAccount.ShardAccount().Account.Hash())
	}
	fined, err := fined(later.TransactionExecutionResult)
	require.NoError(t, err)
	require.Equal(t, uncounted(t, later.tx).Hash(), fined.tx.Hash())
}

// The first blocks, under other versions. A contract that sends more than it has gives another transaction than the recorded
// one. Its fine may be the reason only where there was a fine that did not count the message. With the hash and the state of
// the execution, the transaction replays in every version.
func TestIgnoredMessages_AreReplayedInEveryVersion(t *testing.T) {
	t.Parallel()
	body := cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreUInt(1, 8).EndCell()).EndCell()
	code := newContract(t, "F800"+"88"+"8003"+"FB00", coins(t, 9_000_000_000_000_000_000, body)).code
	for _, version := range []uint32{0, 3, 4, 5, 6, 7, 8} {
		_, m, tx := replayWithCode(t, version, code, func(*chain.Block, *chain.Transaction) {})
		if version >= finesIgnored && version < countsIgnored {
			require.Equal(t, chain.OldRules, tx.Verification, version)
			continue
		}
		require.Equal(t, chain.Mismatch, tx.Verification, version)
		got := mismatchOf(t, m, tx)
		require.NotNil(t, got.Got)
		_, _, tx = replayWithCode(t, version, code, func(_ *chain.Block, tx *chain.Transaction) {
			tx.Hash, tx.StateHashAfter = *got.Got, *got.GotState
		})
		require.Equal(t, chain.Replayed, tx.Verification, version)
	}
}

func mismatchOf(t *testing.T, m *decode.Master, tx chain.Transaction) chain.ReplayMismatch {
	t.Helper()
	for _, mm := range m.Mismatches {
		if mm.TransactionKey == tx.Key() {
			return mm
		}
	}
	require.Fail(t, "no mismatch")
	return chain.ReplayMismatch{}
}
