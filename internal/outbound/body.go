package outbound

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"tonql/internal/chain"
)

// read reads the body of a response that is no redirect, within the limits on status, type and size.
func (c *Client) read(result *http.Response, from *url.URL) (Response, error) {
	r := Response{URL: from, Code: result.StatusCode}
	if r.Code < 200 || r.Code > 299 {
		// What follows a switch of the protocol is no body: net/http hands over the connection, which the request's deadline does not end.
		if most := c.options.MaxErrorBody; most > 0 && r.Code != http.StatusSwitchingProtocols {
			if body, err := c.decoded(result); err == nil {
				r.Body, _ = io.ReadAll(io.LimitReader(body, most)) // as much as comes
			}
		}
		return r, &Error{
			Kind: Status, Code: r.Code, RetryAfter: retryAfter(result.Header),
			Detail: strings.TrimSpace(fmt.Sprintf("%d %s", r.Code, http.StatusText(r.Code))),
		}
	}
	// A type that cannot be read is as good as none.
	if mediaType, _, err := mime.ParseMediaType(result.Header.Get("Content-Type")); err == nil {
		r.MediaType = mediaType
	}
	if !c.typeAllowed(r.MediaType) {
		return r, &Error{Kind: WrongType, Detail: "media type " + chain.Quote(r.MediaType)}
	}
	if result.ContentLength > c.options.MaxBody {
		return r, c.tooLarge()
	}
	body, err := c.decoded(result)
	if err == nil {
		r.Body, err = readUpTo(body, c.options.MaxBody)
	}
	if err != nil {
		if errors.Is(err, errTooLong) {
			return r, c.tooLarge()
		}
		return r, classify(err)
	}
	return r, nil
}

// decoded is the body without its transfer's compression. Both sides of the decompressor are bounded: what it reads
// here, what it gives by whoever reads it.
func (c *Client) decoded(result *http.Response) (io.Reader, error) {
	switch encoding := strings.ToLower(strings.TrimSpace(result.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
		return result.Body, nil
	case "gzip", "x-gzip":
		unzipped, err := gzip.NewReader(&bounded{from: result.Body, left: c.options.MaxBody})
		if err == nil {
			return unzipped, nil
		}
		if errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.EOF) {
			return nil, &Error{Kind: WrongType, Detail: "a body that is not gzip as it says", Err: err}
		}
		return nil, err
	default:
		return nil, &Error{Kind: WrongType, Detail: "content encoding " + chain.Quote(encoding)}
	}
}

func (c *Client) tooLarge() error {
	return &Error{Kind: TooLarge, Detail: fmt.Sprintf("a body of more than %d bytes", c.options.MaxBody)}
}

// typeAllowed compares a media type with the list of the options.
func (c *Client) typeAllowed(mediaType string) bool {
	if len(c.options.ContentTypes) == 0 {
		return true
	}
	for _, t := range c.options.ContentTypes {
		suffix, isPattern := strings.CutPrefix(t, "*/*")
		if t == mediaType || (isPattern && strings.HasSuffix(mediaType, suffix)) {
			return true
		}
	}
	return false
}

var errTooLong = errors.New("more bytes than allowed")

// bounded gives at most left bytes and fails when there are more, where io.LimitReader would feign an end.
type bounded struct {
	from io.Reader
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLong
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1] // one more, to see whether there is one
	}
	n, err := b.from.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, errTooLong
	}
	return n, err
}

// readUpTo reads everything, limit bytes at most.
func readUpTo(r io.Reader, limit int64) ([]byte, error) {
	return io.ReadAll(&bounded{from: r, left: limit})
}
