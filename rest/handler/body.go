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
)

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
		return chain.Invalidf("the request body is incomplete: %v", err)
	}
	err = json.Unmarshal(data, v)
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mismatch) && mismatch.Field == "": // the message has the Go type, which says nothing to a client
		return chain.Invalidf("json: cannot unmarshal %s into an object", mismatch.Value)
	case err != nil:
		return chain.Invalidf("%s", err.Error())
	}
	return nil
}
