package tracing

import (
	"encoding/base64"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"

	"tonql/internal/chain"
)

// defaultPath is the path of a receiver whose URL has none.
const defaultPath = "/v1/traces"

// CheckEndpoint checks the URL of a receiver. Its errors do not repeat the URL, which may contain a password.
func CheckEndpoint(text string) error {
	_, _, err := parseEndpoint(text)
	return err
}

// parseEndpoint returns the URL of a receiver with a path and without a user, and the value of the header Authorization for that
// user; "" without one.
func parseEndpoint(text string) (endpoint *url.URL, authorization string, err error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, "", chain.Invalidf("the URL of a trace receiver begins with http:// or https:// and a host, such as http://127.0.0.1:4318")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, "", chain.Invalidf("the URL of a trace receiver has no query and no fragment; --trace-header sets headers")
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = defaultPath
	}
	if u.User != nil {
		password, _ := u.User.Password()
		authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password))
		u.User = nil
	}
	return u, authorization, nil
}

// CheckHeader checks NAME=VALUE. Its errors do not repeat the value.
func CheckHeader(pair string) error {
	_, _, err := parseHeader(pair)
	return err
}

func parseHeader(pair string) (name, value string, err error) {
	name, value, found := strings.Cut(pair, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !found || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
		return "", "", chain.Invalidf("a header is NAME=VALUE, such as Authorization=Bearer TOKEN")
	}
	return name, value, nil
}
