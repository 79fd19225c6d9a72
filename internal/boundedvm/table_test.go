package boundedvm

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

func TestTable_EveryReplacedOpcodeExists(t *testing.T) {
	t.Parallel()
	winners := map[string]int{}
	for i, getter := range vm.List[:libraryOpcodes] {
		for _, key := range prefixKeys(getter()) {
			winners[key] = i
		}
	}
	for key := range patches {
		require.Contains(t, winners, key)
		require.True(t, winsAll(winners, vm.List[winners[key]](), winners[key]), key)
	}
	for key := range replacements {
		require.Contains(t, winners, key)
		require.True(t, winsAll(winners, vm.List[winners[key]](), winners[key]), key)
	}
}

func TestTable_ReplacementsDecodeLikeTheLibrary(t *testing.T) {
	t.Parallel()
	library := map[string]vm.OP{}
	for _, getter := range vm.List[:libraryOpcodes] {
		op := getter()
		for _, key := range prefixKeys(op) {
			library[key] = op
		}
	}
	for _, getter := range vm.List[libraryOpcodes : len(vm.List)-1] {
		ours := getter()
		priced, ok := ours.(vm.GasPricedOp)
		require.True(t, ok, ours.SerializeText())
		for _, key := range prefixKeys(ours) {
			theirs, ok := library[key]
			require.True(t, ok, key)
			require.Equal(t, prefixKeys(theirs), prefixKeys(ours))
			require.Equal(t, theirs.(vm.GasPricedOp).InstructionBits(), priced.InstructionBits(), key) //nolint:forcetypeassert // all have it
			require.Equal(t, versionOf(theirs), versionOf(ours), key)
		}
	}
}

func versionOf(op vm.OP) int {
	if v, ok := op.(vm.VersionedOp); ok {
		return v.MinGlobalVersion()
	}
	return 0
}

func TestTable_LaunchPatchesAreOfOldOpcodes(t *testing.T) {
	t.Parallel()
	versions := map[string]int{}
	for _, getter := range vm.List {
		op := getter()
		for _, key := range prefixKeys(op) {
			versions[key] = versionOf(op)
			require.NotEqual(t, "fd", key[:2], "the opcode of implicit steps is taken")
		}
	}
	require.NotEmpty(t, launchPatches)
	for key := range launchPatches {
		version, ok := versions[key]
		require.True(t, ok, key)
		require.Less(t, version, launchVersions, key)
	}
}
