package body

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// unsummed leaves out the checksum, behind which no change of a fuzzer is read.
var unsummed = cell.BOCSerializeOptions{}

// The text of any bag of cells is bounded, valid JSON and the same each time.
func FuzzAppendContent_IsBoundedJSON(f *testing.F) {
	for _, c := range layoutCases() {
		f.Add(c.build(f, empty().MustStoreUInt(uint64(c.op), 32)).EndCell().ToBOCWithOptions(unsummed))
	}
	groups := declared(f)
	for _, group := range append([]string{"TgWallet", "Wallet"}, bodyGroups...) {
		for i, d := range groups[group] {
			body, _ := generate(f, groups, d, uint64(i))
			f.Add(body.ToBOCWithOptions(unsummed))
		}
	}
	f.Add(signed().MustStoreUInt(7, 32).MustStoreUInt(8, 64).MustStoreDict(batch(f)).EndCell().ToBOCWithOptions(unsummed))
	f.Add(signed().MustStoreUInt(7, 64).MustStoreUInt(8, 40).MustStoreRef(message()).EndCell().ToBOCWithOptions(unsummed))
	f.Fuzz(func(t *testing.T, boc []byte) {
		for _, place := range []Place{Inside, Incoming} {
			printed, ok := AppendContent(nil, boc, place)
			again, okAgain := AppendContent(nil, boc, place)
			require.Equal(t, ok, okAgain)
			require.Equal(t, printed, again)
			require.LessOrEqual(t, len(printed), maxOutput)
			require.Equal(t, ok, json.Valid(printed))
		}
		require.True(t, json.Valid(DecodeText(string(boc))))
	})
}

func FuzzDecodeText_IsJSON(f *testing.F) {
	for _, c := range layoutCases() {
		f.Add(text64(c.build(f, empty().MustStoreUInt(uint64(c.op), 32)).EndCell()))
	}
	f.Add("b5ee9c72")
	f.Fuzz(func(t *testing.T, text string) {
		var object map[string]any
		require.NoError(t, json.Unmarshal(DecodeText(text), &object))
		require.NotEmpty(t, object)
	})
}
