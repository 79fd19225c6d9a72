// Package config declares the settings of the commands. One [Setting] gives the flag, the environment variable, the key of
// the configuration file, the line of the help, the property of the JSON schema and the row of docs/configuration.md, and
// decides which values are accepted.
//
// A flag takes precedence over the environment, and the environment over the file. Every value is checked before the
// command starts anything.
package config

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"tonql/internal/chain"
)

// Setting declares one setting. The zero value is none; use a constructor.
type Setting struct {
	name, theme, usage string
	value              any // the default: string, int, float64, bool, time.Duration or []string
	choices            []string
	low, high          int64 // bounds of a number, or of a duration in nanoseconds, if bounded
	bounded            bool
	check              func(string) error // nil: every value of the kind is accepted
	secret             bool
	address            bool // a URL that may contain a password
	argument           bool
	path               bool
}

// Text declares a setting that is any text.
func Text(name, value, usage string) Setting { return Setting{name: name, value: value, usage: usage} }

// Number declares an integer; Between bounds it.
func Number(name string, value int, usage string) Setting {
	return Setting{name: name, value: value, usage: usage}
}

// Decimal declares a number that may have a fraction; Between bounds it.
func Decimal(name string, value float64, usage string) Setting {
	return Setting{name: name, value: value, usage: usage}
}

// Boolean declares a setting that is true or false, and false by default.
func Boolean(name, usage string) Setting { return Setting{name: name, value: false, usage: usage} }

// Duration declares a length of time such as 10s.
func Duration(name string, value time.Duration, usage string) Setting {
	return Setting{name: name, value: value, usage: usage}
}

// List declares a setting with any number of values.
func List(name string, value []string, usage string) Setting {
	return Setting{name: name, value: value, usage: usage}
}

// Name returns the name of the flag, which is the key of the configuration file.
func (s Setting) Name() string { return s.name }

// Theme returns the heading under which the help lists the setting.
func (s Setting) Theme() string { return s.theme }

// Choices returns the accepted values when there are only some; nil otherwise.
func (s Setting) Choices() []string { return s.choices }

// IsSwitch reports whether the flag has no value.
func (s Setting) IsSwitch() bool { _, ok := s.value.(bool); return ok }

// variablePrefix begins the names of all environment variables.
const variablePrefix = "TONQL_"

// Variable returns the name of the environment variable.
func (s Setting) Variable() string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(s.name, "-", "_"))
}

// OneOf restricts a text to a list of values. An empty default is accepted as well.
func (s Setting) OneOf(choices ...string) Setting { s.choices = choices; return s }

// Between bounds a number.
func (s Setting) Between(low, high int) Setting {
	s.low, s.high, s.bounded = int64(low), int64(high), true
	return s
}

// Within bounds a duration.
func (s Setting) Within(low, high time.Duration) Setting {
	s.low, s.high, s.bounded = int64(low), int64(high), true
	return s
}

// Check adds a condition: the error of fn says what is accepted. Of a list, fn receives every item. It is not called for an
// empty text.
func (s Setting) Check(fn func(string) error) Setting { s.check = fn; return s }

// Secret marks a value that is never printed.
func (s Setting) Secret() Setting { s.secret = true; return s }

// URL marks the URL of a server, of which the password is never printed.
func (s Setting) URL() Setting { s.address = true; return s }

// Path marks the name of a file or folder, which shells complete.
func (s Setting) Path() Setting { s.path = true; return s }

// Theme sets the theme of settings.
func Theme(name string, settings ...Setting) []Setting {
	for i := range settings {
		settings[i].theme = name
	}
	return settings
}

// Arguments marks settings that describe one run of a command. The configuration file does not have them.
func Arguments(settings ...Setting) []Setting {
	for i := range settings {
		settings[i].theme, settings[i].argument = "This command", true
	}
	return settings
}

// parse reports whether text is a value of the setting. The error says what is accepted, and continues a sentence that
// begins with the subject.
func (s Setting) parse(text string) error {
	switch s.value.(type) {
	case bool:
		if _, err := strconv.ParseBool(text); err != nil {
			return s.refused("true or false", text)
		}
	case int:
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil || s.bounded && (n < s.low || n > s.high) {
			return s.refused(s.accepted(), text)
		}
	case float64:
		if n, err := strconv.ParseFloat(text, 64); err != nil || !(n >= 0) || s.bounded && !(n >= float64(s.low) && n <= float64(s.high)) {
			return s.refused(s.accepted(), text)
		}
	case time.Duration:
		d, err := time.ParseDuration(text)
		if err != nil || s.bounded && (int64(d) < s.low || int64(d) > s.high) {
			return s.refused(s.accepted(), text)
		}
	case string:
		if text == "" && s.needed() {
			return &refusal{fmt.Sprintf(" needs a value; without the setting it is %v", s.value)}
		}
		if len(s.choices) > 0 && text != s.value && !slices.Contains(s.choices, text) {
			return s.refused(s.accepted(), text)
		}
		if s.check != nil && text != "" {
			return because(s.check(text))
		}
	case []string:
		if s.check != nil && text != "" {
			return because(s.check(text))
		}
	}
	return nil
}

// needed reports whether an empty text is refused: it would replace a default that has a meaning, such as an address to listen on.
func (s Setting) needed() bool {
	text, ok := s.value.(string)
	return ok && text != "" && len(s.choices) == 0
}

// accepted describes the accepted values.
func (s Setting) accepted() string {
	switch s.value.(type) {
	case bool:
		return "true or false"
	case int:
		if s.bounded {
			return fmt.Sprintf("a number from %d to %d", s.low, s.high)
		}
		return "a number"
	case float64:
		if s.bounded {
			return fmt.Sprintf("a number from %d to %d", s.low, s.high)
		}
		return "a number of 0 or more"
	case time.Duration:
		if s.bounded {
			return fmt.Sprintf("a duration from %s to %s, such as %s", short(time.Duration(s.low)), short(time.Duration(s.high)), s.example())
		}
		return "a duration such as " + s.example()
	}
	switch n := len(s.choices); n {
	case 0:
		return "text"
	case 1:
		return s.choices[0]
	default:
		return strings.Join(s.choices[:n-1], ", ") + " or " + s.choices[n-1]
	}
}

// example is an accepted duration.
func (s Setting) example() string {
	if d, ok := s.value.(time.Duration); ok && d > 0 {
		return short(d)
	}
	return "10s"
}

// short is the duration without parts that are zero: 1h, not 1h0m0s.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// refusal is the second half of a sentence about a value.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

func (s Setting) refused(accepted, given string) error {
	if s.secret || s.address {
		return &refusal{" should be " + accepted}
	}
	return &refusal{" should be " + accepted + ", not " + chain.Quote(given)}
}

// because turns the error of a check into the second half of a sentence.
func because(err error) error {
	if err == nil {
		return nil
	}
	return &refusal{": " + err.Error()}
}

// text formats a value of the setting as it is written in the environment.
func (s Setting) text(value any) string {
	switch v := value.(type) {
	case time.Duration:
		return short(v)
	case []string:
		return strings.Join(v, ",")
	default:
		return fmt.Sprint(v)
	}
}

// mask replaces secrets.
const mask = "********"

// shown returns a value as it may be printed: without secrets.
func (s Setting) shown(value string) string {
	switch {
	case value == "":
		return value
	case s.secret:
		return mask
	case s.address:
		return WithoutPassword(value)
	default:
		return value
	}
}

// written returns a value as the configuration file has it, without secrets.
func (s Setting) written(value any) any {
	switch v := value.(type) {
	case time.Duration:
		return short(v)
	case string:
		return s.shown(v)
	case []string:
		shown := make([]string, 0, len(v))
		for _, item := range v {
			shown = append(shown, s.shown(item))
		}
		return flowList(shown)
	default:
		return value
	}
}

// WithoutPassword masks the password of a URL. Text that is no URL is masked altogether, because libpq also accepts
// password=… in a list of words.
func WithoutPassword(address string) string {
	noURL := func(field string) bool { return !strings.Contains(field, "://") }
	if several := strings.Fields(address); len(several) > 1 && !slices.ContainsFunc(several, noURL) {
		for i := range several {
			several[i] = WithoutPassword(several[i])
		}
		return strings.Join(several, " ")
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || u.Host == "" && u.Path == "" {
		return mask
	}
	query := u.Query()
	for name := range query {
		if strings.Contains(strings.ToLower(name), "password") {
			query.Set(name, mask)
			u.RawQuery = query.Encode()
		}
	}
	if _, ok := u.User.Password(); ok {
		u.User = url.UserPassword(u.User.Username(), mask)
	} else if u.User != nil && (u.Scheme == "http" || u.Scheme == "https") { // a token in place of a user
		u.User = url.User(mask)
	}
	return strings.ReplaceAll(u.String(), url.PathEscape(mask), mask)
}

// Address accepts host:port to listen on.
func Address(text string) error {
	_, port, err := net.SplitHostPort(text)
	if n, wrong := strconv.ParseUint(port, 10, 16); err != nil || wrong != nil || n > 65535 {
		return chain.Invalidf("%s is not host:port, such as 127.0.0.1:8080 or :8080", chain.Quote(text))
	}
	return nil
}

// LoopbackAddress accepts host:port of which the host is a loopback address.
func LoopbackAddress(text string) error {
	host, _, err := net.SplitHostPort(text)
	if err != nil || Address(text) != nil || host != "localhost" && !net.ParseIP(host).IsLoopback() {
		return chain.Invalidf("%s is not a loopback address such as 127.0.0.1:6060", chain.Quote(text))
	}
	return nil
}

// Complete reports whether a number or duration has bounds.
func (s Setting) Complete() bool {
	switch s.value.(type) {
	case int, time.Duration:
		return s.bounded
	default:
		return true
	}
}
