package contract_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
)

func slice(b *cell.Builder) *cell.Slice { return b.EndCell().MustBeginParse() }

// resultOf returns a reader of a result with the values.
func resultOf(values ...any) *contract.Reader {
	return (&contract.Result{Method: "m", Stack: values}).Read()
}

func TestReader_AddressesAreStandardOrNull(t *testing.T) {
	t.Parallel()
	a := contracttest.Address("a")
	std := cell.BeginCell().MustStoreAddr(contracttest.Library(a))
	anycast := contracttest.Library(a).WithAnycast(address.NewAnycast(3, []byte{0xa0}))
	for name, tc := range map[string]struct {
		value any
		want  *chain.Address
		bad   bool
	}{
		"slice":          {slice(std), &a, false},
		"cell":           {std.EndCell(), &a, false},
		"more after it":  {slice(cell.BeginCell().MustStoreAddr(contracttest.Library(a)).MustStoreUInt(7, 40)), &a, false},
		"masterchain":    {slice(cell.BeginCell().MustStoreAddr(address.NewAddress(0, 0xff, a.ID[:]))), &chain.Address{Workchain: -1, ID: a.ID}, false},
		"null":           {nil, nil, false},
		"missing":        {slice(cell.BeginCell()), nil, false},
		"addr_none":      {slice(cell.BeginCell().MustStoreUInt(0, 2)), nil, false},
		"addr_extern":    {slice(cell.BeginCell().MustStoreAddr(address.NewAddressExt(0, 16, []byte{1, 2}))), nil, false},
		"addr_var":       {slice(cell.BeginCell().MustStoreAddr(address.NewAddressVar(0, 7, 256, a.ID[:]))), nil, false},
		"anycast":        {slice(cell.BeginCell().MustStoreAddr(anycast)), nil, false},
		"cut short":      {slice(cell.BeginCell().MustStoreUInt(4, 3).MustStoreUInt(0, 100)), nil, true},
		"an integer":     {big.NewInt(5), nil, true},
		"a tuple":        {[]any{}, nil, true},
		"a continuation": {contract.Opaque{}, nil, true},
	} {
		r := resultOf(tc.value)
		require.Equal(t, tc.want, r.Address(), name)
		require.Equal(t, tc.bad, r.Err() != nil, "%s: %v", name, r.Err())
		if tc.want == nil {
			r = resultOf(tc.value)
			require.Zero(t, r.NeedAddress(), name)
			require.Error(t, r.Err(), name)
		}
		r = resultOf(tc.value)
		require.Equal(t, tc.want, r.AddressOrNone(), name)
		nameless := name == "null" || name == "missing" || name == "addr_none"
		require.Equal(t, tc.want == nil && !nameless, r.Err() != nil, "%s: %v", name, r.Err())
	}
}

func TestReader_NumbersAreRangeChecked(t *testing.T) {
	t.Parallel()
	huge := new(big.Int).Lsh(big.NewInt(1), 200)
	r := resultOf(big.NewInt(7), big.NewInt(-1), big.NewInt(0), nil, big.NewInt(9), huge)
	require.Equal(t, uint64(7), r.Uint64(64))
	require.True(t, r.Bool())
	require.False(t, r.Bool())
	require.Nil(t, r.IntOrNull())
	require.Equal(t, int64(9), r.IntOrNull().Int64())
	require.Equal(t, 1, r.Left())
	require.Equal(t, huge, r.Unsigned(201))
	require.NoError(t, r.Err())
	require.Equal(t, new(big.Int), r.Int(), "no value is left")
	require.True(t, contract.IsFault(r.Err()))

	for name, read := range map[string]func(*contract.Reader){
		"too large":  func(r *contract.Reader) { r.Unsigned(200) },
		"not 64":     func(r *contract.Reader) { r.Int64() },
		"not a cell": func(r *contract.Reader) { r.Cell() },
		"no slice":   func(r *contract.Reader) { r.Slice() },
	} {
		r := resultOf(huge)
		read(r)
		require.Error(t, r.Err(), name)
		first := r.Err()
		r.Skip(3)
		require.Equal(t, first, r.Err(), "the first error stays")
	}
	for _, v := range []any{contract.NaN{}, "text", []any{}} {
		r := resultOf(v)
		require.Zero(t, r.Int().Sign())
		require.Error(t, r.Err())
	}
	r = resultOf(big.NewInt(-1))
	require.Zero(t, r.Unsigned(256).Sign())
	require.Error(t, r.Err())
}

func TestReader_SlicesAreReadAsCells(t *testing.T) {
	t.Parallel()
	c := contracttest.Asm("0102")
	r := resultOf(c, c.MustBeginParse(), nil, c, c.MustBeginParse())
	require.Equal(t, c.Hash(), r.Cell().Hash())
	require.Equal(t, c.Hash(), r.Cell().Hash(), "a slice is converted to a cell")
	require.Nil(t, r.CellOrNull())
	require.Equal(t, uint64(1), r.Slice().MustLoadUInt(8))
	s := r.Slice()
	require.Equal(t, uint64(1), s.MustLoadUInt(8))
	require.NoError(t, r.Err())
}

// Arguments and results are converted between Go values and those of the VM.
func TestRun_ConvertsArgumentsAndResults(t *testing.T) {
	t.Parallel()
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{})
	st := contracttest.Account("values", map[string]*cell.Cell{
		"tuple":   contracttest.Asm("7172" + "6f02" + "9171" + "83ff" + "c8" + "6d"), // [1 2], a continuation, NaN, a builder, null
		"echo":    contracttest.Asm(""),
		"balance": contracttest.Asm("f827"), // the balance: [nanotons, currencies]
		"now":     contracttest.Asm("f823"),
		"self":    contracttest.Asm("f828"),
	})
	res, err := r.Run(t.Context(), &st, "tuple")
	require.NoError(t, err)
	require.Len(t, res.Stack, 5)
	require.Equal(t, []any{big.NewInt(1), big.NewInt(2)}, res.Stack[0])
	require.Equal(t, contract.Opaque{}, res.Stack[1])
	require.Equal(t, contract.NaN{}, res.Stack[2])
	require.IsType(t, &cell.Builder{}, res.Stack[3])
	require.Nil(t, res.Stack[4])
	require.Positive(t, res.Gas)

	who := contracttest.Address("who")
	res, err = r.RunID(t.Context(), &st, contract.MethodID("echo"), int64(5), big.NewInt(6), who, contracttest.Asm("aa"), nil)
	require.NoError(t, err)
	echo := res.Read()
	require.Equal(t, int64(5), echo.Int64())
	require.Equal(t, int64(6), echo.Int64())
	require.Equal(t, who, echo.NeedAddress())
	require.Equal(t, contracttest.Asm("aa").Hash(), echo.Cell().Hash())
	require.Nil(t, echo.CellOrNull())
	require.NoError(t, echo.Err())

	res, err = r.Run(t.Context(), &st, "balance")
	require.NoError(t, err)
	require.Equal(t, []any{big.NewInt(1_000_000_000), nil}, res.Stack[0])
	res, err = r.Run(t.Context(), &st, "now")
	require.NoError(t, err)
	require.Equal(t, int64(r.Env().Now), res.Read().Int64())
	res, err = r.Run(t.Context(), &st, "self")
	require.NoError(t, err)
	require.Equal(t, st.Address, res.Read().NeedAddress())
}
