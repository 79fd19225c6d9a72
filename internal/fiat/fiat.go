// Package fiat reads prices of coins and tokens in a currency of states from a file that the operator keeps up to date. There are no
// prices without it: tonql requests none from anybody.
//
// The file has the form of tonapi's /v2/rates: {"rates": {"TON": {"prices": {"USD": 5.12}}, "EQ…": {"prices": {"USD": 1}}}}. Keys are TON
// and addresses of Jetton masters in any form; other keys, members and currencies are ignored.
package fiat

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"tonql/internal/chain"
	"tonql/internal/jsontext"
)

const (
	// maxBytes bounds the file.
	maxBytes = 4 << 20
	// maxTokens bounds the tokens with a price.
	maxTokens = 10_000
	// maxAge is how long the prices of a file are shown after it was written.
	maxAge = 24 * time.Hour
)

// Rates are the prices in the file. They are safe for concurrent use. The file is checked at intervals, on use, and read again when its
// time or size has changed; while it cannot be read, the prices of the last time stay in use.
type Rates struct {
	path, currency string
	interval       time.Duration
	logger         *slog.Logger
	now            func() time.Time

	mu      sync.Mutex // guards the rest
	checked time.Time
	modTime time.Time
	size    int64
	current *chain.FiatRates
}

var currencyCode = regexp.MustCompile(`^[A-Z]{3,5}$`)

// CheckCurrency returns what is wrong with the code of a currency.
func CheckCurrency(code string) error {
	if !currencyCode.MatchString(code) {
		return chain.Invalidf("currency %s: it is a code of 3 to 5 upper-case letters, such as USD", chain.Quote(code))
	}
	return nil
}

// Open reads the file, which must be valid.
func Open(path, currency string, interval time.Duration, logger *slog.Logger) (*Rates, error) {
	if err := CheckCurrency(currency); err != nil {
		return nil, err
	}
	r := &Rates{path: path, currency: currency, interval: interval, logger: logger, now: time.Now}
	return r, r.reload()
}

// Current returns the prices; nil without a file, and when the file is older than a day.
func (r *Rates) Current() *chain.FiatRates {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.now(); now.Sub(r.checked) >= r.interval {
		if err := r.reload(); err != nil {
			r.logger.Warn("prices unchanged", "err", err)
		}
	}
	if r.now().Sub(r.modTime) > maxAge {
		return nil
	}
	return r.current
}

// reload reads the file if it has changed.
func (r *Rates) reload() error {
	r.checked = r.now()
	info, err := os.Stat(r.path)
	if err != nil {
		return fmt.Errorf("prices: %w", err)
	}
	if r.current != nil && info.ModTime().Equal(r.modTime) && info.Size() == r.size {
		return nil
	}
	file, err := os.Open(r.path)
	if err != nil {
		return fmt.Errorf("prices: %w", err)
	}
	defer file.Close()
	body, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return fmt.Errorf("prices: %w", err)
	}
	rates, err := parse(body, r.currency)
	if err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	rates.UpdatedAt = uint32(max(0, info.ModTime().Unix()))
	r.current, r.modTime, r.size = rates, info.ModTime(), info.Size()
	return nil
}

// number is a decimal number without an exponent.
var number = regexp.MustCompile(`^\d{1,30}(\.\d{1,30})?$`)

func parse(body []byte, currency string) (*chain.FiatRates, error) {
	if len(body) > maxBytes {
		return nil, chain.Invalidf("a file of prices has at most %d bytes", maxBytes)
	}
	var file struct {
		Rates map[string]struct {
			Prices map[string]json.Number `json:"prices"`
		} `json:"rates"`
	}
	if err := json.Unmarshal(body, &file); err != nil {
		return nil, errors.New(jsontext.Reason(err, &file))
	}
	rates := &chain.FiatRates{Currency: currency}
	for key, token := range file.Rates {
		price, ok := token.Prices[currency]
		if !ok {
			continue
		}
		text, err := decimal(price.String())
		if err != nil {
			return nil, fmt.Errorf("price of %s: %w", chain.Quote(key), err)
		}
		if key == "TON" {
			rates.TON = &text
			continue
		}
		if a, err := chain.ParseAddress(key); err == nil {
			rates.Tokens = append(rates.Tokens, chain.FiatRate{Account: a, Price: text})
		}
	}
	if len(rates.Tokens) > maxTokens {
		return nil, chain.Invalidf("more than %d tokens", maxTokens)
	}
	if rates.TON == nil && len(rates.Tokens) == 0 {
		return nil, chain.Invalidf(`no price in %s: a file of prices is {"rates": {"TON": {"prices": {"%s": 1.5}}}}`, currency, currency)
	}
	slices.SortFunc(rates.Tokens, func(a, b chain.FiatRate) int { return a.Account.Compare(b.Account) })
	return rates, nil
}

// decimal returns a number in decimal digits; JSON also has exponents.
func decimal(text string) (string, error) {
	if number.MatchString(text) {
		return text, nil
	}
	if len(text) > 40 {
		return "", chain.Invalidf("%s: a price is a number that is not negative", chain.Quote(text))
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(strings.TrimLeft(exponent, "+-0")) > 2 || strings.HasPrefix(mantissa, "-") {
		return "", chain.Invalidf("%s: a price is a number that is not negative", chain.Quote(text))
	}
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		return "", chain.Invalidf("%s: a price is a number that is not negative", chain.Quote(text))
	}
	short := strings.TrimRight(strings.TrimRight(v.FloatString(30), "0"), ".")
	if !number.MatchString(short) {
		return "", chain.Invalidf("%s: a price has at most 30 digits", chain.Quote(text))
	}
	return short, nil
}
