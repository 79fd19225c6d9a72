package actionphase_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/actionphase"
)

// The emulator with which transactions are compared has no version after 12, so the rules of later ones are tested here.

// list is a list of actions, each without the reference to those before it.
func list(actions ...*cell.Builder) *cell.Cell {
	c := cell.BeginCell().EndCell()
	for _, a := range actions {
		c = cell.BeginCell().MustStoreRef(c).MustStoreBuilder(a).EndCell()
	}
	return c
}

// send is an action that sends a value, with a body in a cell of its own unless body is nil, and with a source unless it is 0.
func send(mode uint64, value int64, source byte, body *cell.Cell) *cell.Builder {
	out := cell.BeginCell().MustStoreUInt(0b0100, 4)
	if source == 0 {
		out.MustStoreUInt(0, 2)
	} else {
		addressOf(out, source)
	}
	addressOf(out, 3).MustStoreBigCoins(big.NewInt(value)).MustStoreUInt(0, 1+4+4+64+32+1).MustStoreMaybeRef(body)
	return cell.BeginCell().MustStoreUInt(0x0ec3c86d, 32).MustStoreUInt(mode, 8).MustStoreRef(out.EndCell())
}

// A mode that no message may have, and a source that is another account, are errors that a mode can ignore since version 13.
func TestRedo_InvalidMessagesCanBeIgnoredSinceVersion13(t *testing.T) {
	t.Parallel()
	const unknown, ignores = 4, 2
	for _, c := range []struct {
		action *cell.Builder
		code   int64
	}{
		{send(unknown|ignores, 1, 0, nil), 34}, {send(128|64|ignores, 1, 0, nil), 34}, {send(ignores, 1, 9, nil), 35},
	} {
		_, p := redo(t, 12, list(c.action))
		require.Equal(t, c.code, p.code)
		require.False(t, p.success)
		for _, version := range []uint64{13, 15} {
			res, p := redo(t, version, list(c.action, send(1, 1e6, 1, nil)))
			require.True(t, p.success)
			require.EqualValues(t, 1, p.skipped)
			require.Len(t, res.Messages, 1)
		}
	}
	for version := uint64(12); version <= 15; version++ { // other modes ignore nothing
		_, p := redo(t, version, list(send(unknown, 1, 0, nil)))
		require.EqualValues(t, 34, p.code)
		_, p = redo(t, version, list(send(0, 1, 9, nil)))
		require.EqualValues(t, 35, p.code)
	}
}

// A message that took the value of the inbound one leaves nothing to return when a later action fails, until version 14, in which the
// inbound message has its value again.
func TestRedo_FailedListReturnsTheValueSinceVersion14(t *testing.T) {
	t.Parallel()
	const remaining, returns = 64, 16
	actions := list(send(remaining, 0, 0, nil), send(1|returns, 5e9, 0, nil))
	for version := uint64(12); version <= 15; version++ {
		res, p := redo(t, version, actions)
		require.EqualValues(t, 37, p.code)
		if version < 14 {
			require.Empty(t, res.Messages, version)
			continue
		}
		require.Len(t, res.Messages, 1, version)
		back := res.Messages[0].MustBeginParse()
		require.EqualValues(t, 0b0101, back.MustLoadUInt(4))
		back.MustLoadSlice(2 * 267)
		value := back.MustLoadBigCoins().Int64()
		require.Less(t, value, int64(1e9-1e6), "less the gas")
		require.Greater(t, value, int64(9e8))
	}
}

// Since version 15 a list that fails pays the fine for the cells of the messages that it had made, too.
func TestRedo_FailedListPaysForItsMessagesSinceVersion15(t *testing.T) {
	t.Parallel()
	body := cell.BeginCell().MustStoreUInt(1, 8).MustStoreRef(cell.BeginCell().MustStoreUInt(2, 8).EndCell()).EndCell()
	fees := func(version uint64, messages int) *big.Int {
		var actions []*cell.Builder
		for range messages {
			actions = append(actions, send(1, 1e6, 0, body))
		}
		_, p := redo(t, version, list(append(actions, send(1, 5e9, 0, nil))...))
		require.EqualValues(t, 37, p.code)
		if p.fees == nil {
			return new(big.Int)
		}
		return p.fees
	}
	require.Zero(t, fees(14, 2).Sign())
	one := fees(15, 1)
	require.Positive(t, one.Sign())
	require.Equal(t, new(big.Int).Mul(one, big.NewInt(2)), fees(15, 2))
	require.Zero(t, fees(15, 0).Sign())
}

// Since version 15 only accounts that the configuration names change their libraries, and only to public ones.
func TestRedo_LibrariesAreRefusedSinceVersion15(t *testing.T) {
	t.Parallel()
	library := cell.BeginCell().MustStoreUInt(7, 8).EndCell()
	change := func(mode uint64) *cell.Cell {
		return list(cell.BeginCell().MustStoreUInt(0x26fa1dd4, 32).MustStoreUInt(mode, 7).MustStoreBoolBit(true).MustStoreRef(library))
	}
	for _, mode := range []uint64{0, 1, 2} {
		_, p := redo(t, 14, change(mode))
		require.True(t, p.success, mode)
		_, p = redo(t, 15, change(mode))
		require.EqualValues(t, 46, p.code, mode)
	}
	code := cell.BeginCell().MustStoreUInt(0xFF00, 16).EndCell()
	for mode, want := range map[uint64]int64{0: 0, 1: 46, 2: 0} {
		before := accountAt(ofConfig(t), code)
		res, err := actionphase.Redo(configOf(t, 15), actionphase.Input{
			Account: before, Message: message(), Transaction: transaction(computed()), After: before, Actions: change(mode), Data: code,
		})
		require.NoError(t, err)
		require.Equal(t, want, phaseOf(res.Transaction).code, mode)
	}
}

// ofConfig is the address of the account of the configuration, which the configuration itself names.
func ofConfig(tb testing.TB) *cell.Builder {
	tb.Helper()
	first := mainnet.OpenFirstBlocks(tb)
	root, err := first.Config(tb.Context(), first.Zerostate)
	require.NoError(tb, err)
	id, err := tlb.BlockchainConfig{Root: root}.GetConfigAddress()
	require.NoError(tb, err)
	return cell.BeginCell().MustStoreUInt(4, 3).MustStoreUInt(0xFF, 8).MustStoreSlice(id, 256)
}

// computedWith is a compute phase with a gas limit, that ended with an exit code.
func computedWith(limit, exitCode uint64) *cell.Builder {
	details := cell.BeginCell().MustStoreBigVarUInt(big.NewInt(5000), 7).MustStoreBigVarUInt(new(big.Int).SetUint64(limit), 7).MustStoreBoolBit(true).
		MustStoreBigVarUInt(big.NewInt(10000), 3).MustStoreUInt(0, 8).MustStoreUInt(exitCode, 32).MustStoreBoolBit(false).MustStoreUInt(9, 32).MustStoreSlice(make([]byte, 64), 512)
	b := cell.BeginCell().MustStoreBoolBit(true).MustStoreBoolBit(exitCode == 0).MustStoreUInt(0, 2)
	return b.MustStoreBigCoins(new(big.Int)).MustStoreRef(details.EndCell())
}

// external is a message from outside.
func external(to *cell.Builder) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b10, 2).MustStoreUInt(0, 2).MustStoreBuilder(to).MustStoreUInt(0, 4+2).EndCell()
}

// externalTransaction is one with a message from outside and a compute phase, without the phases after it.
func externalTransaction(message *cell.Cell, compute *cell.Builder) *cell.Cell {
	return transactionOf(message, cell.BeginCell().MustStoreUInt(0, 4+3).MustStoreBuilder(compute).MustStoreUInt(0, 4).EndCell())
}

// An account that the configuration names has its gas before it accepts a message from outside, as a validator's vote, since version 5. The
// executor writes no limit for such messages, which is right for all other accounts, and for internal messages it writes the limit.
func TestRedo_MessagesFromOutsideHaveTheGasOfFundamentalAccountsSinceVersion5(t *testing.T) {
	t.Parallel()
	first := mainnet.OpenFirstBlocks(t)
	root, err := first.Config(t.Context(), first.Zerostate)
	require.NoError(t, err)
	prices, err := tlb.BlockchainConfig{Root: root}.GetGasPrices(true)
	require.NoError(t, err)
	code := cell.BeginCell().MustStoreUInt(0xFF00, 16).EndCell()
	for _, exitCode := range []uint64{0, 42} {
		for version := range uint64(16) {
			for name, address := range map[string]*cell.Builder{"of the configuration": ofConfig(t), "of another": addressOf(cell.BeginCell(), 1)} {
				before := accountAt(address, code)
				message := external(address)
				given := externalTransaction(message, computedWith(0, exitCode))
				res, err := actionphase.Redo(configOf(t, version), actionphase.Input{
					Account: before, Message: message, Transaction: given, After: before, Actions: cell.BeginCell().EndCell(), Data: code,
				})
				require.NoError(t, err)
				if res == nil {
					res = &actionphase.Result{Transaction: given}
				}
				details := res.Transaction.MustPeekRef(2).MustPeekRef(0).MustBeginParse()
				require.EqualValues(t, 5000, details.MustLoadVarUInt(7).Int64())
				var want uint64
				if name == "of the configuration" && version >= 5 {
					want = prices.SpecialGasLimit
				}
				require.Equal(t, want, details.MustLoadVarUInt(7).Uint64(), "%s %d", name, version)
				require.True(t, details.MustLoadBoolBit())
				require.EqualValues(t, 10000, details.MustLoadVarUInt(3).Int64(), "the rest is as it was")
				require.Equal(t, exitCode, details.MustLoadUInt(8+32))
			}
		}
	}
}
