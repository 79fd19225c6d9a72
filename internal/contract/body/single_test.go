package body

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// FuzzShortComment_ReadsWhatCommentReads compares the reader of one cell with that of all bags.
func FuzzShortComment_ReadsWhatCommentReads(f *testing.F) {
	for _, text := range []string{"", "a", "привет", "\xff\xfe", "a text of usual length"} {
		root := empty().MustStoreUInt(opTextComment, 32).MustStoreSlice([]byte(text), uint(8*len(text))).EndCell()
		f.Add(root.ToBOC())
		f.Add(root.ToBOCWithOptions(cell.BOCSerializeOptions{WithIndex: true, WithCRC32C: true}))
		f.Add(root.ToBOCWithOptions(cell.BOCSerializeOptions{}))
	}
	f.Add(empty().MustStoreUInt(0, 31).EndCell().ToBOC())
	f.Add(empty().MustStoreUInt(0, 39).EndCell().ToBOC())
	f.Add(comment("first").ToBOC())
	f.Fuzz(func(t *testing.T, boc []byte) {
		text, ok := shortComment(boc)
		if !ok {
			return
		}
		root, err := parse(boc)
		require.NoError(t, err)
		want, isComment := Comment(root)
		require.True(t, isComment)
		require.Equal(t, want, string(text))
	})
}

func TestShortComment_ReadsUsualComments(t *testing.T) {
	t.Parallel()
	boc := comment("a text of usual length").ToBOC()
	text, ok := shortComment(boc)
	require.True(t, ok)
	require.Equal(t, "a text of usual length", string(text))
	for i := range boc {
		damaged := append([]byte(nil), boc...)
		damaged[i] ^= 1
		_, ok := shortComment(damaged)
		require.False(t, ok, "byte %d", i)
	}
}
