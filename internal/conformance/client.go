package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
)

const (
	// maxValues bounds the memory of a decoded response: each value costs some 100 bytes, whatever its text.
	maxValues = 200_000
	// maxHeader bounds the header of a response.
	maxHeader = 64 << 10
	// maxRetries and maxRetryAfter bound the waits for a server that limits requests.
	maxRetries    = 5
	maxRetryAfter = 10 * time.Second
)

// client sends requests to one server, within bounds.
type client struct {
	base    *url.URL
	key     string
	timeout time.Duration
	maxBody int64
	pause   time.Duration // between two requests
	next    time.Time     // the earliest time of the next request
	http    *http.Client
}

func newClient(o Options) (*client, error) {
	base, err := url.Parse(o.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.User != nil || base.RawQuery != "" {
		return nil, chain.Invalidf("the base URL is http:// or https://, a host and a path, not %s", chain.Quote(o.BaseURL))
	}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DisableCompression: true, MaxResponseHeaderBytes: maxHeader,
		TLSHandshakeTimeout: o.RequestTime, MaxIdleConns: 4, ForceAttemptHTTP2: true,
	}
	pause := time.Duration(0)
	if o.Rate > 0 {
		pause = time.Duration(float64(time.Second) / o.Rate)
	}
	return &client{
		base: base.JoinPath("/"), key: o.APIKey, timeout: o.RequestTime, maxBody: o.MaxBody, pause: pause,
		http: &http.Client{
			Transport: transport,
			// A redirect could lead the API key to another host.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

func (c *client) close() { c.http.CloseIdleConnections() }

// Exchange is a request of a check and how the server responded.
type Exchange struct {
	Method string `json:"method"`
	URL    string `json:"url"`            // without the API key
	Body   string `json:"body,omitempty"` // the beginning of the request body
	Status int    `json:"status"`         // 0 when there was no response
	Bytes  int    `json:"bytes"`
	Millis int64  `json:"milliseconds"`
	Error  string `json:"error,omitempty"`
}

// request is what a check sends.
type request struct {
	method string
	path   string // below the base
	query  url.Values
	body   any    // encoded as JSON, or a string that is sent as it is
	accept string // empty for any
}

// reply is a response that was read completely.
type reply struct {
	Exchange

	header http.Header
	body   []byte
}

func (c *client) url(r request) string {
	u := c.base.JoinPath(r.path)
	u.RawQuery = r.query.Encode()
	return u.String()
}

func (c *client) build(ctx context.Context, r request) (*http.Request, Exchange, error) {
	var body []byte
	switch b := r.body.(type) {
	case nil:
	case string:
		body = []byte(b)
	default:
		var err error
		if body, err = json.Marshal(b); err != nil {
			return nil, Exchange{}, fmt.Errorf("request body: %w", err)
		}
	}
	exchange := Exchange{Method: r.method, URL: c.url(r), Body: cut(string(body), 400)}
	built, err := http.NewRequestWithContext(ctx, r.method, exchange.URL, bytes.NewReader(body))
	if err != nil {
		return nil, exchange, fmt.Errorf("request: %w", err)
	}
	if body != nil {
		built.Header.Set("Content-Type", "application/json")
	}
	if r.accept != "" {
		built.Header.Set("Accept", r.accept)
	}
	built.Header.Set("User-Agent", "tonql-conformance")
	c.authorize(built.Header)
	return built, exchange, nil
}

func (c *client) authorize(h http.Header) {
	if c.key != "" {
		h.Set("X-API-Key", c.key)
	}
}

// wait waits for the turn of the next request.
func (c *client) wait(ctx context.Context) error {
	if d := time.Until(c.next); d > 0 && !ctxtime.Sleep(ctx, d) {
		return ctx.Err()
	}
	c.next = time.Now().Add(c.pause)
	return ctx.Err()
}

// do sends a request and reads the response. A request that the server refuses because of its rate is repeated.
func (c *client) do(ctx context.Context, r request) (reply, error) {
	for retry := 0; ; retry++ {
		if err := c.wait(ctx); err != nil {
			return reply{Exchange: Exchange{Method: r.method, URL: c.url(r), Error: "the time of the run is over"}}, errOver
		}
		response, err := c.once(ctx, r)
		if err != nil || response.Status != http.StatusTooManyRequests || retry == maxRetries {
			return response, err
		}
		after, _ := strconv.Atoi(response.header.Get("Retry-After")) // 0 when absent
		if !ctxtime.Sleep(ctx, min(maxRetryAfter, max(time.Second, time.Duration(after)*time.Second))) {
			return response, errOver
		}
	}
}

// errOver says that the time of the run is over.
var errOver = errors.New("the time of the run is over")

func (c *client) once(ctx context.Context, r request) (reply, error) {
	within, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	built, exchange, err := c.build(within, r)
	if err != nil {
		return reply{Exchange: exchange}, err
	}
	start := time.Now()
	response, err := c.http.Do(built)
	if err == nil {
		defer func() { _ = response.Body.Close() }() // it was read, or is given up
		exchange.Status = response.StatusCode
		var body []byte
		body, err = readBounded(response.Body, c.maxBody)
		exchange.Bytes, exchange.Millis = len(body), time.Since(start).Milliseconds()
		if err == nil {
			return reply{Exchange: exchange, header: response.Header, body: body}, nil
		}
	}
	exchange.Millis = time.Since(start).Milliseconds()
	switch {
	case ctx.Err() != nil:
		err = errOver
	case within.Err() != nil:
		err = fmt.Errorf("no complete response within %s", c.timeout)
	}
	exchange.Error = cut(err.Error(), 400)
	return reply{Exchange: exchange}, err
}

func readBounded(r io.Reader, limit int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, fmt.Errorf("response body: %w", err)
	}
	if int64(len(body)) > limit {
		return nil, fmt.Errorf("the response is larger than %d bytes", limit)
	}
	return body, nil
}

// decode decodes a complete JSON document, with numbers as their text.
func decode(body []byte) (any, error) {
	if n := bytes.Count(body, []byte{','}) + bytes.Count(body, []byte{'['}) + bytes.Count(body, []byte{'{'}); n > maxValues {
		return nil, fmt.Errorf("the response has some %d values, more than %d", n, maxValues)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, fmt.Errorf("the body is no JSON: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the body has more than one JSON document")
	}
	return v, nil
}

// cut bounds a text that is shown.
func cut(s string, limit int) string {
	if len(s) > limit {
		return s[:limit] + "…"
	}
	return s
}
