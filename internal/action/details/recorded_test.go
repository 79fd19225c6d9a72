package details_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	_ "tonql/internal/action/all"
	"tonql/internal/action/details"
	"tonql/internal/action/recording"
)

func fixtures(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("TONQL_ACTION_FIXTURES")
	if folder == "" {
		t.Skip("TONQL_ACTION_FIXTURES does not name a folder of recorded traces")
	}
	return folder
}

// Every action of every recorded trace has details, which are marshaled and parsed again.
func TestRecordedTraces_HaveReadableDetails(t *testing.T) {
	t.Parallel()
	for _, a := range classified(t) {
		requireDetails(t, a)
	}
}

// Every row of the reference has details too, whether the classifier finds it or not.
func TestRecordedRows_HaveReadableDetails(t *testing.T) {
	t.Parallel()
	f, err := os.Open(filepath.Join(fixtures(t), "reference.json.gz"))
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var doc struct {
		Traces map[string]struct {
			Actions []json.RawMessage `json:"actions"`
		} `json:"traces"`
	}
	require.NoError(t, json.NewDecoder(z).Decode(&doc))
	kinds := map[string]bool{}
	for _, trace := range doc.Traces {
		for _, text := range trace.Actions {
			a := recorded(t, text)
			requireDetails(t, a)
			kinds[a.Type] = true
		}
	}
	require.Greater(t, len(kinds), 40)
}

func requireDetails(t *testing.T, a *action.Action) {
	t.Helper()
	d, err := details.Of(a)
	require.NoError(t, err)
	require.Equal(t, a.Type, d.Kind())
	requireRoundTrip(t, d)
	// Every value of a composite column is in some member, except those that are not published.
	text, err := json.Marshal(d)
	require.NoError(t, err)
	for _, p := range a.Payloads {
		raw, err := json.Marshal(p)
		require.NoError(t, err)
		requirePrinted(t, a, raw, text)
	}
}

// unpublished are members of composite columns that details leave out.
var unpublished = map[string]bool{
	"sender": true, "is_refund": true, "is_ton": true, "dex_jetton_wallet_1": true, "dex_jetton_wallet_2": true,
	"dex_wallet_1": true, "dex_wallet_2": true, "marketplace": true, "tokens_burnt": true, "min_out_amount": true,
	"payout_address": true, "royalty_address": true, "marketplace_fee_address": true,
}

// requirePrinted requires each scalar of a composite column in the JSON of the details.
func requirePrinted(t *testing.T, a *action.Action, raw, text []byte) {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &members))
	for name, value := range members {
		if unpublished[name] || len(value) == 0 || value[0] == 'n' || value[0] == '{' || value[0] == '[' {
			continue
		}
		require.True(t, bytes.Contains(text, bytes.Trim(value, `"`)), "%s: %s=%s in %s", a.Type, name, value, text)
	}
}

func classified(t testing.TB) []*action.Action {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(fixtures(t), "traces", "*.json.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all []*action.Action
	for _, name := range files {
		f, err := os.Open(name)
		require.NoError(t, err)
		trace, records, err := recording.Read(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		actions, err := action.Classify(trace, records)
		require.NoError(t, err)
		all = append(all, actions...)
	}
	return all
}

// recorded reads a row of the reference.
func recorded(t *testing.T, text []byte) *action.Action {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &members))
	textOf := func(name string) (s string) {
		if raw, ok := members[name]; ok {
			require.NoError(t, json.Unmarshal(raw, &s))
		}
		return s
	}
	number := func(name string) *big.Int {
		n, _ := new(big.Int).SetString(string(members[name]), 10)
		return n
	}
	a := &action.Action{ID: textOf("action_id"), Type: textOf("type"), Columns: action.Columns{
		Source: textOf("source"), SourceSecondary: textOf("source_secondary"), Destination: textOf("destination"),
		DestinationSecondary: textOf("destination_secondary"), Asset: textOf("asset"), AssetSecondary: textOf("asset_secondary"),
		Asset2: textOf("asset2"), Asset2Secondary: textOf("asset2_secondary"), Value: number("value"), Amount: number("amount"),
	}}
	if op := number("opcode"); op != nil {
		a.Opcode = new(uint32(op.Uint64()))
	}
	for name, raw := range members {
		if strings.HasSuffix(name, "_data") {
			a.Payloads = append(a.Payloads, column{name, string(raw)})
		}
	}
	return a
}

func BenchmarkOf(b *testing.B) {
	all := classified(b)
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		d, err := details.Of(all[i%len(all)])
		require.NoError(b, err)
		_, err = json.Marshal(d)
		require.NoError(b, err)
	}
}
