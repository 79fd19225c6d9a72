package v3

import (
	"errors"
	"net/http"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// The legacy group asks and answers in the words of the older interface: statuses of its own for missing values, for
// accounts that are no wallets, and for what the network refuses.

// statusError is a refusal with a status that no kind of error has.
type statusError struct {
	status int
	text   string
	cause  error // for the log; may be nil
}

func (e *statusError) Error() string { return e.text }
func (e *statusError) Unwrap() error { return e.cause }

// missing is the answer to a mandatory value that was not sent.
func missing(text string) error { return &statusError{status: http.StatusUnauthorized, text: text} }

// refusedByNetwork passes a liteserver's refusal on as the older interface does; other errors stay as they are.
func refusedByNetwork(err error) error {
	var r *resolvers.RefusalError
	if !errors.As(err, &r) {
		return err
	}
	return &statusError{status: http.StatusInternalServerError, text: "LITE_SERVER_UNKNOWN: " + r.Text, cause: err}
}

// readJSON reads the body of a POST request.
func (c *call) readJSON(v any) error { return handler.ReadJSON(c.contentType, c.body, v) }

// parseSeqno checks the seqno of a body.
func parseSeqno(seqno *int64) (*uint32, error) {
	if seqno == nil {
		return nil, nil
	}
	if *seqno <= 0 || *seqno > 1<<32-1 {
		return nil, chain.Invalidf("seqno: not a positive number")
	}
	return new(uint32(*seqno)), nil
}
