package boundedvm_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boundedvm"
)

// The defects of tonutils-go v1.18.0, at sizes that it survives. A case that fails after an upgrade names a patch of
// this package that can be removed.
func TestLibrary_StillNeedsItsPatches(t *testing.T) {
	one := cell.BeginCell().MustStoreUInt(1, 1).EndCell()
	for _, tc := range []struct {
		name, code, patch string
		refs              []*cell.Cell
		stack             []any
		factor            uint64 // the library allocates more than this many times as much
	}{
		{name: "DUMPSTK prints without a trace", code: "88FE00", refs: []*cell.Cell{sharedOf(8)}, patch: "noop", factor: 20},
		{name: "the error of an unknown opcode prints the code", code: "F7FFFF", refs: []*cell.Cell{sharedOf(8)}, patch: "unknownOpcode", factor: 20},
		{name: "DUP copies what a closure holds", code: "90" + "8100C8" + "7F" + "ED11" + "8100C8" + "922030" + "E4", patch: "continuationPatches", factor: 20,
			stack: slices.Repeat([]any{7}, 200)},
		{name: "ECRECOVER on big integers", code: "F912", patch: "ecRecover", factor: 20,
			stack: []any{7, 0, bigHex("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"), 9}},
	} {
		ours := allocatedBy(t, boundedvm.New(), program{code: codeOf(t, tc.code, tc.refs...), stack: hostValues(tc.stack)})
		theirs := allocatedBy(t, library, program{code: codeOf(t, tc.code, tc.refs...), stack: hostValues(tc.stack)})
		require.Greater(t, theirs, tc.factor*ours, "%s: the patch %q is not needed any more", tc.name, tc.patch)
	}
	for _, tc := range []struct{ name, code, patch string }{
		{"a fork with a bit more is read", "88" + "72" + "F486", "dictPatches"},
		{"the product of no pairings is one", "30" + "70" + "F93030", "pairing"},
		{"code that ends in PUSHINT", "72", "pushInteger"},
	} {
		p := program{code: codeOf(t, tc.code), stack: hostValues([]any{7})}
		switch tc.patch {
		case "dictPatches":
			leaf := cell.BeginCell().MustStoreUInt(0, 2).EndCell()
			p.code = codeOf(t, tc.code, cell.BeginCell().MustStoreUInt(0, 2+1).MustStoreRef(leaf).MustStoreRef(leaf).EndCell())
		case "pushInteger":
			p.code = cell.BeginCell().MustStoreUInt(0x72<<1|1, 9).EndCell()
		}
		theirs, err := execute(t, library, p)
		require.NoError(t, err)
		ours, err := execute(t, boundedvm.New(), p)
		require.NoError(t, err)
		require.NotEqual(t, outcomeOf(theirs), outcomeOf(ours), "%s: the patch %q is not needed any more", tc.name, tc.patch)
	}
	// HASHSU panics when its gas ends while it makes the cell.
	p := program{code: codeOf(t, "88D0F901", one), gas: 300}
	_, err := execute(t, library, p)
	require.ErrorContains(t, err, "vm panic", "the patch \"caught\" is not needed any more")
	res, err := execute(t, boundedvm.New(), p)
	require.NoError(t, err)
	require.EqualValues(t, -14, res.ExitCode)
}

// allocatedBy returns the smallest number of bytes that one of several executions allocates.
func allocatedBy(tb testing.TB, machine *tvm.TVM, p program) uint64 {
	tb.Helper()
	least := ^uint64(0)
	for range 5 {
		var before, after runtime.MemStats // unlike runtime/metrics exact to the byte
		runtime.ReadMemStats(&before)
		_, err := execute(tb, machine, p)
		require.NoError(tb, err)
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}
