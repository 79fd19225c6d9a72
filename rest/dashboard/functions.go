package dashboard

import (
	"bytes"
	"encoding/json"
	"html/template"
	"math/big"
	"strings"
	"time"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

// functions are the functions of templates.
func (d *dashboard) functions() template.FuncMap {
	return template.FuncMap{
		"time": func(t any) string {
			switch t := t.(type) {
			case time.Time:
				return t.UTC().Format("2006-01-02 15:04:05")
			case *time.Time:
				if t != nil {
					return t.UTC().Format("2006-01-02 15:04:05")
				}
			}
			return "–"
		},
		"moment":  moment,
		"amounts": func(r *payment.Record) payment.Amounts { return r.Amounts() },
		"units":   func(n *big.Int, r *payment.Record) string { return payment.FormatAmount(n, r.Asset.Decimals) },
		"status": func(r *payment.Record) string {
			if r.Expired(d.Now()) {
				return expired
			}
			return string(r.Status)
		},
		"trace":       func(h *chain.Hash) string { return pageOf(d.TraceLink, h) },
		"transaction": func(h *chain.Hash) string { return pageOf(d.TransactionLink, h) },
		"hash":        func(h chain.Hash) *chain.Hash { return &h },
		"friendly":    func(a chain.Address) string { return a.Friendly(false, d.TestOnly) },
		"pretty":      pretty,
		"refunded":    func(reference string, sums map[string]*big.Int) *big.Int { return sums[reference] },
		// The scheme ton is none that html/template lets pass; the links are those of payment.WalletLinks.
		"wallet": func(url string) template.URL { return template.URL(url) }, //nolint:gosec // made from an address, a number and a reference
		"date":   func(unix uint32) string { return time.Unix(int64(unix), 0).UTC().Format("2006-01-02 15:04:05") },
		"text":   func(b []byte) string { return string(b) },
		"split":  strings.Fields,
		"here":   func(r payment.Record) *payment.Record { return &r },
		"lastof": func(list []payment.Attempt) int { return len(list) - 1 },
	}
}

// pageOf returns the URL of a page about a hash, "" for none.
func pageOf(pattern string, h *chain.Hash) string {
	if h == nil {
		return ""
	}
	return strings.ReplaceAll(pattern, "{}", h.Hex())
}

// pretty formats a JSON text with white space; another text stays as it is.
func pretty(body []byte) string {
	var b bytes.Buffer
	if err := json.Indent(&b, body, "", "  "); err != nil {
		return string(body)
	}
	return b.String()
}
