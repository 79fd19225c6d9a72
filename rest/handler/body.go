package handler

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/jsontext"
)

// LimitBody returns the body of a request, of which at most limit bytes can be read: further ones are an [http.MaxBytesError]. A request
// that announces a longer body gets that error at its first read, before the bytes arrive. A client that expects a 100 then sends none.
func LimitBody(w http.ResponseWriter, r *http.Request, limit int64) io.ReadCloser {
	if r.ContentLength > limit {
		return &longBody{r.Body, limit}
	}
	return http.MaxBytesReader(w, r.Body, limit)
}

// longBody is a body that is not read, because it is longer than its limit.
type longBody struct {
	io.Closer

	limit int64
}

// Read fails.
func (b *longBody) Read([]byte) (int, error) { return 0, &http.MaxBytesError{Limit: b.limit} }

// IncompleteBody is the message of a body that did not arrive completely. The error of the connection, which is not part of it, has addresses of the server.
const IncompleteBody = "the request body is incomplete"

// CountValues returns how many values a JSON text has, and at most two for each. It decodes nothing.
func CountValues(text []byte) int {
	n, quoted := 1, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && (c == ',' || c == '[' || c == '{'):
			n++
		}
	}
	return n
}

// maxBodyValues bounds the values of a body in JSON. Decoded ones take up to sixty times the memory of their text.
const maxBodyValues = 50_000

// errValues is the error of a body with more values.
var errValues = chain.Invalidf("the request body has more than %d values", maxBodyValues)

// CheckValueCount refuses a body of JSON with too many values, before it is decoded.
func CheckValueCount(body []byte) error {
	if CountValues(body) > maxBodyValues {
		return errValues
	}
	return nil
}

// ReadJSON decodes the body of a request into v. Unknown members are ignored. An empty body and a content type other than
// JSON are errors of kind chain.Invalid; the cause of that of a body that is too long is a [http.MaxBytesError].
func ReadJSON(contentType string, body io.Reader, v any) error {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return chain.Invalidf("Unprocessable Entity")
	}
	data, err := io.ReadAll(body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return &chain.Error{Kind: chain.Invalid, Message: fmt.Sprintf("the request body is longer than %d bytes", large.Limit), Err: large}
	case err != nil:
		return &chain.Error{Kind: chain.Invalid, Message: IncompleteBody, Err: err}
	}
	if err := CheckValueCount(data); err != nil {
		return err
	}
	err = json.Unmarshal(data, v)
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mismatch):
		return chain.Invalidf("%s", jsontext.Mismatch(mismatch, v))
	case err != nil:
		return chain.Invalidf("%s", err.Error())
	}
	return nil
}
