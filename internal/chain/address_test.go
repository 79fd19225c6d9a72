package chain_test

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	tonaddress "github.com/xssnick/tonutils-go/address"

	"tonql/internal/chain"
)

const rawExample = "0:CA6E321C7CCE9ECEDF0A8CA2492EC8592494AA5FB5CE0387DFF96EF6AF982A3E"

func TestParseAddress_ReadsEveryForm(t *testing.T) {
	t.Parallel()
	want, err := chain.ParseAddress(rawExample)
	require.NoError(t, err)
	for name, form := range map[string]string{
		"raw lower case":           strings.ToLower(rawExample),
		"bounceable":               want.Friendly(true, false),
		"non-bounceable":           want.Friendly(false, false),
		"test-only bounceable":     want.Friendly(true, true),
		"test-only non-bounceable": want.Friendly(false, true),
		"standard base64":          strings.NewReplacer("-", "+", "_", "/").Replace(want.Friendly(true, false)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := chain.ParseAddress(form)
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
}

func TestParseAddress_RefusesMalformedText(t *testing.T) {
	t.Parallel()
	good, err := chain.ParseAddress(rawExample)
	require.NoError(t, err)
	friendly := good.Friendly(true, false)
	flipped := []byte(friendly)
	flipped[10] ^= 1
	for name, form := range map[string]string{
		"empty":               "",
		"hex alone":           rawExample[2:],
		"short hex":           rawExample[:len(rawExample)-1],
		"not hex":             "0:" + strings.Repeat("G", 64),
		"workchain too large": "128:" + rawExample[2:],
		"no workchain":        ":" + rawExample[2:],
		"checksum":            string(flipped),
		"cut":                 friendly[:47],
		"unknown tag":         base64.URLEncoding.EncodeToString(make([]byte, 36)),
		"control characters":  "\x00\n\x1b[31m",
		"line breaks":         friendly[:44] + "\n\n\n\n", // which decoders of base64 skip
		"line break inside":   friendly[:20] + "\r\n\r\n" + friendly[20:44],
		"padding":             friendly[:46] + "==",
		"long hex":            rawExample + "00",
		"hex of two colons":   "0:" + rawExample,
		"fraction":            "0.0:" + rawExample[2:],
		"low workchain":       "-129:" + rawExample[2:],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := chain.ParseAddress(form)
			require.Equal(t, chain.Invalid, chain.KindOf(err))
		})
	}
}

func TestAddressCompare_OrdersAsTheBytesDo(t *testing.T) {
	t.Parallel()
	var all []chain.Address
	for _, wc := range []int32{-128, -1, 0, 1, 127} {
		for _, b := range []byte{0, 1, 255} {
			all = append(all, chain.Address{Workchain: wc, ID: chain.Hash{b}})
		}
	}
	byBytes := slices.Clone(all)
	slices.Reverse(all)
	slices.SortFunc(byBytes, func(a, b chain.Address) int { return bytes.Compare(a.Bytes(), b.Bytes()) })
	slices.SortFunc(all, chain.Address.Compare)
	require.Equal(t, all, byBytes)
	for _, a := range all {
		back, err := chain.AddressFrom(a.Bytes())
		require.NoError(t, err)
		require.Equal(t, a, back)
	}
}

// tonutils-go parses the user-friendly form to the same address and flags.
func FuzzParseAddress_AgreesWithTonutils(f *testing.F) {
	f.Add(rawExample)
	f.Add("EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF")
	f.Add("-1:" + strings.Repeat("0", 64))
	f.Add("addr_none")
	f.Fuzz(func(t *testing.T, s string) {
		a, err := chain.ParseAddress(s)
		if err != nil {
			require.Equal(t, chain.Invalid, chain.KindOf(err))
			return
		}
		for _, bounceable := range []bool{true, false} {
			for _, testOnly := range []bool{true, false} {
				text := a.Friendly(bounceable, testOnly)
				other, err := tonaddress.ParseAddr(text)
				require.NoError(t, err)
				require.Equal(t, a.Workchain, other.Workchain())
				require.Equal(t, a.ID[:], other.Data())
				require.Equal(t, bounceable, other.IsBounceable())
				require.Equal(t, testOnly, other.IsTestnetOnly())
				same, form, err := chain.ParseAddressForm(text)
				require.NoError(t, err)
				require.Equal(t, a, same)
				require.Equal(t, chain.AddressForm{Bounceable: bounceable, TestOnly: testOnly}, form)
			}
		}
		back, form, err := chain.ParseAddressForm(a.String())
		require.NoError(t, err)
		require.Equal(t, a, back)
		require.Equal(t, chain.AddressForm{Raw: true, Bounceable: true}, form)
	})
}
