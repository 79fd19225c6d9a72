package handler

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"tonql/internal/chain"
)

// ReadJSON reads the body of a request into v. Unknown members are ignored; an empty body is malformed.
func ReadJSON(contentType string, body io.Reader, v any) error {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return chain.Invalidf("Unprocessable Entity")
	}
	data, err := io.ReadAll(body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return chain.Invalidf("the request body is longer than %d bytes", large.Limit)
	case err != nil:
		return chain.Invalidf("the request body broke off: %v", err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return chain.Invalidf("%s", err.Error())
	}
	return nil
}
