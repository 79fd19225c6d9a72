package v3

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// The legacy group follows the v2 API: it has its own statuses for missing values, for accounts that are not wallets, and
// for messages that the network rejects.

// statusError is an error with a status that no [chain.Kind] maps to.
type statusError struct {
	status int
	text   string
	cause  error // for the log; may be nil
}

func (e *statusError) Error() string { return e.text }
func (e *statusError) Unwrap() error { return e.cause }

// missing returns the error about a required value that was not sent.
func missing(text string) error { return &statusError{status: http.StatusUnauthorized, text: text} }

// refusedByNetwork converts a liteserver's rejection to the error of the v2 API. It returns other errors unchanged.
func refusedByNetwork(err error) error {
	var r *resolvers.RefusalError
	if !errors.As(err, &r) {
		return err
	}
	return &statusError{status: http.StatusInternalServerError, text: "LITE_SERVER_UNKNOWN: " + r.Text, cause: err}
}

// readJSON reads the body of a POST request, which a further run of the request reads again.
func (c *call) readJSON(v any) error {
	again := bytes.NewReader(c.bodyRead.Bytes())
	return handler.ReadJSON(c.contentType, io.MultiReader(again, io.TeeReader(c.body, &c.bodyRead)), v)
}

// parseSeqno checks a seqno of a request body, its member name. It returns nil for nil.
func parseSeqno(name string, seqno *int64) (*uint32, error) {
	if seqno == nil {
		return nil, nil
	}
	if *seqno <= 0 || *seqno > 1<<32-1 {
		return nil, chain.Invalidf("%s: not a positive number", name)
	}
	return new(uint32(*seqno)), nil
}
