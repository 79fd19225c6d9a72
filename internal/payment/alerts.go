package payment

import (
	"net/mail"
	"strings"

	"tonql/internal/chain"
)

// Alerts are where a merchant is alerted about failing endpoints.
type Alerts struct {
	Email string // empty for none
	URL   string // of a webhook that takes a JSON object with the member text, as chat programs do; empty for none
}

// maxEmail is the longest address that a mail server accepts, in bytes.
const maxEmail = 254

// ParseEmail returns one plain e-mail address, without a display name. An empty text is none.
func ParseEmail(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", nil
	}
	wrong := chain.Invalidf("%s is not an e-mail address", chain.Quote(text[:min(len(text), maxEmail)]))
	if len(text) > maxEmail || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", wrong
	}
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Name != "" || parsed.Address != text || !strings.Contains(text[strings.LastIndexByte(text, '@'):], ".") {
		return "", wrong
	}
	return text, nil
}
