package fiat

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const master = "0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE"

func write(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rates.json")
	require.NoError(t, os.WriteFile(path, []byte(body), 0o600))
	return path
}

func open(t *testing.T, path string) *Rates {
	t.Helper()
	r, err := Open(path, "USD", time.Minute, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	return r
}

func TestRates_ReadsThePublishedForm(t *testing.T) {
	t.Parallel()
	r := open(t, write(t, `{"rates": {
		"TON": {"prices": {"USD": 5.125, "EUR": 4.5}, "diff_24h": {"USD": "-1.2%"}},
		"EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs": {"prices": {"USD": 1.0e-7}},
		"BTC": {"prices": {"USD": 100000}},
		"0:0000000000000000000000000000000000000000000000000000000000000001": {"prices": {"EUR": 1}}}}`))
	got := r.Current()
	require.Equal(t, "USD", got.Currency)
	require.Equal(t, "5.125", *got.TON)
	require.Len(t, got.Tokens, 1, "of tokens with an address and a price in the currency")
	require.Equal(t, master, got.Tokens[0].Account.String())
	require.Equal(t, "0.0000001", got.Tokens[0].Price)
	require.InDelta(t, time.Now().Unix(), got.UpdatedAt, 60)
}

func TestRates_WithoutASourceThereAreNone(t *testing.T) {
	t.Parallel()
	require.Nil(t, (*Rates)(nil).Current())
}

func TestRates_ChangedFileIsReadAgain(t *testing.T) {
	t.Parallel()
	path := write(t, `{"rates":{"TON":{"prices":{"USD":1}}}}`)
	r := open(t, path)
	now := time.Now()
	r.now = func() time.Time { return now }
	replace := func(body string) {
		require.NoError(t, os.WriteFile(path, []byte(body), 0o600))
		now = now.Add(2 * time.Minute)
		require.NoError(t, os.Chtimes(path, now, now))
	}
	replace(`{"rates":{"TON":{"prices":{"USD":2}}}}`)
	require.Equal(t, "2", *r.Current().TON)
	replace(`{"rates":`)
	require.Equal(t, "2", *r.Current().TON, "a broken file changes nothing")
	replace(`{"rates":{"TON":{"prices":{"USD":3}}}}`)
	require.Equal(t, "3", *r.Current().TON)
	now = now.Add(maxAge + time.Hour)
	require.Nil(t, r.Current(), "prices of a file that nobody writes any more are not shown")
}

func TestRates_BrokenFilesAreRefused(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"no JSON":       `{`,
		"another form":  `{"rates": []}`,
		"no price":      `{"rates": {"TON": {"prices": {"EUR": 1}}}}`,
		"negative":      `{"rates": {"TON": {"prices": {"USD": -1}}}}`,
		"huge exponent": `{"rates": {"TON": {"prices": {"USD": 1e999999999}}}}`,
		"huge number":   `{"rates": {"TON": {"prices": {"USD": ` + strings.Repeat("9", 1000) + `}}}}`,
		"huge":          `{"rates": {"TON": {"prices": {"USD": 1}}}}` + strings.Repeat(" ", maxBytes),
	} {
		_, err := Open(write(t, body), "USD", time.Minute, slog.New(slog.DiscardHandler))
		require.Error(t, err, name)
	}
	_, err := Open(filepath.Join(t.TempDir(), "none"), "USD", time.Minute, slog.New(slog.DiscardHandler))
	require.Error(t, err)
	_, err = Open(write(t, `{"rates":{"TON":{"prices":{"USD":1}}}}`), "usd", time.Minute, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "upper-case")
}
