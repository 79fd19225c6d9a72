package assetlist

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

const (
	raw      = "0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe"
	friendly = "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs" // the same account
	other    = "0:0000000000000000000000000000000000000000000000000000000000000001"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func address(t *testing.T, text string) chain.Address {
	t.Helper()
	a, err := chain.ParseAddress(text)
	require.NoError(t, err)
	return a
}

func TestOpen_ReadsListsOfTheCommunityAndMarksOfTheOperator(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	jettons := write(t, filepath.Join(folder, "jettons.json"), `[
 {"name": "Tether USD", "symbol": "USD₮", "decimals": 6, "address": "`+friendly+`", "social": ["https://example.com"], "image": null}
]`)
	scams := write(t, filepath.Join(folder, "scams.json"), `[{"address": "`+other+`", "reputation": "scam"}]`)
	l, err := Open([]string{jettons, scams}, time.Minute, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Equal(t, chain.ReputationVerified, l.Reputation(address(t, raw)))
	require.Equal(t, chain.ReputationScam, l.Reputation(address(t, other)))
	require.Equal(t, chain.ReputationUnknown, l.Reputation(chain.Address{}))
	require.Equal(t, chain.ReputationUnknown, (*Lists)(nil).Reputation(address(t, raw)))

	marked := write(t, filepath.Join(folder, "marked.json"), `[{"address": "`+raw+`", "reputation": "scam"}]`)
	l, err = Open([]string{jettons, marked}, time.Minute, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Equal(t, chain.ReputationScam, l.Reputation(address(t, raw)), "the last file counts")
}

func TestCheck_ErrorsNameFileAndLine(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for text, want := range map[string]string{
		``:                                 ":1: an asset list is a JSON array",
		`{}`:                               ":1: an asset list is a JSON array",
		"[\n{\"address\":\"x\"}]":          `:2: address "x"`,
		"[\n\n{\"name\":\"x\"}]":           `:3: address ""`,
		"[\n{\"address\":7}]":              ":2: ",
		"[\n{\"address\":":                 ":2: ",
		"[\n{]":                            ":2: ",
		"[]\n[]":                           ":2: text behind the list",
		"[":                                ":1: ",
		"[7]":                              ":1: ",
		"[" + strings.Repeat("[", 100_000): ":1: ",
		"[\n{\"address\":\"" + raw + "\",\"reputation\":\"good\"}]": `:2: reputation "good": it is verified or scam`,
	} {
		path := write(t, filepath.Join(folder, "list.json"), text)
		err := Check(path)
		require.ErrorContains(t, err, path+want, "%.40s", text)
		require.Less(t, len(err.Error()), len(path)+300, "%.40s", text)
	}
	require.ErrorContains(t, Check(filepath.Join(folder, "none.json")), "none.json")
	huge := filepath.Join(folder, "huge.json")
	require.NoError(t, os.Truncate(write(t, huge, "["), maxBytes+1))
	require.ErrorContains(t, Check(huge), "at most")
}

func TestReputation_FileIsReadAgainWhenItChanges(t *testing.T) {
	t.Parallel()
	path := write(t, filepath.Join(t.TempDir(), "list.json"), `[]`)
	var log bytes.Buffer
	l, err := Open([]string{path}, time.Minute, slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, err)
	now := l.opened
	l.now = func() time.Time { return now }
	write(t, path, `[{"address":"`+raw+`"}]`)
	require.Equal(t, chain.ReputationUnknown, l.Reputation(address(t, raw)), "before the interval")
	now = now.Add(2 * time.Minute)
	require.Equal(t, chain.ReputationVerified, l.Reputation(address(t, raw)))

	write(t, path, `[{"address":"`+raw+`","reputation":"scam"},]`)
	for range 3 {
		now = now.Add(2 * time.Minute)
		require.Equal(t, chain.ReputationVerified, l.Reputation(address(t, raw)), "an invalid file changes nothing")
	}
	require.Equal(t, 1, strings.Count(log.String(), "asset lists unchanged"), log.String())
	require.Contains(t, log.String(), "list.json:1:")
	require.NoError(t, os.Remove(path))
	now = now.Add(2 * time.Minute)
	require.Equal(t, chain.ReputationVerified, l.Reputation(address(t, raw)))
}
