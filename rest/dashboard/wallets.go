package dashboard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tonql/internal/chain"
)

// Limits of a list of wallets.
const (
	maxWalletFile  = 1 << 20 // bytes
	maxWallets     = 200     // entries
	maxBridges     = 64      // a page that waits for a wallet has a connection to each
	maxWalletName  = 64      // bytes
	maxWalletURL   = 512     // bytes
	bridgeOverHTTP = "sse"   // the type of a bridge that pages can use; the others are of browser extensions
)

// Wallet is a wallet that pages of buyers connect to by TON Connect.
type Wallet struct {
	Name   string `json:"name"`
	URL    string `json:"url"`    // universal URL that opens the wallet
	Bridge string `json:"bridge"` // base URL of its HTTP bridge, without a slash at the end
}

// walletEntry is an entry of the community's list of wallets. Other members are ignored.
type walletEntry struct {
	Name   string `json:"name"`
	URL    string `json:"universal_url"`
	Bridge []struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	} `json:"bridge"`
	Features []json.RawMessage `json:"features"`
}

// ReadWallets reads a list of wallets: a JSON array in the form of wallets-v2.json of ton-blockchain/wallets-list. Wallets without an
// HTTP bridge, such as extensions of browsers, and those that cannot send transactions are left out. URLs are https; local also allows http
// to loopback addresses. Errors name the file and the entry.
func ReadWallets(path string, local bool) ([]Wallet, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("list of wallets: %w", err)
	}
	defer file.Close()
	body, err := io.ReadAll(io.LimitReader(file, maxWalletFile+1))
	if err != nil {
		return nil, fmt.Errorf("list of wallets: %w", err)
	}
	if len(body) > maxWalletFile {
		return nil, chain.Invalidf("%s: a list of wallets has at most %d bytes", path, maxWalletFile)
	}
	wallets, err := parseWallets(body, local)
	if err != nil {
		return nil, chain.Invalidf("%s: %s", path, err.Error())
	}
	return wallets, nil
}

func parseWallets(body []byte, local bool) (wallets []Wallet, err error) {
	var entries []walletEntry
	if err := json.Unmarshal(body, &entries); err != nil {
		return nil, fmt.Errorf("a list of wallets is a JSON array of objects with name, universal_url and bridge: %w", err)
	}
	if len(entries) > maxWallets {
		return nil, fmt.Errorf("%d entries; at most %d", len(entries), maxWallets)
	}
	for i, e := range entries {
		w, err := e.wallet(local)
		if err != nil {
			return nil, fmt.Errorf("entry %d (%s): %w", i+1, chain.Quote(e.Name), err)
		}
		if w != nil {
			wallets = append(wallets, *w)
		}
	}
	if len(wallets) == 0 {
		return nil, errors.New("no entry has a bridge of type sse; without wallets, leave the setting out")
	}
	if n := len(bridges(wallets)); n > maxBridges {
		return nil, fmt.Errorf("%d bridges; at most %d", n, maxBridges)
	}
	return wallets, nil
}

// wallet returns the wallet of an entry, nil for one that pages cannot use.
func (e *walletEntry) wallet(local bool) (*Wallet, error) {
	w := Wallet{Name: e.Name, URL: e.URL}
	found := false
	for _, b := range e.Bridge {
		if b.Type == bridgeOverHTTP && !found {
			found, w.Bridge = true, strings.TrimRight(b.URL, "/")
			if err := checkWalletURL("url of the bridge", b.URL, local); err != nil {
				return nil, err
			}
			if strings.Contains(b.URL, "?") {
				return nil, fmt.Errorf("url of the bridge: %s has a query", chain.Quote(b.URL))
			}
		}
	}
	if !found || !e.sends() {
		return nil, nil //nolint:nilnil // left out
	}
	if w.Name == "" || len(w.Name) > maxWalletName || !isLabel(w.Name) {
		return nil, fmt.Errorf("name has 1 to %d bytes of printable text", maxWalletName)
	}
	return &w, checkWalletURL("universal_url", w.URL, local)
}

// sends reports whether an entry has the feature SendTransaction, or none at all, as entries of earlier lists. Features are names or
// objects with a name.
func (e *walletEntry) sends() bool {
	return len(e.Features) == 0 || slices.ContainsFunc(e.Features, func(raw json.RawMessage) bool {
		var feature struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(raw, &feature.Name) != nil {
			_ = json.Unmarshal(raw, &feature) // anything else is no feature
		}
		return feature.Name == "SendTransaction"
	})
}

func isLabel(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// checkWalletURL returns an error for a URL that is not https with a host, and nothing that a policy or a link must not contain.
func checkWalletURL(name, text string, local bool) error {
	u, err := url.Parse(text)
	switch {
	case text == "":
		return fmt.Errorf("%s is missing", name)
	case len(text) > maxWalletURL:
		return fmt.Errorf("%s has %d bytes; at most %d", name, len(text), maxWalletURL)
	case err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" || !isHostAndPort(u.Host) || strings.ContainsAny(text, " \"<>\\"):
		return fmt.Errorf("%s: %s is not a URL with a host, without user and fragment", name, chain.Quote(text))
	case u.Scheme == "https" || local && u.Scheme == "http" && isLoopback(u.Hostname()):
		return nil
	}
	return fmt.Errorf("%s: %s is not https", name, chain.Quote(text))
}

// isHostAndPort reports whether a host has only characters that a source of a Content-Security-Policy can have.
func isHostAndPort(host string) bool {
	return strings.Trim(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]") == ""
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// bridges lists the distinct bridges of wallets in their order.
func bridges(wallets []Wallet) (list []string) {
	for _, w := range wallets {
		if !slices.Contains(list, w.Bridge) {
			list = append(list, w.Bridge)
		}
	}
	return list
}

// bridgeOrigins lists the distinct origins of bridges, as sources of a Content-Security-Policy.
func bridgeOrigins(wallets []Wallet) (list []string) {
	for _, b := range bridges(wallets) {
		u, err := url.Parse(b)
		if err != nil {
			continue // ReadWallets parsed it
		}
		if origin := u.Scheme + "://" + strings.ToLower(u.Host); !slices.Contains(list, origin) {
			list = append(list, origin)
		}
	}
	return list
}
