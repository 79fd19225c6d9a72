package conformance

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/xssnick/tonutils-go/address"
)

// kinds are the forms of values that records name.
var kinds = map[string]func(any) bool{
	"any":     func(any) bool { return true },
	"str":     isText,
	"bool":    func(v any) bool { _, ok := v.(bool); return ok },
	"int":     func(v any) bool { n, ok := v.(json.Number); return ok && integer.MatchString(n.String()) },
	"dec":     matches(integer),
	"hash":    isHash,
	"addr":    matches(rawAddress),
	"lowaddr": matches(lowRawAddress),
	"friend":  func(v any) bool { s, ok := v.(string); return ok && rawOf(s) != "" },
	"friend0": func(v any) bool { s, ok := v.(string); return ok && (s == "" || rawOf(s) != "") },
	"shard":   matches(regexp.MustCompile(`^[1-9A-F][0-9A-F]{0,15}$`)),
	"opcode":  matches(regexp.MustCompile(`^0x[0-9a-f]{8}$`)),
	"boc":     func(v any) bool { s, ok := v.(string); return ok && strings.HasPrefix(s, "te6cc") && bytesOf(s) > 4 },
	"bytes":   func(v any) bool { s, ok := v.(string); return ok && bytesOf(s) >= 0 },
	"obj":     func(v any) bool { _, ok := v.(map[string]any); return ok },
	"arr":     func(v any) bool { _, ok := v.([]any); return ok },
	"hashes":  every(isHash),
	"addrs":   every(matches(rawAddress)),
	"state":   oneOf("active", "uninit", "frozen", "nonexist"),
	"final":   oneOf("pending", "confirmed", "finalized", "invalidated"),
	"time":    matches(regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`)),
}

var (
	integer       = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,77})$`)
	rawAddress    = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,9}):[0-9A-F]{64}$`)
	lowRawAddress = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,9}):[0-9a-f]{64}$`)
)

func isText(v any) bool { _, ok := v.(string); return ok }

func matches(form *regexp.Regexp) func(any) bool {
	return func(v any) bool { s, ok := v.(string); return ok && form.MatchString(s) }
}

func oneOf(texts ...string) func(any) bool {
	return func(v any) bool { s, ok := v.(string); return ok && slices.Contains(texts, s) }
}

func isHash(v any) bool { s, ok := v.(string); return ok && len(s) == 44 && bytesOf(s) == 32 }

func every(holds func(any) bool) func(any) bool {
	return func(v any) bool {
		list, ok := v.([]any)
		return ok && !slices.ContainsFunc(list, func(e any) bool { return !holds(e) })
	}
}

// bytesOf returns the number of bytes of standard base64, or -1.
func bytesOf(s string) int {
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil {
		return -1
	}
	return len(b)
}

// rawOf returns the raw form of a user-friendly address, or "" for any other text.
func rawOf(s string) string {
	if len(s) != 48 {
		return ""
	}
	a, err := address.ParseAddr(strings.NewReplacer("+", "-", "/", "_").Replace(s))
	if err != nil {
		return ""
	}
	return strings.ToUpper(a.StringRaw())
}

// friendlyOf returns the bounceable user-friendly form of a raw address.
func friendlyOf(raw string) string {
	a, err := address.ParseRawAddr(raw)
	if err != nil {
		return ""
	}
	return a.String()
}
