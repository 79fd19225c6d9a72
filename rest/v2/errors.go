package v2

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// statusError is a refusal with a status that no kind of error has.
type statusError struct {
	status int
	text   string
	cause  error // for the log; may be nil
}

func (e *statusError) Error() string { return e.text }
func (e *statusError) Unwrap() error { return e.cause }

func refuse(status int, text string) error { return &statusError{status: status, text: text} }

// status542 is how this interface says that it has no server or no form for something.
const status542 = 542

// refusal gives the status and the text that a client gets. Texts of internal errors stay in the log.
func refusal(w http.ResponseWriter, err error) (int, string) {
	var own *statusError
	var node *resolvers.RefusalError
	switch {
	case errors.As(err, &own):
		return own.status, own.text
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout, chain.PublicMessage(context.DeadlineExceeded)
	case errors.As(err, &resolvers.NoTransactionError{}):
		return http.StatusInternalServerError, "LITE_SERVER_UNKNOWN: " + chain.PublicMessage(err)
	case errors.As(err, &node):
		return http.StatusInternalServerError, "LITE_SERVER_UNKNOWN: " + node.Text
	}
	switch chain.KindOf(err) {
	case chain.Invalid, chain.TooLarge:
		return http.StatusUnprocessableEntity, chain.PublicMessage(err)
	case chain.NotFound, chain.Behind: // what the index lacks, a node would not have either
		return http.StatusInternalServerError, "LITE_SERVER_NOTREADY: " + chain.PublicMessage(err)
	case chain.Unavailable:
		w.Header().Set("Retry-After", "1")
		return status542, chain.PublicMessage(err)
	case chain.Internal:
	}
	return http.StatusInternalServerError, "internal server error: tell the operator the request id " + w.Header().Get("X-Request-Id")
}

func appendRefusal(b []byte, status int, text, extra string) []byte {
	b = handler.AppendString(append(b, `{"ok":false,"error":`...), text)
	b = strconv.AppendInt(append(b, `,"code":`...), int64(status), 10)
	return append(append(append(b, `,"@extra":"`...), extra...), '"')
}
