package payment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/payment"
)

func TestParseEmail_OnePlainAddress(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"": true, " shop@example.org ": true, "a.b+c@sub.example.org": true,
		"shop": false, "shop@localhost": false, "Shop <shop@example.org>": false, "a@b.example, c@d.example": false, "a@b.example\r\nBcc: c@d.example": false,
		"a b@example.org": false, "ü@example.org": false, strings.Repeat("a", 250) + "@b.example": false,
		strings.Repeat("a", 60) + "@" + strings.Repeat(strings.Repeat("b", 62)+".", 3) + "cccc":  true, // 254 bytes
		strings.Repeat("a", 60) + "@" + strings.Repeat(strings.Repeat("b", 62)+".", 3) + "ccccc": false,
		"a\x7f@example.org": false, "<a@example.org>": false,
	} {
		got, err := payment.ParseEmail(text)
		require.Equal(t, ok, err == nil, text)
		if ok {
			require.Equal(t, strings.TrimSpace(text), got)
		}
	}
}
