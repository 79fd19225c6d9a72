package validator_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/validator"
)

func TestParseSet_ReadsBothFormsOfSetsAndEntries(t *testing.T) {
	t.Parallel()
	list := validators(9)
	for name, root := range map[string]*cell.Cell{"validators#11": plainSet(4, list), "validators_ext#12": extSet(4, list)} {
		set, err := validator.ParseSet(root)
		require.NoError(t, err, name)
		require.EqualValues(t, 9, set.Total, name)
		require.Equal(t, list[:4], set.Main, name)
		require.EqualValues(t, 1700000000, set.Since, name)
		require.EqualValues(t, 1700065536, set.Until, name)
	}
	require.True(t, list[0].ADNL.IsZero(), "the list mixes both forms of entries")
	require.False(t, list[1].ADNL.IsZero())
}

func TestParseSet_EntriesThatDoNotSignMayBePruned(t *testing.T) {
	t.Parallel()
	list := validators(400)
	for _, full := range []*cell.Cell{plainSet(100, list), extSet(100, list)} {
		read := func(root *cell.Cell) {
			_, err := validator.ParseSet(root)
			require.NoError(t, err)
		}
		shown := prove(t, full, read)
		require.Less(t, len(shown.ToBOC()), len(full.ToBOC())*2/5, "only the first 100 entries are read")
		set, err := validator.ParseSet(shown)
		require.NoError(t, err)
		require.Equal(t, list[:100], set.Main)
	}
}

func TestParseSet_PrunedEntriesThatSignAreRefused(t *testing.T) {
	t.Parallel()
	list := validators(40)
	short, long := extSet(10, list), extSet(11, list) // equal but for the number of entries that sign
	shown := prove(t, long, func(root *cell.Cell) {
		s := root.MustBeginParse()
		s.MustLoadSlice(8 + 64 + 32 + 64)
		entries := s.MustLoadDict(16)
		for i := range 10 {
			_, err := entries.LoadValueByUintKey(uint64(i))
			require.NoError(t, err)
		}
	})
	_, err := validator.ParseSet(shown)
	require.ErrorContains(t, err, "validator 10: a branch that is needed is pruned")
	_, err = validator.ParseSet(short)
	require.NoError(t, err)

	nothing := prove(t, cell.BeginCell().MustStoreRef(long).EndCell(), func(root *cell.Cell) { root.MustBeginParse() })
	pruned, err := nothing.PeekRef(0)
	require.NoError(t, err)
	_, err = validator.ParseSet(pruned)
	require.ErrorContains(t, err, "pruned")
}

func TestParseSet_InvalidSetsAreRefused(t *testing.T) {
	t.Parallel()
	list := validators(5)
	twice := append(validators(4), list[0])
	twice[4].Weight, twice[4].ADNL = 7, list[1].ADNL
	weightless := validators(5)
	weightless[3].Weight = 0
	heavy, heaviest := validators(5), validators(5)
	heavy[0].Weight, heavy[1].Weight = 1<<61-1, 1
	heaviest[0].Weight, heaviest[1].Weight = math.MaxUint64, 2 // 1 when the sum overflows
	sparse := make([]*cell.Cell, 5)
	for i, v := range list {
		if i != 2 {
			sparse[i] = entry(v)
		}
	}
	other := make([]*cell.Cell, 5)
	for i, v := range list {
		other[i] = entry(v)
	}
	with := func(e *cell.Cell) *cell.Cell {
		cells := append([]*cell.Cell(nil), other...)
		cells[2] = e
		return dictionary(16, cells).AsCell()
	}
	key := cell.BeginCell().MustStoreUInt(0x8e81278a, 32).MustStoreSlice(list[0].Key[:], 256)
	for name, tc := range map[string]struct {
		root *cell.Cell
		want string
	}{
		"no entry signs":              {plainOf(5, 0, entries(list)), "0 of 5"},
		"more sign than there are":    {plainOf(5, 6, entries(list)), "6 of 5"},
		"an entry is missing":         {plainOf(5, 5, dictionary(16, sparse).AsCell()), "validator 2: no such key"},
		"a key twice":                 {plainSet(5, twice), "validator 4: its key is that of another one"},
		"a weight of 0":               {plainSet(5, weightless), "validator 3: its weight is 0"},
		"weights above 2^61":          {plainSet(5, heavy), "above 2^61"},
		"weights above 2^64":          {plainSet(5, heaviest), "above 2^61"},
		"declared weight above 2^61":  {extOf(5, 2, 1<<61+1, entries(list)), "total weight 2305843009213693953"},
		"declared weight of 0":        {extOf(5, 2, 0, entries(list)), "total weight 0"},
		"another sum of weights":      {extOf(5, 5, total(list)+1, entries(list)), "do not match"},
		"a part above the total":      {extOf(5, 4, 20, entries(list)), "do not match"},
		"an empty list":               {extOf(5, 2, 60, nil), "validator 0: no such key"},
		"more behind the list":        {extSet(5, list).ToBuilder().MustStoreUInt(1, 1).EndCell(), "more behind the list"},
		"a cell behind the list":      {extSet(5, list).ToBuilder().MustStoreRef(cell.BeginCell().EndCell()).EndCell(), "more behind the list"},
		"a cell behind an entry":      {plainOf(5, 5, with(entry(list[2]).ToBuilder().MustStoreRef(cell.BeginCell().EndCell()).EndCell())), "validator 2: there is more behind it"},
		"no times":                    {cell.BeginCell().MustStoreUInt(0x11, 8).MustStoreUInt(0, 63).EndCell(), "validator set"},
		"no numbers":                  {cell.BeginCell().MustStoreUInt(0x11, 8).MustStoreUInt(0, 64).MustStoreUInt(0, 31).EndCell(), "validator set"},
		"no weight":                   {header(0x12, 5, 5).MustStoreUInt(1, 63).EndCell(), "validator set"},
		"no list":                     {header(0x12, 5, 5).MustStoreUInt(1, 64).EndCell(), "validator set"},
		"an entry without a key":      {plainOf(5, 5, with(cell.BeginCell().MustStoreUInt(0x53, 8).MustStoreUInt(0x8e81278a, 32).MustStoreSlice(make([]byte, 32), 255).EndCell())), "validator 2"},
		"an entry without a weight":   {plainOf(5, 5, with(cell.BeginCell().MustStoreUInt(0x53, 8).MustStoreBuilder(key).MustStoreUInt(1, 63).EndCell())), "validator 2"},
		"an entry without a tag":      {plainOf(5, 5, with(cell.BeginCell().MustStoreUInt(1, 7).EndCell())), "validator 2"},
		"an entry that ends early":    {plainOf(5, 5, with(cell.BeginCell().MustStoreUInt(0x53, 8).MustStoreUInt(1, 31).EndCell())), "validator 2"},
		"an unknown constructor":      {header(0x13, 5, 5).EndCell(), "unknown constructor 0x13"},
		"too short":                   {cell.BeginCell().MustStoreUInt(0x12, 8).EndCell(), "validator set"},
		"an unknown entry":            {plainOf(5, 5, with(cell.BeginCell().MustStoreUInt(0x54, 8).EndCell())), "validator 2: unknown constructor 0x54"},
		"another kind of key":         {plainOf(5, 5, with(cell.BeginCell().MustStoreUInt(0x53, 8).MustStoreUInt(0x4813b4c6, 32).EndCell())), "validator 2: unknown kind of key"},
		"an entry with a longer form": {plainOf(5, 5, with(cell.BeginCell().MustStoreUInt(0x53, 8).MustStoreBuilder(key).MustStoreUInt(1, 64).MustStoreUInt(1, 1).EndCell())), "validator 2: there is more behind it"},
		"an entry with a shorter one": {plainOf(5, 5, with(cell.BeginCell().MustStoreUInt(0x73, 8).MustStoreBuilder(key).MustStoreUInt(1, 64).EndCell())), "validator 2"},
	} {
		_, err := validator.ParseSet(tc.root)
		require.ErrorContains(t, err, tc.want, name)
	}
	heavy[0].Weight = 1<<61 - 1 - total(heavy[1:])
	_, err := validator.ParseSet(plainSet(5, heavy))
	require.NoError(t, err, "just below the bound")
	heavy[0].Weight++
	_, err = validator.ParseSet(plainSet(5, heavy))
	require.NoError(t, err, "2^61")
	_, err = validator.ParseSet(extSet(5, heavy))
	require.NoError(t, err, "2^61, declared")
	set, err := validator.ParseSet(plainSet(1, list))
	require.NoError(t, err)
	require.Len(t, set.Main, 1)
}

// A list whose entries are all one cell has 65,535 entries in 17 cells.
func TestParseSet_SharedEntriesEndTheList(t *testing.T) {
	t.Parallel()
	v := validators(1)[0]
	leaf := cell.BeginCell().MustStoreUInt(0, 2).MustStoreBuilder(entry(v).ToBuilder()).EndCell() // an empty label
	list := leaf
	for range 16 {
		list = cell.BeginCell().MustStoreUInt(0, 2).MustStoreRef(list).MustStoreRef(list).EndCell()
	}
	start := time.Now()
	_, err := validator.ParseSet(plainOf(65535, 65535, list))
	require.ErrorContains(t, err, "validator 1: its key is that of another one")
	require.Less(t, time.Since(start), time.Second)
}

func TestCurrent_TemporaryValidatorsReplaceTheCurrentOnes(t *testing.T) {
	t.Parallel()
	list := validators(8)
	current, temporary := plainSet(3, list[:4]), extSet(2, list[4:])
	set, err := validator.Current(config(map[int]*cell.Cell{34: current}))
	require.NoError(t, err)
	require.Equal(t, list[:3], set.Main)
	set, err = validator.Current(config(map[int]*cell.Cell{34: current, 35: temporary}))
	require.NoError(t, err)
	require.Equal(t, list[4:6], set.Main)
	set, err = validator.Current(config(map[int]*cell.Cell{35: temporary}))
	require.NoError(t, err)
	require.Equal(t, list[4:6], set.Main)

	broken := cell.BeginCell().MustStoreUInt(0xff, 8).EndCell()
	_, err = validator.Current(config(map[int]*cell.Cell{34: current, 35: broken}))
	require.ErrorContains(t, err, "config parameter 35", "a set that cannot be read is not absent")
	_, err = validator.Current(config(nil))
	require.ErrorContains(t, err, "lists no validators")
	_, err = validator.Current(nil)
	require.ErrorContains(t, err, "the configuration is missing")
	_, err = validator.Current(cell.NewDict(32))
	require.ErrorContains(t, err, "the configuration is missing")
}

// pruneParam returns the configuration as a proof shows it in which the named parameters are not pruned.
func pruneParam(t *testing.T, full *cell.Dictionary, shown ...uint64) *cell.Dictionary {
	t.Helper()
	return prove(t, full.AsCell(), func(root *cell.Cell) {
		for _, n := range shown {
			value, err := root.AsDict(32).LoadValueByUintKey(n)
			if err != nil {
				require.ErrorIs(t, err, cell.ErrNoSuchKeyInDict)
				continue
			}
			read(value.MustLoadRef())
		}
	}).AsDict(32)
}

// read visits every cell below a slice.
func read(s *cell.Slice) {
	for s.RefsNum() > 0 {
		read(s.MustLoadRef())
	}
}

func TestCurrent_AbsenceOfTemporaryValidatorsMustBeShown(t *testing.T) {
	t.Parallel()
	list := validators(8)
	params := map[int]*cell.Cell{34: plainSet(3, list[:4])}
	without := config(params)
	set, err := validator.Current(pruneParam(t, without, 34, 35))
	require.NoError(t, err)
	require.Equal(t, list[:3], set.Main)

	params[35] = extSet(2, list[4:])
	with := config(params)
	_, err = validator.Current(pruneParam(t, with, 34))
	require.ErrorContains(t, err, "config parameter 35: a branch that is needed is pruned")
	set, err = validator.Current(pruneParam(t, with, 35))
	require.NoError(t, err, "34 does not matter then")
	require.Equal(t, list[4:6], set.Main)

	_, err = validator.Current(pruneParam(t, without, 63))
	require.ErrorContains(t, err, "pruned")
}
