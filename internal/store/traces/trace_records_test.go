package traces

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// The URI of a content is read from its JSON without the rest, whatever characters it and other values have.
func TestURIOf_IsTheBeginningOfTheURI(t *testing.T) {
	t.Parallel()
	for _, uri := range []string{
		"", "https://nft.fragment.com/username/durov.json", "a\x00b", `"uri":"quoted"`, `back\slash\\`, "\u2028 ü 😀", strings.Repeat("\x01", 3000),
		strings.Repeat("😀", 999) + "abc", strings.Repeat("x", 1000), strings.Repeat(`\"`, 2000),
	} {
		for _, other := range []string{"", `,"uri":"no"`, "\x00", `\`} {
			content, err := json.Marshal(chain.Content{"description": other, "uri": uri, "z": other})
			require.NoError(t, err)
			text := string(content)
			at := strings.Index(text, keyOfURI)
			got := uriOf(string([]rune(text[at:])[:min(maxURI, len([]rune(text[at:])))]))
			want := []rune(uri)
			require.Equal(t, string(want[:min(len(want), chain.MaxTraceURI)]), got)
		}
	}
}
