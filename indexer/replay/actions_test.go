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
	"tonql/internal/actionphase"
	"tonql/internal/boundedvm"
	"tonql/internal/chain"
)

// contract executes the message that deploys a contract under each global version of a recorded configuration, and corrects the transaction.
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

func (c contract) execute(t *testing.T, version uint64) *tvm.TransactionExecutionResult {
	t.Helper()
	run := boundedvm.Start(t.Context(), boundedvm.Limits{})
	defer run.Close()
	dict := c.config.AsDict(32)
	param := cell.BeginCell().MustStoreUInt(0xC4, 8).MustStoreUInt(version, 32).MustStoreUInt(0x1EE, 64).EndCell()
	_, err := dict.SetBuilderWithMode(cell.BeginCell().MustStoreUInt(8, 32).EndCell(), cell.BeginCell().MustStoreRef(param), cell.DictSetModeSet)
	require.NoError(t, err)
	config, err := newBlockConfig(dict.AsCell())
	require.NoError(t, err)
	block, err := config.NewBlockContext(tvm.BlockOptions{
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
	account, err := tvm.PrepareAccount(&tlb.ShardAccount{
		Account: cell.BeginCell().MustStoreBoolBit(false).EndCell(), LastTransHash: make([]byte, 32),
	}, to)
	require.NoError(t, err)
	prepared, err := tvm.PrepareMessage(message)
	require.NoError(t, err)
	res, err := boundedvm.New().EmulateTransaction(block, account, prepared, tvm.TransactionOptions{LogicalTime: 1_000_001})
	require.NoError(t, err)
	actions, err := config.actions()
	require.NoError(t, err)
	res, err = actionphase.Correct(actions, account, to, message, res)
	require.NoError(t, err)
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

func coins(t *testing.T, amount int64, body *cell.Cell) *cell.Cell {
	t.Helper()
	message, err := tlb.ToCell(&tlb.InternalMessage{
		IHRDisabled: true, SrcAddr: address.NewAddressNone(), DstAddr: address.NewAddress(0, 0, make([]byte, 32)),
		Amount: tlb.FromNanoTON(big.NewInt(amount)), Body: body,
	})
	require.NoError(t, err)
	return message
}

const (
	countsIgnored = 8 // first global version that counts ignored messages
	finesIgnored  = 4 // first global version that takes a fine for them
)

// A message whose mode ignores errors, and that cannot be sent, is left out. Before version 8 it is not counted.
func TestIgnoredMessages_AreCountedSinceVersion8(t *testing.T) {
	t.Parallel()
	none := cell.BeginCell().EndCell()
	much, little := coins(t, 5_000_000_000, none), coins(t, 1000, none)
	send := func(mode string) string { return "88" + "80" + mode + "FB00" }
	reserve := "8103E8" + "70" + "FB02"
	byHand := cell.BeginCell().MustStoreUInt(0x0ec3c86d, 32).MustStoreUInt(3, 8).MustStoreRef(none).MustStoreRef(much).EndCell()
	for name, c := range map[string]struct {
		code    string
		refs    []*cell.Cell
		skipped uint16
		total   uint16
		created uint16
	}{
		"the only one":        {code: send("03"), refs: []*cell.Cell{much}, skipped: 1, total: 1},
		"the first":           {code: send("02") + send("01"), refs: []*cell.Cell{much, little}, skipped: 1, total: 2, created: 1},
		"the last":            {code: send("01") + send("03"), refs: []*cell.Cell{little, much}, skipped: 1, total: 2, created: 1},
		"two around others":   {code: send("03") + reserve + send("01") + send("02"), refs: []*cell.Cell{much, little, much}, skipped: 2, total: 4, created: 1},
		"three in a row":      {code: send("03") + send("03") + send("03") + send("03"), refs: []*cell.Cell{much, much, much, little}, skipped: 3, total: 4, created: 1},
		"a list made by hand": {code: "88" + "ED55", refs: []*cell.Cell{byHand}, skipped: 1, total: 1},
	} {
		contract := newContract(t, "F800"+c.code, c.refs...)
		for version := range uint64(countsIgnored + 1) {
			phase := phaseOf(t, contract.execute(t, version).TransactionCell)
			require.True(t, phase.Success, name)
			require.Equal(t, c.total, phase.TotalActions, name)
			require.Equal(t, c.created, phase.MessagesCreated, name)
			if version < countsIgnored {
				require.Zero(t, phase.SkippedActions, name)
			} else {
				require.Equal(t, c.skipped, phase.SkippedActions, name)
			}
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
			phase := phaseOf(t, contract.execute(t, version).TransactionCell)
			require.EqualValues(t, 37, phase.ResultCode, name)
			require.False(t, phase.Success, name)
		}
	}
}

// From version 4 on an account pays for the cells of an ignored message.
func TestIgnoredMessages_CellsAreFinedSinceVersion4(t *testing.T) {
	t.Parallel()
	body := cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreUInt(1, 8).EndCell()).EndCell()
	c := newContract(t, "F800"+"88"+"8003"+"FB00", coins(t, 5_000_000_000, body))
	later := phaseOf(t, c.execute(t, countsIgnored).TransactionCell).TotalActionFees
	require.NotNil(t, later)
	for version := range uint64(countsIgnored) {
		fees := phaseOf(t, c.execute(t, version).TransactionCell).TotalActionFees
		if version < finesIgnored {
			require.Nil(t, fees)
		} else {
			require.Equal(t, later, fees, version)
		}
	}
}

// The first blocks, under other versions. A contract that sends more than it has gives another transaction than the recorded
// one. With the hash and the state of the execution, the transaction replays in every version.
func TestIgnoredMessages_AreReplayedInEveryVersion(t *testing.T) {
	t.Parallel()
	body := cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreUInt(1, 8).EndCell()).EndCell()
	code := newContract(t, "F800"+"88"+"8003"+"FB00", coins(t, 9_000_000_000_000_000_000, body)).code
	for _, version := range []uint32{0, 3, 4, 5, 6, 7, 8} {
		_, m, tx := replayWithCode(t, version, code, func(*chain.Block, *chain.Transaction) {})
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
