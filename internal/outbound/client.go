package outbound

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Client sends requests to untrusted addresses. It is safe for concurrent use.
type Client struct {
	options   Options
	policy    policy
	transport *http.Transport
}

// New makes a client; Close ends it.
func New(o Options) *Client {
	o = o.withDefaults()
	p := policy{
		allowLoopback: o.AllowLoopback, httpsOnly: o.HTTPSOnly,
		anyPort: o.AnyPort, ports: o.Ports, allow: o.Allow,
	}
	return &Client{options: o, policy: p, transport: transport(o, p)}
}

// Close closes idle connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Check reports whether the text of an address is allowed; connecting may still be refused.
func (c *Client) Check(raw string) error {
	_, err := c.policy.check(raw)
	return err
}

// Request is what to send. Nothing is added but Host, User-Agent, Accept-Encoding and the length.
type Request struct {
	Method string // GET when empty
	URL    string
	Header http.Header
	Body   []byte
}

// Response is a complete response.
type Response struct {
	URL       *url.URL // of the last request, after all redirects
	Code      int
	MediaType string // in small letters, without parameters; empty when the server names none
	Body      []byte // decompressed
}

// Get requests the document at an address.
func (c *Client) Get(ctx context.Context, raw string) (Response, error) {
	accept := "*/*"
	if named := slices.DeleteFunc(slices.Clone(c.options.ContentTypes), func(t string) bool {
		return t == "" || strings.Contains(t, "*")
	}); len(named) > 0 {
		accept = strings.Join(named, ", ")
	}
	return c.Do(ctx, Request{URL: raw, Header: http.Header{"Accept": {accept}}})
}

// First requests addresses of the same content one after the other, until one responds or the failure is not that of a server. The error is
// that of the first address.
func (c *Client) First(ctx context.Context, addresses []string) (Response, error) {
	var first error
	for _, raw := range addresses {
		response, err := c.Get(ctx, raw)
		if err == nil {
			return response, nil
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil || KindOf(err) == TooLarge {
			break
		}
	}
	if first == nil {
		first = refusef("no address")
	}
	return Response{}, first
}

// Do sends a request and reads the response within the client's limits. Only GET and HEAD follow redirects. Every
// error is an [Error].
func (c *Client) Do(ctx context.Context, r Request) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	if r.Method == "" {
		r.Method = http.MethodGet
	}
	target, err := c.policy.check(r.URL)
	if err != nil {
		return Response{}, err
	}
	seen := []string{target.String()}
	for {
		response, next, err := c.hop(ctx, r, target, seen)
		if err != nil || next == nil {
			return response, err
		}
		target, seen = next, append(seen, next.String())
	}
}

// hop requests one address. It returns the response, or the next address after a redirect, whose body is not read.
func (c *Client) hop(ctx context.Context, r Request, target *url.URL, seen []string) (Response, *url.URL, error) {
	result, err := c.send(ctx, r, target)
	if err != nil {
		return Response{}, nil, classify(err)
	}
	defer result.Body.Close()
	next, err := c.follow(r.Method, target, result, seen)
	if err != nil || next != nil {
		return Response{}, next, err
	}
	response, err := c.read(result, target)
	return response, nil, err
}

// send makes one round trip. Headers are made anew for every hop.
func (c *Client) send(ctx context.Context, r Request, target *url.URL) (*http.Response, error) {
	var body io.Reader
	if len(r.Body) > 0 {
		body = bytes.NewReader(r.Body)
	}
	request, err := http.NewRequestWithContext(ctx, r.Method, target.String(), body)
	if err != nil {
		return nil, &Error{Kind: Refused, Detail: "not a valid request", Err: err}
	}
	for name, values := range r.Header {
		request.Header[http.CanonicalHeaderKey(name)] = slices.Clone(values)
	}
	request.Header.Set("User-Agent", c.options.UserAgent)
	request.Header.Set("Accept-Encoding", "gzip")
	return c.transport.RoundTrip(request)
}

// follow returns the address that a response redirects to, checked like the first one; nil without a redirect.
func (c *Client) follow(method string, from *url.URL, result *http.Response, seen []string) (*url.URL, error) {
	switch result.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	location := result.Header.Get("Location")
	switch {
	case location == "":
		return nil, nil // read makes an error of the status
	case method != http.MethodGet && method != http.MethodHead, c.options.MaxRedirects == 0:
		return nil, refusef("the server redirects")
	case len(seen) > c.options.MaxRedirects:
		return nil, refusef("more than %d redirects", c.options.MaxRedirects)
	}
	relative, err := url.Parse(location)
	if err != nil {
		return nil, &Error{Kind: Refused, Detail: "redirect: not a valid address", Err: err}
	}
	next, err := c.policy.check(from.ResolveReference(relative).String())
	switch {
	case err != nil:
		return nil, err
	case from.Scheme == "https" && next.Scheme == "http":
		return nil, refusef("redirect from https to http")
	case slices.Contains(seen, next.String()):
		return nil, refusef("redirects in a circle")
	}
	return next, nil
}

// retryAfter reads the header of that name in its form of seconds; the other form, a date, depends on the other's clock.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.ParseUint(strings.TrimSpace(h.Get("Retry-After")), 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
