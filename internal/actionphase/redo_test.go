package actionphase_test

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/actionphase"
	"tonql/internal/cellgraph/cellgraphtest"
)

const (
	now = 1_700_000_000
	lt  = 70_000_000_000_001
)

// configOf is the configuration of the first blocks with a global version.
func configOf(tb testing.TB, version uint64) *actionphase.Config {
	tb.Helper()
	first := mainnet.OpenFirstBlocks(tb)
	root, err := first.Config(tb.Context(), first.Zerostate)
	require.NoError(tb, err)
	dict := root.AsDict(32)
	param := cell.BeginCell().MustStoreUInt(0xC4, 8).MustStoreUInt(version, 32).MustStoreUInt(0x1EE, 64).EndCell()
	_, err = dict.SetBuilderWithMode(cell.BeginCell().MustStoreUInt(8, 32).EndCell(), cell.BeginCell().MustStoreRef(param), cell.DictSetModeSet)
	require.NoError(tb, err)
	config, err := actionphase.NewConfig(dict.AsCell())
	require.NoError(tb, err)
	return config
}

func addressOf(b *cell.Builder, id byte) *cell.Builder {
	data := make([]byte, 32)
	data[31] = id
	return b.MustStoreUInt(4, 3).MustStoreUInt(0, 8).MustStoreSlice(data, 256)
}

// account is an active account with a balance of one Toncoin, and the code.
func account(code *cell.Cell) *cell.Cell { return accountAt(addressOf(cell.BeginCell(), 1), code) }

func accountAt(address *cell.Builder, code *cell.Cell) *cell.Cell {
	b := cell.BeginCell().MustStoreBoolBit(true).MustStoreBuilder(address)
	b.MustStoreBigVarUInt(big.NewInt(3), 7).MustStoreBigVarUInt(big.NewInt(100), 7).MustStoreUInt(0, 3).MustStoreUInt(now, 32).MustStoreBoolBit(false)
	b.MustStoreUInt(lt-1000, 64).MustStoreBigCoins(big.NewInt(1e9)).MustStoreBoolBit(false).MustStoreBoolBit(true).MustStoreUInt(0, 2)
	return b.MustStoreMaybeRef(code).MustStoreMaybeRef(cell.BeginCell().MustStoreUInt(1, 8).EndCell()).MustStoreBoolBit(false).EndCell()
}

// message is internal, without a body and with the value of one Toncoin; it can be returned.
func message() *cell.Cell {
	b := addressOf(addressOf(cell.BeginCell().MustStoreUInt(0b0110, 4), 2), 1)
	return b.MustStoreBigCoins(big.NewInt(1e9)).MustStoreBoolBit(false).MustStoreUInt(0, 8).MustStoreUInt(lt-1, 64).MustStoreUInt(now, 32).MustStoreUInt(0, 2).EndCell()
}

// transaction is one with the phases before the action phase: no storage fees, the credit of the message, and a compute phase.
func transaction(compute *cell.Builder) *cell.Cell {
	description := cell.BeginCell().MustStoreUInt(0, 5).MustStoreBoolBit(true).MustStoreUInt(0, 6).MustStoreBoolBit(true).MustStoreBoolBit(false).
		MustStoreBigCoins(big.NewInt(1e9)).MustStoreBoolBit(false).MustStoreBuilder(compute).EndCell()
	return transactionOf(message(), description)
}

// transactionOf is one with a message and a description.
func transactionOf(message, description *cell.Cell) *cell.Cell {
	messages := cell.BeginCell().MustStoreMaybeRef(message).MustStoreBoolBit(false).EndCell()
	update := cell.BeginCell().MustStoreUInt(0x72, 8).MustStoreSlice(make([]byte, 64), 512).EndCell()
	return cell.BeginCell().MustStoreUInt(7, 4).MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(lt, 64).MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(0, 64).
		MustStoreUInt(now, 32).MustStoreUInt(0, 15).MustStoreUInt(0b1010, 4).MustStoreRef(messages).MustStoreUInt(0, 5).MustStoreRef(update).MustStoreRef(description).EndCell()
}

// computed is a successful compute phase that cost a million nanotons.
func computed() *cell.Builder {
	details := cell.BeginCell().MustStoreUInt(0, 3+3+1+8+32+1+32).MustStoreSlice(make([]byte, 64), 512).EndCell()
	return cell.BeginCell().MustStoreUInt(0b1100, 4).MustStoreBigCoins(big.NewInt(1e6)).MustStoreRef(details)
}

// sends is a list of actions that send messages with the modes.
func sends(modes ...uint64) *cell.Cell {
	list := cell.BeginCell().EndCell()
	for _, mode := range modes {
		out := addressOf(cell.BeginCell().MustStoreUInt(0b0100, 4).MustStoreUInt(0, 2), 3).MustStoreBigCoins(big.NewInt(15e8)).
			MustStoreUInt(0, 1+4+4+64+32+2).EndCell()
		list = cell.BeginCell().MustStoreRef(list).MustStoreUInt(0x0ec3c86d, 32).MustStoreUInt(mode, 8).MustStoreRef(out).EndCell()
	}
	return list
}

// phase are the fields of TrActionPhase that the tests read.
type phase struct {
	success, valid, noFunds bool
	forward, fees           *big.Int // nil without
	code                    int64
	total, created, skipped uint64
}

func redo(t *testing.T, version uint64, actions *cell.Cell) (*actionphase.Result, phase) {
	t.Helper()
	code := cell.BeginCell().MustStoreUInt(0xFF00, 16).EndCell()
	res, err := actionphase.Redo(configOf(t, version), actionphase.Input{
		Account: account(code), Message: message(), Transaction: transaction(computed()), After: account(code), Actions: actions, Data: cell.BeginCell().EndCell(),
	})
	require.NoError(t, err)
	return res, phaseOf(res.Transaction)
}

// phaseOf reads the action phase of a transaction.
func phaseOf(tx *cell.Cell) (p phase) {
	s := tx.MustPeekRef(2).MustPeekRef(1).MustBeginParse()
	p.success, p.valid, p.noFunds = s.MustLoadBoolBit(), s.MustLoadBoolBit(), s.MustLoadBoolBit()
	if s.MustLoadBoolBit() {
		s.MustLoadUInt(1)
	}
	for _, fees := range []**big.Int{&p.forward, &p.fees} {
		if s.MustLoadBoolBit() {
			*fees = s.MustLoadBigCoins()
		}
	}
	p.code = s.MustLoadInt(32)
	if s.MustLoadBoolBit() {
		s.MustLoadUInt(32)
	}
	p.total = s.MustLoadUInt(16)
	s.MustLoadUInt(16)
	p.skipped, p.created = s.MustLoadUInt(16), s.MustLoadUInt(16)
	return p
}

// Two messages of 1.5 Toncoin each cannot both be sent. Before version 4 the phase names the fees of the first one, which nobody pays; since
// then its fees are the fine, which is zero for a message without cells.
func TestRedo_FeesOfAFailedListAreTheFineSinceVersion4(t *testing.T) {
	t.Parallel()
	for _, version := range []uint64{0, 3, 4, 8, 12} {
		res, p := redo(t, version, sends(1, 1))
		require.Equal(t, phase{valid: true, noFunds: true, forward: p.forward, fees: p.fees, code: 37, total: 2, created: 1}, p)
		require.NotNil(t, p.forward)
		require.Equal(t, version < 4, p.fees != nil, version)
		require.Empty(t, res.Messages)
	}
}

func TestRedo_IgnoredMessagesAreCountedSinceVersion8(t *testing.T) {
	t.Parallel()
	for _, version := range []uint64{0, 4, 7, 8, 12} {
		res, p := redo(t, version, sends(1, 3))
		require.True(t, p.success)
		require.EqualValues(t, 1, p.created)
		require.Equal(t, version >= 8, p.skipped == 1, version)
		require.Len(t, res.Messages, 1)
	}
}

// Before version 4 mode 16 is refused; since then it returns the message.
func TestRedo_Mode16ReturnsTheMessageSinceVersion4(t *testing.T) {
	t.Parallel()
	_, p := redo(t, 3, sends(16))
	require.EqualValues(t, 34, p.code)
	res, p := redo(t, 4, sends(1, 17))
	require.EqualValues(t, 37, p.code)
	require.Len(t, res.Messages, 1)
	returned := res.Messages[0].MustBeginParse()
	require.EqualValues(t, 0b0101, returned.MustLoadUInt(4)) // bounced
}

// A list with an action of no valid form is refused before any of its actions is performed.
func TestRedo_InvalidListsAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	list := cell.BeginCell().MustStoreRef(sends(1)).MustStoreUInt(0xDEADBEEF, 32).EndCell()
	res, p := redo(t, 8, list)
	require.Equal(t, phase{code: 34, total: 2}, p)
	require.Empty(t, res.Messages)
}

// A list has at most 255 actions, and no cell of it is special.
func TestRedo_LongAndSpecialListsAreRefused(t *testing.T) {
	t.Parallel()
	setCode := cell.BeginCell().MustStoreUInt(0xad4de08e, 32).MustStoreRef(cell.BeginCell().EndCell())
	actions := make([]*cell.Builder, 255)
	for i := range actions {
		actions[i] = setCode
	}
	_, p := redo(t, 12, list(actions...))
	require.Equal(t, phase{success: true, valid: true, total: 255}, p)
	_, p = redo(t, 12, list(slices.Concat(actions, actions[:1])...))
	require.Equal(t, phase{code: 33}, p)
	library, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(make([]byte, 32), 256).EndCellSpecial(true)
	require.NoError(t, err)
	_, p = redo(t, 12, library)
	require.Equal(t, phase{code: 32}, p)
	_, p = redo(t, 12, cell.BeginCell().MustStoreRef(library).MustStoreBuilder(setCode).EndCell())
	require.Equal(t, phase{code: 32}, p)
	_, p = redo(t, 12, cell.BeginCell().MustStoreBuilder(setCode).EndCell().MustPeekRef(0)) // an empty cell is the empty list
	require.Equal(t, phase{success: true, valid: true}, p)
	_, p = redo(t, 12, cell.BeginCell().MustStoreUInt(1, 1).EndCell())
	require.Equal(t, phase{code: 32}, p)
}

// An active account without code ends with exit code -13, which costs the price of no gas.
func TestRedo_AccountsWithoutCodeEndWithAFatalException(t *testing.T) {
	t.Parallel()
	skipped := cell.BeginCell().MustStoreUInt(0, 3) // cskip_no_state
	res, err := actionphase.Redo(configOf(t, 8), actionphase.Input{
		Account: account(nil), Message: message(), Transaction: transaction(skipped), After: account(nil),
	})
	require.NoError(t, err)
	s := res.Transaction.MustPeekRef(2).MustBeginParse()
	s.MustLoadUInt(5 + 1 + 6 + 1 + 1)
	s.MustLoadBigCoins()
	require.EqualValues(t, 0b01000, s.MustLoadUInt(5)) // no extra currencies; vm, not successful
	require.Positive(t, s.MustLoadBigCoins().Sign())
	details := res.Transaction.MustPeekRef(2).MustPeekRef(0).MustBeginParse()
	details.MustLoadUInt(3)
	details.MustLoadVarUInt(7)
	details.MustLoadUInt(1 + 8)
	require.EqualValues(t, -13, details.MustLoadInt(32))
	require.Len(t, res.Messages, 1, "the message is returned")
}

// Cells that refer to each other many times, and dictionaries with more entries than anyone can list, end at the bounds.
func TestRedo_SharedCellsOfActionsAreBounded(t *testing.T) {
	t.Parallel()
	started := time.Now()
	none := cell.BeginCell().EndCell()
	endless := cellgraphtest.Dict(32, cell.BeginCell().MustStoreUInt(1, 5).MustStoreUInt(1, 8))
	_, p := redo(t, 8, cell.BeginCell().MustStoreRef(none).MustStoreUInt(0x36e6b809, 32).MustStoreUInt(0, 8).MustStoreBigCoins(big.NewInt(1)).MustStoreMaybeRef(endless).EndCell())
	require.False(t, p.success)
	libraries := cellgraphtest.Dict(256, cell.BeginCell().MustStoreBoolBit(true).MustStoreRef(none))
	out := addressOf(cell.BeginCell().MustStoreUInt(0b0100, 4).MustStoreUInt(0, 2), 3).MustStoreBigCoins(big.NewInt(1e6)).MustStoreUInt(0, 1+4+4+64+32).
		MustStoreUInt(0b10, 2).MustStoreUInt(0, 4).MustStoreMaybeRef(libraries).MustStoreBoolBit(true).MustStoreRef(cellgraphtest.Shared(400, cell.BeginCell())).EndCell()
	_, p = redo(t, 8, cell.BeginCell().MustStoreRef(none).MustStoreUInt(0x0ec3c86d, 32).MustStoreUInt(1, 8).MustStoreRef(out).EndCell())
	require.False(t, p.success)
	require.Less(t, time.Since(started), time.Minute, "tens of milliseconds on an idle machine")
}

// Cells of any form, in the place of each input, end in a transaction or an error.
func FuzzRedo_DamagedCellsEndWithoutAPanic(f *testing.F) {
	configs := map[uint64]*actionphase.Config{}
	for _, version := range []uint64{0, 4, 9, 12, 15} {
		configs[version] = configOf(f, version)
	}
	f.Add(uint8(0), uint8(0), []byte{})
	f.Add(uint8(4), uint8(4), []byte{3, 1, 4, 1, 5, 9, 2, 6})
	f.Add(uint8(0x85), uint8(2), []byte{3, 1, 4, 1, 5, 9, 2, 6})
	f.Add(uint8(0x84), uint8(3), []byte{3, 1, 4, 1, 5, 9, 2, 6})
	fundamental := ofConfig(f)
	f.Fuzz(func(_ *testing.T, version, which uint8, program []byte) {
		code := cell.BeginCell().MustStoreUInt(0xFF00, 16).EndCell()
		in := actionphase.Input{
			Account: account(code), Message: message(), Transaction: transaction(computed()), After: account(code), Actions: sends(1, 3, 17, 128), Data: code,
		}
		if version >= 0x80 { // of the configuration, from outside
			in.Account = accountAt(fundamental, code)
			in.After, in.Message = in.Account, external(fundamental)
			in.Transaction = externalTransaction(in.Message, computedWith(0, 0))
			if version%2 == 0 { // its first transaction
				in.Account, in.Message = cell.BeginCell().MustStoreBoolBit(false).EndCell(), message()
				in.Transaction = transaction(cell.BeginCell().MustStoreUInt(0, 3))
			}
		}
		place := []**cell.Cell{&in.Account, &in.Message, &in.Transaction, &in.After, &in.Actions}[which%5]
		if damaged := cellgraphtest.Mutate(*place, program); damaged != nil {
			*place = damaged
		}
		_, _ = actionphase.Redo(configs[[]uint64{0, 4, 9, 12, 15}[version%5]], in)
	})
}

func BenchmarkRedo(b *testing.B) {
	code := cell.BeginCell().MustStoreUInt(0xFF00, 16).EndCell()
	config := configOf(b, 12)
	in := actionphase.Input{Account: account(code), Message: message(), Transaction: transaction(computed()), After: account(code), Actions: sends(1), Data: cell.BeginCell().EndCell()}
	b.ReportAllocs()
	for b.Loop() {
		_, err := actionphase.Redo(config, in)
		require.NoError(b, err)
	}
}
