package metadata

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestOverrides_ReplaceMetadataAndAreReread(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "overrides.json")
	a := job(1, nil).Address
	written := time.Now().Add(-time.Hour)
	write := func(text string) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		written = written.Add(time.Second)
		require.NoError(t, os.Chtimes(path, written, written))
	}
	write(`{"` + a.String() + `":{"name":"Ours","is_scam":true,"extra":{"decimals":9,"social":null}}}`)
	o, err := OpenOverrides(path, time.Minute, nil)
	require.NoError(t, err)
	now := time.Now()
	o.now = func() time.Time { return now }

	found := chain.Metadata{
		Address: a, Kind: chain.TokenJettonMaster, Name: "Theirs", Symbol: "T",
		Extra: map[string]any{"social": "x", "uri": "y"},
	}
	m := o.Apply(found)
	require.Equal(t, "Ours", m.Name)
	require.Equal(t, "T", m.Symbol)
	require.True(t, *m.Scam)
	require.Nil(t, m.NSFW)
	require.True(t, m.Valid && m.Indexed)
	require.Equal(t, map[string]any{"decimals": json.Number("9"), "uri": "y"}, m.Extra)
	require.Equal(t, map[string]any{"social": "x", "uri": "y"}, found.Extra, "the argument is not changed")
	require.Equal(t, "Theirs", o.Apply(chain.Metadata{Address: job(2, nil).Address, Name: "Theirs"}).Name)

	write(`{"` + a.String() + `":{"name":"Changed"}}`)
	require.Equal(t, "Ours", o.Apply(found).Name, "the file is not read again yet")
	now = now.Add(2 * time.Minute)
	require.Equal(t, "Changed", o.Apply(found).Name)

	write(`{"broken`)
	now = now.Add(2 * time.Minute)
	require.Equal(t, "Changed", o.Apply(found).Name, "a broken file changes nothing")
	require.Error(t, o.Err())

	write(`{"` + a.String() + `":{"is_nsfw":true}}`)
	now = now.Add(2 * time.Minute)
	require.False(t, o.Apply(found).Valid, "a flag alone makes nothing valid")
	require.NoError(t, o.Err())
	require.NoError(t, os.Remove(path))
	now = now.Add(2 * time.Minute)
	require.True(t, *o.Apply(found).NSFW)
	require.Error(t, o.Err())

	var none *Overrides
	require.Equal(t, found, none.Apply(found))
}

func TestOpenOverrides_RefusesInvalidFiles(t *testing.T) {
	t.Parallel()
	a := job(1, nil).Address
	for _, text := range []string{
		"", "[]", `{"x":{}}`, `{"` + a.String() + `":{"title":"x"}}`,
		`{"` + a.String() + `":{},"` + a.Friendly(true, false) + `":{}}`,
	} {
		path := filepath.Join(t.TempDir(), "overrides.json")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := OpenOverrides(path, 0, nil)
		require.Error(t, err, text)
	}
	_, err := OpenOverrides(filepath.Join(t.TempDir(), "none"), 0, nil)
	require.Error(t, err)
}
