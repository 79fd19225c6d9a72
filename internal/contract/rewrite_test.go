package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

func TestAddressWithoutRewrite_FormsAreReadToTheirEnd(t *testing.T) {
	t.Parallel()
	id := chain.Hash{9}
	after := func(b *cell.Builder) *contract.Loader { return contract.Load(b.MustStoreUInt(0xcafe, 16).EndCell()) }
	std := func(b *cell.Builder, workchain int64) *cell.Builder {
		return b.MustStoreInt(workchain, 8).MustStoreSlice(id[:], 256)
	}
	start := cell.BeginCell
	for name, tc := range map[string]struct {
		form *cell.Builder
		want *chain.Address
		fail bool
	}{
		"none":                       {start().MustStoreUInt(0, 2), nil, false},
		"external":                   {start().MustStoreUInt(1, 2).MustStoreUInt(130, 9).MustStoreUInt(1, 64).MustStoreUInt(2, 64).MustStoreUInt(3, 2), nil, false},
		"external without bits":      {start().MustStoreUInt(1, 2).MustStoreUInt(0, 9), nil, false},
		"standard":                   {std(start().MustStoreUInt(0b100, 3), -1), &chain.Address{Workchain: -1, ID: id}, false},
		"rewritten":                  {std(start().MustStoreUInt(0b101, 3).MustStoreUInt(3, 5).MustStoreUInt(0b101, 3), 7), &chain.Address{Workchain: 7, ID: id}, false},
		"rewritten by the most bits": {std(start().MustStoreUInt(0b101, 3).MustStoreUInt(31, 5).MustStoreUInt(1, 31), 0), &chain.Address{ID: id}, false},
		"rewritten by nothing":       {std(start().MustStoreUInt(0b101, 3).MustStoreUInt(0, 5), 0), nil, true},
		"of variable length":         {start().MustStoreUInt(0b110, 3).MustStoreUInt(8, 9).MustStoreUInt(0, 40), nil, true},
		"cut short":                  {start().MustStoreUInt(0b100, 3).MustStoreUInt(0, 20), nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := after(tc.form)
			require.Equal(t, tc.want, l.AddressWithoutRewrite())
			if tc.fail {
				require.Error(t, l.Err())
				return
			}
			require.NoError(t, l.Err())
			require.EqualValues(t, 0xcafe, l.Uint(16), "the loader is at the end of the address")
		})
	}
}
