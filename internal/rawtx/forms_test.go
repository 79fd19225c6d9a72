package rawtx_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/rawtx"
)

func of(b byte) chain.Hash { return chain.Hash(bytes.Repeat([]byte{b}, 32)) }

// bits begins a cell with the bits of a text such as "0101", whose spaces do not count.
func bits(text string) *cell.Builder {
	b := cell.BeginCell()
	for _, c := range text {
		if c != ' ' {
			b.MustStoreBoolBit(c == '1')
		}
	}
	return b
}

func join(parts ...*cell.Builder) *cell.Builder {
	b := cell.BeginCell()
	for _, p := range parts {
		b.MustStoreBuilder(p)
	}
	return b
}

func number(n uint64, size uint) *cell.Builder { return cell.BeginCell().MustStoreUInt(n, size) }
func grams(n uint64) *cell.Builder             { return cell.BeginCell().MustStoreCoins(n) }
func hash(b byte) *cell.Builder {
	h := of(b)
	return cell.BeginCell().MustStoreSlice(h[:], 256)
}
func ref(c *cell.Builder) *cell.Builder { return cell.BeginCell().MustStoreRef(c.EndCell()) }

// sized is VarUInteger with a length of some bits.
func sized(n *big.Int, lengthBits uint) *cell.Builder {
	size := uint(n.BitLen()+7) / 8
	return cell.BeginCell().MustStoreUInt(uint64(size), lengthBits).MustStoreBigUInt(n, size*8)
}

func short(cells, size int64) *cell.Builder {
	return join(sized(big.NewInt(cells), 3), sized(big.NewInt(size), 3))
}

// described is the raw transaction with a description.
func described(description *cell.Builder, fees *cell.Builder, messages *cell.Builder) chain.BOC {
	update := join(number(0x72, 8), hash(3), hash(4))
	return serialize(join(bits("0111"), hash(1), number(1<<63+7, 64), hash(2), number(6, 64), number(1_700_000_000, 32), number(5, 15), bits("10 01"),
		ref(messages), fees, ref(update), ref(description)).EndCell())
}

// The descriptions have every constructor of TransactionDescr and of its phases.
func TestRead_EveryFormOfADescription(t *testing.T) {
	t.Parallel()
	coins, nano := func(n chain.Coins) *chain.Coins { return &n }, func(n int64) *cell.Builder { return grams(uint64(n)) }
	storage := join(nano(300), bits("1"), nano(7), bits("10"))
	storagePhase := &chain.StoragePhase{FeesCollected: 300, FeesDue: coins(7), StatusChange: chain.StatusFrozen}
	plain := join(nano(300), bits("0 0"))
	plainPhase := &chain.StoragePhase{FeesCollected: 300}
	deleting := join(nano(0), bits("0 11"))
	credit := join(bits("1"), nano(9), nano(1000), bits("0"))
	creditPhase := &chain.CreditPhase{DueFeesCollected: coins(9), Credit: 1000}
	compute := join(bits("1 101"), nano(400), ref(join(sized(big.NewInt(70_000), 3), sized(big.NewInt(1_000_000), 3), bits("1"), sized(big.NewInt(500), 2),
		number(0xff, 8), number(0xffffffff, 32), bits("1"), number(0xfffffffe, 32), number(42, 32), hash(5), hash(6))))
	computePhase := &chain.ComputePhase{
		Success: true, AccountActivated: true, GasFees: 400, GasUsed: 70_000, GasLimit: 1_000_000, GasCredit: new(uint64(500)), Mode: -1, ExitCode: -1, ExitArg: new(int32(-2)),
		VMSteps: 42, VMInitStateHash: of(5), VMFinalStateHash: of(6),
	}
	failed := join(bits("1 010"), nano(400), ref(join(short(1, 2), bits("0"), number(0, 8), number(9, 32), bits("0"), number(1, 32), hash(5), hash(6))))
	failedPhase := &chain.ComputePhase{MsgStateUsed: true, GasFees: 400, GasUsed: 1, GasLimit: 2, ExitCode: 9, VMSteps: 1, VMInitStateHash: of(5), VMFinalStateHash: of(6)}
	action := join(bits("1"), ref(join(bits("101 11"), bits("1"), nano(11), bits("1"), nano(12), number(0xffffffdb, 32), bits("1"), number(3, 32),
		number(4, 16), number(5, 16), number(6, 16), number(7, 16), hash(8), short(9, 1000))))
	actionPhase := &chain.ActionPhase{
		Success: true, NoFunds: true, StatusChange: chain.StatusDeleted, TotalFwdFees: coins(11), TotalFees: coins(12), ResultCode: -37, ResultArg: new(int32(3)),
		TotalActions: 4, SpecActions: 5, SkippedActions: 6, MsgsCreated: 7, ActionListHash: of(8), MsgSize: chain.MessageSize{Cells: 9, Bits: 1000},
	}
	quiet := join(bits("1"), ref(join(bits("010 0 0 0"), number(0, 32), bits("0"), number(0, 64), hash(8), short(0, 0))))
	quietPhase := &chain.ActionPhase{Valid: true, ActionListHash: of(8)}
	split := join(number(3, 6), number(33, 6), hash(9), hash(10))
	splitInfo := &chain.SplitInfo{CurShardPfxLen: 3, AccSplitDepth: 33, ThisAddr: of(9), SiblingAddr: of(10)}
	skipped := func(r chain.SkipReason) *chain.ComputePhase { return &chain.ComputePhase{Skipped: true, Reason: r} }
	for name, c := range map[string]struct {
		form *cell.Builder
		want chain.TransactionDescription
	}{
		"ord, all phases": {
			join(bits("0000 1 1"), storage, bits("1"), credit, compute, action, bits("1 1 1"), short(1, 2), nano(3), nano(4), bits("1")),
			chain.TransactionDescription{
				CreditFirst: true, Storage: storagePhase, Credit: creditPhase, Compute: computePhase, Action: actionPhase, Aborted: true,
				Bounce: &chain.BouncePhase{Kind: chain.BounceOK, MsgSize: chain.MessageSize{Cells: 1, Bits: 2}, MsgFees: 3, FwdFees: 4}, Destroyed: true,
			},
		},
		"ord, failed, no funds to bounce": {
			join(bits("0000 0 1"), plain, bits("0"), failed, bits("0 1 1 01"), short(1, 2), nano(3), bits("0")),
			chain.TransactionDescription{
				Storage: plainPhase, Compute: failedPhase, Aborted: true, Bounce: &chain.BouncePhase{Kind: chain.BounceNoFunds, MsgSize: chain.MessageSize{Cells: 1, Bits: 2}, ReqFwdFees: 3},
			},
		},
		"ord, no state, negative funds": {
			join(bits("0000 0 0 1 0"), nano(5), bits("0 0 00 0 1 1 00 0")),
			chain.TransactionDescription{Credit: &chain.CreditPhase{Credit: 5}, Compute: skipped(chain.SkipNoState), Aborted: true, Bounce: &chain.BouncePhase{Kind: chain.BounceNegFunds}},
		},
		"ord, bad state":     {bits("0000 0 0 0 0 01 0 1 0 0"), chain.TransactionDescription{Compute: skipped(chain.SkipBadState), Aborted: true}},
		"ord, no gas":        {bits("0000 0 0 0 0 10 0 1 0 0"), chain.TransactionDescription{Compute: skipped(chain.SkipNoGas), Aborted: true}},
		"ord, suspended":     {bits("0000 0 0 0 0 110 0 1 0 1"), chain.TransactionDescription{Compute: skipped(chain.SkipSuspended), Aborted: true, Destroyed: true}},
		"ord, quiet actions": {join(bits("0000 0 0 0"), compute, quiet, bits("0 0 0")), chain.TransactionDescription{Compute: computePhase, Action: quietPhase}},
		"storage":            {join(bits("0001"), deleting), chain.TransactionDescription{Kind: chain.Storage, Storage: &chain.StoragePhase{StatusChange: chain.StatusDeleted}}},
		"tick":               {join(bits("001 0"), plain, compute, bits("0 0 1")), chain.TransactionDescription{Kind: chain.TickTock, Storage: plainPhase, Compute: computePhase, Destroyed: true}},
		"tock": {
			join(bits("001 1"), storage, failed, action, bits("1 0")),
			chain.TransactionDescription{Kind: chain.TickTock, IsTock: true, Storage: storagePhase, Compute: failedPhase, Action: actionPhase, Aborted: true},
		},
		"split_prepare": {
			join(bits("0100"), split, bits("1"), storage, compute, action, bits("0 1")),
			chain.TransactionDescription{Kind: chain.SplitPrepare, Split: splitInfo, Storage: storagePhase, Compute: computePhase, Action: actionPhase, Destroyed: true},
		},
		"split_install": {join(bits("0101"), split, ref(number(1, 8)), bits("1")), chain.TransactionDescription{Kind: chain.SplitInstall, Split: splitInfo, Installed: true}},
		"merge_prepare": {join(bits("0110"), split, plain, bits("1")), chain.TransactionDescription{Kind: chain.MergePrepare, Split: splitInfo, Storage: plainPhase, Aborted: true}},
		"merge_install": {
			join(bits("0111"), split, ref(number(1, 8)), bits("1"), plain, bits("1"), credit, compute, action, bits("1 0")),
			chain.TransactionDescription{Kind: chain.MergeInstall, Split: splitInfo, Storage: plainPhase, Credit: creditPhase, Compute: computePhase, Action: actionPhase, Aborted: true},
		},
	} {
		row, _, err := read(described(c.form, bits("0000 0"), bits("00")))
		require.NoError(t, err, name)
		require.Equal(t, chain.Transaction{
			Account: chain.Address{ID: of(1)}, LT: 1<<63 + 7, PrevHash: of(2), PrevLT: 6, Now: 1_700_000_000, OutMsgCount: 5, OrigStatus: 2, EndStatus: 1,
			StateHashBefore: of(3), StateHashAfter: of(4), Description: c.want,
		}, row, name)
	}
	for name, form := range map[string]*cell.Builder{
		"unknown": bits("1000"), "unknown reason": bits("0000 0 0 0 0 111 0 1 0 0"), "cut short": bits("0000 0"), "empty": bits(""), "no compute cell": bits("0000 0 0 0 1 000 0000"),
	} {
		_, _, err := read(described(form, bits("0000 0"), bits("00")))
		require.Error(t, err, name)
	}
}

// Amounts that do not fit 63 bits, which no coin has, count as the largest; extra currencies are exact.
func TestRead_AmountsOfEverySize(t *testing.T) {
	t.Parallel()
	amount := func(size uint64, n *big.Int) *cell.Builder {
		return number(size, 4).MustStoreBigUInt(n, uint(size*8))
	}
	top := new(big.Int).Lsh(big.NewInt(1), 64)
	for _, c := range []struct {
		form *cell.Builder
		want chain.Coins
	}{
		{amount(0, new(big.Int)), 0}, {amount(1, big.NewInt(255)), 255}, {amount(8, new(big.Int).SetUint64(1<<63-1)), rawtx.MaxCoins}, {amount(8, new(big.Int).SetUint64(1<<63)), rawtx.MaxCoins},
		{amount(7, big.NewInt(1<<55)), 1 << 55}, {amount(9, big.NewInt(5)), 5}, {amount(15, big.NewInt(6)), 6}, {amount(9, new(big.Int).SetUint64(1<<63)), rawtx.MaxCoins},
		{amount(9, top), rawtx.MaxCoins}, {amount(15, new(big.Int).Lsh(top, 50)), rawtx.MaxCoins},
	} {
		row, _, err := read(described(bits("0001 0000 0 0"), join(c.form, bits("0")), bits("00")))
		require.NoError(t, err)
		require.Equal(t, c.want, row.TotalFees)
	}

	// HashmapE 32 (VarUInteger 32) of two entries: their keys share no bit.
	large := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 248), big.NewInt(3))
	leaf := func(key uint64, n *big.Int) *cell.Builder {
		return join(bits("10"), number(31, 5), number(key, 31), sized(n, 5))
	}
	fork := join(bits("00"), ref(leaf(1, big.NewInt(1<<62))), ref(leaf(1<<31-1, large)))
	row, _, err := read(described(bits("0001 0000 0 0"), join(grams(7), bits("1"), ref(fork)), bits("00")))
	require.NoError(t, err)
	require.Equal(t, chain.ExtraCurrencies{1: big.NewInt(1 << 62), 1<<32 - 1: large}, row.TotalFeesExtra)
	same := join(bits("11 1"), number(32, 6), sized(new(big.Int), 5)) // hml_same$11
	row, _, err = read(described(bits("0001 0000 0 0"), join(grams(7), bits("1"), ref(same)), bits("00")))
	require.NoError(t, err)
	require.Equal(t, chain.ExtraCurrencies{1<<32 - 1: new(big.Int)}, row.TotalFeesExtra)
	for name, root := range map[string]*cell.Builder{
		"label above the key": join(bits("10"), number(33, 6), number(0, 33), sized(new(big.Int), 5)), "no branches": bits("00"), "an amount cut short": join(bits("11 0"), number(32, 6), number(31, 5)),
	} {
		_, _, err = read(described(bits("0001 0000 0 0"), join(grams(7), bits("1"), ref(root)), bits("00")))
		require.Error(t, err, name)
	}
}

// Currencies have the ids of their keys, however the dictionary shares the bits of these.
func TestRead_ExtraCurrenciesOfAnyIDs(t *testing.T) {
	t.Parallel()
	for _, ids := range [][]uint32{
		{0}, {1<<32 - 1}, {0x01020304}, {0, 1}, {2, 3}, {0xaaaaaaaa, 0xaaaaaaab}, {0x55555555, 0x55555557, 0xd5555555},
		{0, 1, 2, 3, 100, 239, 0x7fffffff, 0x80000000, 0x80000001, 0xc0000000, 0xfffffffe, 0xffffffff},
	} {
		want, dict := chain.ExtraCurrencies{}, cell.NewDict(32)
		for i, id := range ids {
			want[id] = big.NewInt(int64(1000 + i))
			require.NoError(t, dict.SetIntKey(new(big.Int).SetUint64(uint64(id)), sized(want[id], 5).EndCell()))
		}
		row, _, err := read(described(bits("0001 0000 0 0"), join(grams(7), bits("1"), ref(dict.AsCell().ToBuilder())), bits("00")))
		require.NoError(t, err)
		require.Equal(t, want, row.TotalFeesExtra, "%x", ids)
	}
}

// Messages have every constructor of CommonMsgInfo and of MsgAddress. An address that no account can have is none.
func TestMessages_EveryFormOfAMessage(t *testing.T) {
	t.Parallel()
	std := join(bits("10 0"), number(0xff, 8), hash(0xab))
	account := &chain.Address{Workchain: -1, ID: of(0xab)}
	anycast := join(bits("10 1"), number(11, 5), bits("01010101 010"), number(0, 8), hash(0xff))
	rewritten := &chain.Address{ID: of(0xff)}
	rewritten.ID[0], rewritten.ID[1] = 0b01010101, 0b01011111
	variable := func(size uint64, workchain int32, address *cell.Builder) *cell.Builder {
		return join(bits("11 0"), number(size, 9), number(uint64(uint32(workchain)), 32), address)
	}
	external := func(size uint64) *cell.Builder {
		return join(bits("01"), number(size, 9), cell.BeginCell().MustStoreSlice(make([]byte, 64), uint(size)))
	}
	none := bits("00")
	body := number(0xdeadbeef, 32)
	received := func(message *cell.Builder) chain.Message {
		_, messages, err := read(described(bits("0001 0000 0 0"), bits("0000 0"), join(bits("1"), ref(message), bits("0"))))
		require.NoError(t, err)
		require.Len(t, messages, 1)
		require.Equal(t, chain.Hash(message.EndCell().HashKey()), messages[0].Hash)
		require.Equal(t, chain.Hash(body.EndCell().HashKey()), messages[0].BodyHash)
		require.Equal(t, uint32(0xdeadbeef), *messages[0].Opcode)
		return messages[0]
	}
	tail := join(bits("0 0"), body)
	for name, c := range map[string]struct {
		form *cell.Builder
		want *chain.Address
	}{
		"std": {std, account}, "std, anycast": {anycast, rewritten}, "none": {none, nil}, "extern": {external(17), nil}, "extern, empty": {external(0), nil}, "extern, longest": {external(511), nil},
		"var": {variable(256, -1, hash(0xab)), account}, "var of another length": {variable(20, 0, number(1, 20)), nil},
		"var of the lowest workchain": {variable(256, -128, hash(0xab)), &chain.Address{Workchain: -128, ID: of(0xab)}}, "var of the highest workchain": {variable(256, 127, hash(0xab)), &chain.Address{Workchain: 127, ID: of(0xab)}},
		"var below": {variable(256, -129, hash(0xab)), nil}, "var above": {variable(256, 128, hash(0xab)), nil},
	} {
		m := received(join(bits("10"), none, c.form, bits("0000"), tail))
		require.Equal(t, chain.ExternalIn, m.Kind, name)
		require.Equal(t, c.want, m.Destination, name)
		require.Nil(t, m.Source, name)
		require.Zero(t, m.ImportFee.Sign(), name)
		normalized := join(bits("10 00"), c.form, bits("0000 0 1"), ref(body)).EndCell() // TEP-467
		require.Equal(t, chain.Hash(normalized.HashKey()), *m.HashNorm, name)
		require.Equal(t, chain.MessageKey{Account: chain.Address{ID: of(1)}, LT: 1<<63 + 7}, m.Key, name)
	}
	m := received(join(bits("10"), external(8), std, sized(new(big.Int).Lsh(big.NewInt(1), 100), 4), tail))
	require.Equal(t, new(big.Int).Lsh(big.NewInt(1), 100), m.ImportFee)

	created := join(number(1<<40, 64), number(1_700_000_001, 32))
	m = received(join(bits("0 1 0 1"), std, anycast, grams(1000), bits("0"), sized(big.NewInt(3), 4), grams(12), created, tail))
	require.Equal(t, chain.InternalMessage, m.Kind)
	require.True(t, *m.IHRDisabled)
	require.False(t, *m.Bounce)
	require.True(t, *m.Bounced)
	require.Equal(t, []any{account, rewritten}, []any{m.Source, m.Destination})
	require.Equal(t, []chain.Coins{1000, 0, 12}, []chain.Coins{*m.Value, *m.IHRFee, *m.FwdFee})
	require.Equal(t, big.NewInt(3), m.ExtraFlags)
	require.Equal(t, uint64(1<<40), *m.CreatedLT)
	require.Equal(t, uint32(1_700_000_001), *m.CreatedAt)
	require.Equal(t, chain.MessageKey{Account: *account, LT: 1 << 40}, m.Key, "of the sender")
	require.Nil(t, m.HashNorm)
	system := cell.BeginCell().MustStoreUInt(0b100, 3).MustStoreInt(int64(chain.SystemAddress.Workchain), 8).MustStoreSlice(chain.SystemAddress.ID[:], 256)
	m = received(join(bits("0 1 0 1"), system, std, grams(1000), bits("0"), sized(big.NewInt(3), 4), grams(12), created, tail))
	require.Equal(t, chain.MessageKey{Account: chain.Address{ID: of(1)}, LT: 1<<63 + 7}, m.Key, "of the receiver, if the system sends it")

	m = received(join(bits("0 0 1 0"), std, std, grams(1000), bits("0"), grams(11), grams(12), created, tail))
	require.False(t, *m.IHRDisabled)
	require.True(t, *m.Bounce)
	require.Equal(t, []chain.Coins{11, 12}, []chain.Coins{*m.IHRFee, *m.FwdFee})
	require.Nil(t, m.ExtraFlags)

	// A state-init in the message, in each form of its parts, or in a cell of its own.
	code, data, libraries := number(1, 8), number(2, 8), number(3, 8)
	for name, c := range map[string]*cell.Builder{
		"empty": bits("00000"), "split depth": bits("1 10101 0000"), "special": bits("0 1 10 000"), "code": join(bits("00 1"), ref(code), bits("00")),
		"code and data": join(bits("00 1"), ref(code), bits("1"), ref(data), bits("0")),
		"all":           join(bits("1 00001 1 11 1"), ref(code), bits("1"), ref(data), bits("1"), ref(libraries)),
	} {
		m = received(join(bits("10"), none, std, bits("0000"), bits("1 0"), c, bits("0"), body))
		require.Equal(t, chain.Hash(c.EndCell().HashKey()), *m.InitHash, name)
		require.Equal(t, serialize(c.EndCell()), m.Init, name)
		m = received(join(bits("10"), none, std, bits("0000"), bits("1 1"), ref(c), bits("1"), ref(body)))
		require.Equal(t, chain.Hash(c.EndCell().HashKey()), *m.InitHash, name)
	}

	// Out-messages: HashmapE 15 of one entry.
	out := func(message *cell.Builder) ([]chain.Message, error) {
		root := join(bits("10"), number(15, 4), number(0, 15), ref(message))
		_, messages, err := read(described(bits("0001 0000 0 0"), bits("0000 0"), join(bits("0 1"), ref(root))))
		return messages, err
	}
	messages, err := out(join(bits("11"), std, external(9), created, tail))
	require.NoError(t, err)
	require.Len(t, messages, 1)
	require.Equal(t, chain.ExternalOut, messages[0].Kind)
	require.Equal(t, account, messages[0].Source)
	require.Nil(t, messages[0].Destination)
	require.Equal(t, uint64(1<<40), *messages[0].CreatedLT)
	require.Equal(t, chain.MessageKey{Account: chain.Address{ID: of(1)}, LT: 1 << 40}, messages[0].Key)
	_, err = out(join(bits("11"), std, external(9), number(1, 20)))
	require.Error(t, err, "cut short")
}

// cut returns the cells that are root without the last bit or the last reference of one of its cells.
func cut(t *testing.T, root *cell.Cell) (list []*cell.Cell) {
	t.Helper()
	with := func(size uint, refs ...*cell.Cell) *cell.Cell {
		b := cell.BeginCell().MustStoreSlice(root.MustBeginParse().MustLoadSlice(size), size)
		for _, r := range refs {
			b.MustStoreRef(r)
		}
		return b.EndCell()
	}
	var refs []*cell.Cell
	for i := range int(root.RefsNum()) {
		refs = append(refs, root.MustPeekRef(i))
	}
	if root.BitsSize() > 0 {
		list = append(list, with(root.BitsSize()-1, refs...))
	}
	for i, r := range refs {
		for _, below := range cut(t, r) {
			changed := append([]*cell.Cell{}, refs...)
			changed[i] = below
			list = append(list, with(root.BitsSize(), changed...))
		}
	}
	if len(refs) > 0 {
		list = append(list, with(root.BitsSize(), refs[:len(refs)-1]...))
	}
	return list
}

// Each bit and each reference of a transaction is needed.
func TestRead_TransactionsThatAreCutShortAreRefused(t *testing.T) {
	t.Parallel()
	compute := join(bits("1 101"), grams(400), ref(join(short(1, 2), bits("1"), sized(big.NewInt(500), 2), number(0, 8), number(0, 32), bits("1"), number(1, 32), number(42, 32), hash(5), hash(6))))
	action := join(bits("1"), ref(join(bits("101 11"), bits("1"), grams(11), bits("1"), grams(12), number(0, 32), bits("1"), number(3, 32), number(0, 64), hash(8), short(9, 1000))))
	description := join(bits("0000 1 0 1 0"), grams(1000), bits("0"), compute, action, bits("1 0 1"))
	std := join(bits("10 0"), number(0, 8), hash(0xab))
	created := join(number(1<<40, 64), number(1_700_000_001, 32))
	in := join(bits("0 1 0 1"), std, std, grams(1000), bits("0"), sized(big.NewInt(3), 4), grams(12), created, bits("0 0"))
	out := join(bits("11"), std, bits("01"), number(9, 9), number(1, 9), created, bits("0 0"))
	messages := join(bits("1"), ref(in), bits("1"), ref(join(bits("10"), number(15, 4), number(0, 15), ref(out))))
	extra := join(bits("11 1"), number(32, 6), sized(big.NewInt(300), 5))
	boc := described(description, join(grams(7), bits("1"), ref(extra)), messages)
	_, _, err := read(boc)
	require.NoError(t, err)
	root, err := cell.FromBOC(boc)
	require.NoError(t, err)
	list := cut(t, root)
	require.Greater(t, len(list), 10)
	for _, c := range list {
		_, _, err := read(serialize(c))
		require.Error(t, err, c.Dump())
	}
	for name, changed := range map[string]*cell.Cell{
		"not a transaction": join(bits("0110"), hash(1)).EndCell(), "not an update": withUpdate(t, root, 0x73), "empty": cell.BeginCell().EndCell(),
	} {
		_, _, err := read(serialize(changed))
		require.Error(t, err, name)
	}
}

// withUpdate returns a transaction whose update of the state has another tag.
func withUpdate(t *testing.T, tx *cell.Cell, tag uint64) *cell.Cell {
	t.Helper()
	b := cell.BeginCell().MustStoreSlice(tx.MustBeginParse().MustLoadSlice(tx.BitsSize()), tx.BitsSize())
	update := int(tx.RefsNum()) - 2
	for i := range int(tx.RefsNum()) {
		if i == update {
			b.MustStoreRef(join(number(tag, 8), hash(3), hash(4)).EndCell())
			continue
		}
		b.MustStoreRef(tx.MustPeekRef(i))
	}
	return b.EndCell()
}
