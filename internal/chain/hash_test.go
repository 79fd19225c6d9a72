package chain_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestParseHash_ReadsEveryForm(t *testing.T) {
	t.Parallel()
	want := chain.Hash{0xfb, 0xff, 1, 2, 3, 31: 0xfe}
	for name, form := range map[string]string{
		"base64":     want.String(),
		"base64url":  base64.URLEncoding.EncodeToString(want[:]),
		"hex":        want.Hex(),
		"upper hex":  strings.ToUpper(want.Hex()),
		"hex and 0x": "0x" + want.Hex(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := chain.ParseHash(form)
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
}

func TestParseHash_RefusesMalformedText(t *testing.T) {
	t.Parallel()
	good := chain.Hash{1}.String()
	for name, form := range map[string]string{
		"empty":           "",
		"without padding": strings.TrimRight(good, "="),
		"line breaks":     good[:40] + "\n\n\n\n", // which decoders of base64 skip
		"line break":      good[:43] + "\n",
		"two lengths":     "0x" + good,
		"short hex":       strings.Repeat("0", 63),
		"not hex":         strings.Repeat("g", 64),
		"not base64":      strings.Repeat("!", 44),
		"stray bits":      strings.Repeat("A", 42) + "B=",
		"33 bytes":        strings.Repeat("A", 44),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := chain.ParseHash(form)
			require.Equal(t, chain.Invalid, chain.KindOf(err))
		})
	}
}

func FuzzParseHash_RoundTrips(f *testing.F) {
	f.Add(chain.Hash{1, 2, 3}.String())
	f.Add(chain.Hash{1, 2, 3}.Hex())
	f.Add("0x")
	f.Fuzz(func(t *testing.T, s string) {
		h, err := chain.ParseHash(s)
		if err != nil {
			require.Equal(t, chain.Invalid, chain.KindOf(err))
			return
		}
		back, err := chain.ParseHash(h.String())
		require.NoError(t, err)
		require.Equal(t, h, back)
	})
}

func TestHashFrom_OtherLengthsAreNoHash(t *testing.T) {
	t.Parallel()
	b := []byte(strings.Repeat("\x01", 33))
	require.Equal(t, chain.Hash{}, chain.HashFrom(b))
	require.Equal(t, chain.Hash{}, chain.HashFrom(b[:31]))
	require.Equal(t, chain.Hash{}, chain.HashFrom(nil))
	require.Equal(t, b[:32], chain.HashFrom(b[:32]).Bytes())
}
