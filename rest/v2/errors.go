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

// statusError is an error with a status that no [chain.Kind] maps to.
type statusError struct {
	status int
	text   string
	cause  error // for the log; may be nil
}

func (e *statusError) Error() string { return e.text }
func (e *statusError) Unwrap() error { return e.cause }

// refuse returns an error about what a client sent or chose. Its kind says so whatever the status, which for some is one of a server.
func refuse(status int, text string) error {
	return &statusError{status: status, text: text, cause: chain.Invalidf("%s", text)}
}

// status542 is the published status for missing servers and values without a JSON form.
const status542 = 542

// refusal returns the status and text that the client receives. Texts of internal errors are logged only.
func refusal(w http.ResponseWriter, err error) (int, string) {
	var own *statusError
	var node *resolvers.RefusalError
	switch {
	case errors.As(err, &own):
		return own.status, own.text
	case chain.IsTransient(err):
		w.Header().Set("Retry-After", "1")
		return http.StatusServiceUnavailable, chain.PublicMessage(err)
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
	case chain.NotFound, chain.Behind, chain.RangeDropped: // as a node responds about data that it does not have
		return http.StatusInternalServerError, "LITE_SERVER_NOTREADY: " + chain.PublicMessage(err)
	case chain.Unavailable:
		w.Header().Set("Retry-After", "1")
		return status542, chain.PublicMessage(err)
	case chain.Internal:
	}
	return http.StatusInternalServerError, "internal server error: report request id " + w.Header().Get("X-Request-Id")
}

func appendRefusal(b []byte, status int, text, extra string) []byte {
	b = handler.AppendString(append(b, `{"ok":false,"error":`...), text)
	b = strconv.AppendInt(append(b, `,"code":`...), int64(status), 10)
	return append(append(append(b, `,"@extra":"`...), extra...), '"')
}
