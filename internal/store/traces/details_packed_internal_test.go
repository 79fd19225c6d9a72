package traces

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func address(workchain int32, fill byte) chain.Address {
	return chain.Address{Workchain: workchain, ID: chain.Hash(bytes.Repeat([]byte{fill}, 32))}
}

func unpacked(t *testing.T, text []byte, accounts []chain.Address) string {
	t.Helper()
	size := unpackedSize(text, accounts)
	require.GreaterOrEqual(t, size, 0)
	details := appendDetails(nil, text, accounts)
	require.Len(t, details, size)
	return string(details)
}

func TestPackedDetails_AreReadAsTheyWere(t *testing.T) {
	t.Parallel()
	own, masters, other := address(0, 0xab), address(-1, 0x01), address(0, 0xcd)
	accounts := []chain.Address{own, masters, address(5, 0xef)}
	for _, c := range []struct {
		details string
		length  int // of the text
	}{
		{``, 0},
		{`null`, 4},
		{`{"source":"` + own.String() + `","destination":"` + masters.String() + `"}`, len(`{"source":xx,"destination":xx}`)},
		{`["` + other.String() + `","` + address(-1, 0x77).String() + `"]`, 3 + 2*33},
		{`["` + address(5, 0xef).String() + `"]`, 2 + 68},
		{`"` + own.String() + `"`, 2},
		{`"\"` + own.String() + `"`, 4},
		{`"` + own.String() + `\""`, 70},
		{`"` + strings.ToLower(own.String()) + `"`, 68},
		{`"` + own.String()[:65], 66},
		{`"` + own.String(), 67},
		{`"-` + own.String() + `"`, 69},
		{`"-1:` + own.String()[2:] + `"`, 33},
		{`"+1:` + own.String()[2:] + `"`, 69},
		{`{"comment":"` + "\u0080\u2028\x7f" + `"}`, 20},
	} {
		text, ok := appendText([]byte("in front"), []byte(c.details), accounts)
		require.True(t, ok, c.details)
		require.Equal(t, "in front", string(text[:8]))
		require.Len(t, text[8:], c.length, c.details)
		require.Equal(t, c.details, unpacked(t, text[8:], accounts))
	}
	many := make([]chain.Address, 300)
	for i := range many {
		many[i] = address(0, byte(i))
		many[i].ID[0] = byte(i >> 8)
	}
	for i, length := range map[int]int{0: 2, 255: 2, 256: 33, 299: 33} {
		details := `"` + many[i].String() + `"`
		text, ok := appendText(nil, []byte(details), many)
		require.True(t, ok)
		require.Len(t, text, length)
		require.Equal(t, details, unpacked(t, text, many))
	}
}

func TestPackedDetails_WhatHasNoPackedFormIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []byte{0, 1, addressOfRow, addressOfBase, addressOfMasters, '\t', '\n', 0x1f} {
		_, ok := appendText(nil, []byte{'{', c, '}'}, nil)
		require.False(t, ok, c)
	}
	_, ok := appendText(nil, make([]byte, maxDetails+1), nil)
	require.False(t, ok)
}

func TestPackedDetails_DamagedTextIsRefused(t *testing.T) {
	t.Parallel()
	accounts := []chain.Address{address(0, 1), address(7, 2)}
	for name, text := range map[string]string{
		"end of a number":                 "{\x02",
		"absent account":                  "{\x02\x02}",
		"another workchain":               "{\x02\x01}",
		"end of an id":                    "{\x03" + strings.Repeat("x", 31),
		"end of an id of the masterchain": "{\x04" + strings.Repeat("x", 31),
		"NUL":                             "{\x00}",
		"another byte":                    "{\x05}",
		"too long":                        strings.Repeat("\x02\x00", maxDetails/baseLength+1),
	} {
		require.Equal(t, -1, unpackedSize([]byte(text), accounts), name)
	}
	longest := strings.Repeat("\x02\x00", maxDetails/baseLength)
	require.Equal(t, maxDetails/baseLength*baseLength, unpackedSize([]byte(longest), accounts))
}

func FuzzPackedDetails_RoundTrips(f *testing.F) {
	own := address(0, 0xab)
	f.Add([]byte(`{"source":"`+own.String()+`"}`), byte(1))
	f.Add([]byte("{\x02\x00\x03"), byte(3))
	f.Add([]byte(`"-1:`+own.String()[2:]+`"`), byte(200))
	f.Fuzz(func(t *testing.T, data []byte, n byte) {
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		accounts := []chain.Address{own}
		for range n {
			accounts = append(accounts, address(rng.Int32N(3)-1, byte(rng.Uint32())))
		}
		if text, ok := appendText(nil, data, accounts); ok {
			require.Equal(t, string(data), unpacked(t, text, accounts))
			require.LessOrEqual(t, len(text), len(data))
		}
		if size := unpackedSize(data, accounts); size >= 0 {
			require.LessOrEqual(t, size, maxDetails)
			require.Len(t, appendDetails(nil, data, accounts), size)
		}
	})
}
