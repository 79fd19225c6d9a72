package dashboard_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/rest/dashboard"
)

// listOfWallets has entries in the forms of the community's list: a wallet with both kinds of bridges, one of an earlier list without
// features, an extension of browsers, and a wallet that cannot send.
const listOfWallets = `[
  {"app_name": "alpha", "name": "Alpha", "image": "https://alpha.example/icon.png", "about_url": "https://alpha.example",
   "universal_url": "https://alpha.example/ton-connect", "bridge": [{"type": "js", "key": "alpha"}, {"type": "sse", "url": "https://bridge.alpha.example/bridge/"}],
   "platforms": ["ios"], "features": [{"name": "SendTransaction", "maxMessages": 4}]},
  {"name": "Beta ☕", "universal_url": "https://t.me/beta?attach=wallet", "bridge": [{"type": "sse", "url": "https://BRIDGE.alpha.example/other"}]},
  {"name": "Extension", "bridge": [{"type": "js", "key": "x"}]},
  {"name": "Names", "universal_url": "https://names.example", "bridge": [{"type": "sse", "url": "https://b.names.example:8443"}], "features": ["SendTransaction"]},
  {"name": "Reader", "universal_url": "https://r.example", "bridge": [{"type": "sse", "url": "https://r.example/b"}], "features": [{"name": "SignData"}, 7]}
]`

func walletFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wallets.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestReadWallets_CommunityListIsRead(t *testing.T) {
	t.Parallel()
	wallets, err := dashboard.ReadWallets(walletFile(t, listOfWallets), false)
	require.NoError(t, err)
	require.Equal(t, []dashboard.Wallet{
		{"Alpha", "https://alpha.example/ton-connect", "https://bridge.alpha.example/bridge"},
		{"Beta ☕", "https://t.me/beta?attach=wallet", "https://BRIDGE.alpha.example/other"},
		{"Names", "https://names.example", "https://b.names.example:8443"},
	}, wallets)
}

func TestReadWallets_MistakesNameFileAndEntry(t *testing.T) {
	t.Parallel()
	entry := func(name, universal, bridge string) string {
		return fmt.Sprintf(`[%s, {"name": %q, "universal_url": %q, "bridge": [{"type": "sse", "url": %q}]}]`,
			`{"name": "Good", "universal_url": "https://good.example", "bridge": [{"type": "sse", "url": "https://good.example/b"}]}`, name, universal, bridge)
	}
	const good = "https://w.example"
	many := func(n int, format string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(format, i)
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":            {"{", "a list of wallets is a JSON array"},
		"an object":          {"{}", "a list of wallets is a JSON array"},
		"empty":              {"[]", "no entry has a bridge of type sse"},
		"only extensions":    {`[{"name": "x", "bridge": [{"type": "js"}]}]`, "no entry has a bridge of type sse"},
		"too large":          {"[" + strings.Repeat(" ", 1<<20) + "]", "at most 1048576 bytes"},
		"too many":           {many(201, `{"name": "w%d"}`), "201 entries; at most 200"},
		"too many bridges":   {many(65, `{"name": "w", "universal_url": "https://w.example", "bridge": [{"type": "sse", "url": "https://b%d.example"}]}`), "65 bridges; at most 64"},
		"bridge over http":   {entry("W", good, "http://b.example"), `entry 2 ("W"): url of the bridge: "http://b.example" is not https`},
		"loopback":           {entry("W", good, "http://127.0.0.1:1/b"), "is not https"},
		"no bridge URL":      {entry("W", good, ""), "url of the bridge is missing"},
		"wallet over http":   {entry("W", "http://w.example", good), `universal_url: "http://w.example" is not https`},
		"script":             {entry("W", "javascript:alert(1)", good), "universal_url"},
		"no universal URL":   {entry("W", "", good), `entry 2 ("W"): universal_url is missing`},
		"policy in a bridge": {entry("W", good, "https://b.example; script-src *"), "url of the bridge"},
		"comma in a bridge":  {entry("W", good, "https://b.example,https://c.example"), "url of the bridge"},
		"wildcard":           {entry("W", good, "https://*.example"), "url of the bridge"},
		"user":               {entry("W", good, "https://u:p@b.example"), "url of the bridge"},
		"query":              {entry("W", good, "https://b.example/?a=1"), "has a query"},
		"long URL":           {entry("W", good, good+"/"+strings.Repeat("a", 512)), "at most 512"},
		"no name":            {entry("", good, good), "name has 1 to 64 bytes"},
		"long name":          {entry(strings.Repeat("n", 65), good, good), "name has 1 to 64 bytes"},
		"control character":  {entry("a\u202eb", good, good), "name has 1 to 64 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := walletFile(t, c.text)
			_, err := dashboard.ReadWallets(path, false)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, path)
		})
	}
	_, err := dashboard.ReadWallets(filepath.Join(t.TempDir(), "none"), false)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// On a local chain, bridges and wallets may be on this machine; elsewhere http is refused all the same.
func TestReadWallets_LocalChainsHaveLocalBridges(t *testing.T) {
	t.Parallel()
	for bridge, ok := range map[string]bool{
		"http://127.0.0.1:8080/bridge": true, "http://[::1]:8080": true, "http://localhost:1": true, "http://192.168.0.1": false, "http://b.example": false, "ftp://localhost": false,
	} {
		_, err := dashboard.ReadWallets(walletFile(t, fmt.Sprintf(`[{"name": "W", "universal_url": "https://w.example", "bridge": [{"type": "sse", "url": %q}]}]`, bridge)), true)
		require.Equal(t, ok, err == nil, "%s: %v", bridge, err)
	}
}
