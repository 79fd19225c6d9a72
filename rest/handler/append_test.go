package handler

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// FuzzAppendString_AgreesWithEncodingJSON checks that AppendString and encoding/json agree on every string.
func FuzzAppendString_AgreesWithEncodingJSON(f *testing.F) {
	for _, seed := range []string{"", "plain", `"\`, "<a&b>", "\x00\x1f\n\r\t", "ключ", "\xff\xfe", "\u2028", "a\xc3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got, want string
		require.NoError(t, json.Unmarshal(AppendString(nil, s), &got))
		text, err := json.Marshal(s)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &want))
		require.Equal(t, want, got)
	})
}

func TestAppend_PrintsValuesAndNulls(t *testing.T) {
	t.Parallel()
	hash, err := chain.ParseHash(someHash)
	require.NoError(t, err)
	address, err := chain.ParseAddress(rawAddress)
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"hash", AppendHash(nil, &hash), `"` + someHash + `"`},
		{"no hash", AppendHash(nil, nil), "null"},
		{"address", AppendAddress(nil, &address), `"` + rawAddress + `"`},
		{"no address", AppendAddress(nil, nil), "null"},
		{"bytes", AppendBytes(nil, []byte{1, 2}), `"AQI="`},
		{"no bytes", AppendBytes(nil, nil), "null"},
		{"int", AppendInt(nil, int32(-7)), "-7"},
		{"uint", AppendUint(nil, uint32(7)), "7"},
		{"decimal", AppendDecimal(nil, chain.Coins(18446744073709551615)), `"18446744073709551615"`},
		{"decimal or null", AppendDecimalOrNull[uint64](nil, nil), "null"},
		{"big", AppendBig(nil, big.NewInt(12)), `"12"`},
		{"no big", AppendBig(nil, nil), "null"},
		{"bool", AppendBool(nil, true), "true"},
		{"bool or null", AppendBoolOrNull(nil, nil), "null"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, string(c.got))
		})
	}
}
