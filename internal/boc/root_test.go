package boc_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boc"
)

// The root of a bag is read without its other cells, whatever its length and the form of the bag.
func TestRoot_IsTheRootAsTheLibraryReadsIt(t *testing.T) {
	t.Parallel()
	text := make([]byte, 128)
	for i := range text {
		text[i] = byte(37*i + 11)
	}
	below := cell.BeginCell().MustStoreUInt(7, 32).EndCell()
	for bits := range uint(1024) {
		b := cell.BeginCell().MustStoreSlice(text, bits)
		for range bits % 5 {
			b.MustStoreRef(below)
		}
		root := b.EndCell()
		s, err := root.BeginParse()
		require.NoError(t, err)
		want, err := s.LoadSlice(bits)
		require.NoError(t, err)
		for _, options := range []cell.BOCSerializeOptions{{}, {WithCRC32C: true}, {WithIndex: true}, {WithIndex: true, WithCRC32C: true}} {
			bag := root.ToBOCWithOptions(options)
			data, length, ok := boc.Root(bag)
			require.True(t, ok)
			require.EqualValues(t, bits, length)
			require.Equal(t, want[:bits/8], data[:bits/8])
			if rest := bits % 8; rest != 0 {
				require.Equal(t, want[bits/8], data[bits/8]&(0xff<<(8-rest)))
			}
			for n := range 20 {
				boc.Root(bag[:min(n, len(bag))]) // cut bags are refused without a panic
			}
		}
	}
	exotic, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(make([]byte, 32), 256).EndCellSpecial(true)
	require.NoError(t, err)
	_, _, ok := boc.Root(exotic.ToBOC())
	require.False(t, ok)
}
