package metadata

import (
	"encoding/base64"
	"net/url"
	"strings"

	"tonql/internal/chain"
)

// dataURL reads a data address (RFC 2397): the media type in small letters without parameters, and the bytes.
func dataURL(uri string) (mediaType string, data []byte, ok bool) {
	head, body, found := strings.Cut(uri, ",")
	if !found || len(head) < len("data:") {
		return "", nil, false
	}
	mediaType, parameters, _ := strings.Cut(strings.ToLower(head[len("data:"):]), ";")
	text, err := url.PathUnescape(body)
	if err != nil {
		text = body // a percent sign of the text itself
	}
	if parameters == "base64" || strings.HasSuffix(parameters, ";base64") {
		data, ok = decodeBase64(text)
		return mediaType, data, ok
	}
	return mediaType, []byte(text), true
}

// decodeBase64 reads both alphabets, with and without padding, and skips white space.
func decodeBase64(text string) ([]byte, bool) {
	text = strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\r', '\n':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, text)
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	return data, err == nil
}

// documentOf reads a document that lies in its own address.
func documentOf(uri string) ([]byte, *failure) {
	mediaType, data, ok := dataURL(uri)
	switch {
	case !ok:
		return nil, failf(reasonURI, "a data address that cannot be read").finally()
	case mediaType == "", mediaType == "text/plain", mediaType == "text/json", mediaType == "application/octet-stream",
		strings.HasSuffix(mediaType, "/json"), strings.HasSuffix(mediaType, "+json"):
		return data, nil
	default:
		return nil, failf("wrong_type", "wrong type: media type %s", chain.Quote(mediaType)).finally()
	}
}
