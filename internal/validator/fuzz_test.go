package validator_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/validator"
)

// FuzzParseSet_AcceptedSetsAreBounded reads sets from any cells.
func FuzzParseSet_AcceptedSetsAreBounded(f *testing.F) {
	list := validators(9)
	seeds := []*cell.Cell{
		plainSet(4, list), extSet(9, list), extSet(1, list[:1]),
		config(map[int]*cell.Cell{28: catchain(true), 34: extSet(3, list), 35: plainSet(2, list)}).AsCell(),
	}
	for i := range seeds {
		f.Add(byte(i), []byte{})
		f.Add(byte(i), []byte{0, 0, 1, 0, 9})
		f.Add(byte(i), []byte{4, 0, 5, 0, 8, 8, 0, 3, 0, 0})
	}
	f.Fuzz(func(t *testing.T, seed byte, program []byte) {
		if len(program) > 20*cellgraphtest.MutationSize {
			return
		}
		root := cellgraphtest.Mutate(seeds[int(seed)%len(seeds)], program)
		boc := root.ToBOC()
		if set, err := validator.ParseSet(root); err == nil {
			requireBounded(t, set.Main)
			require.LessOrEqual(t, len(set.Main), int(set.Total))
			require.LessOrEqual(t, len(set.Main), len(boc)) // no entry is read twice
		}
		if s, err := validator.MasterSession(root.AsDict(32), 7); err == nil {
			requireBounded(t, s.Validators)
			require.Error(t, s.Verify(nil, nil))
		}
	})
}

func requireBounded(t *testing.T, list []validator.Validator) {
	t.Helper()
	keys := map[[32]byte]bool{}
	sum := uint64(0)
	for _, v := range list {
		require.NotZero(t, v.Weight)
		require.LessOrEqual(t, v.Weight, uint64(1<<61))
		sum += v.Weight
		keys[v.Key] = true
	}
	require.NotEmpty(t, list)
	require.LessOrEqual(t, sum, uint64(1<<61))
	require.Len(t, keys, len(list))
}
