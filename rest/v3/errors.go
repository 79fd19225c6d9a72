package v3

import (
	"errors"
	"net/http"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// errEmptyIndex is the published error of /masterchainInfo before the first block is indexed: a 500, not a 404.
var errEmptyIndex = errors.New("the index is empty, try again when the first block is indexed")

func orEmptyIndex(err error) error {
	if chain.KindOf(err) == chain.NotFound {
		return errEmptyIndex
	}
	return err
}

// printError writes the published error body. Texts of internal errors are logged only; the client receives the request
// id.
func printError(w http.ResponseWriter, out *handler.Stream, err error) {
	status := statusOf(err)
	w.Header().Del("Link")
	w.Header().Del("X-Next-Cursor")
	text := chain.PublicMessage(err)
	var method *methodError
	var legacy *statusError
	switch {
	case errors.As(err, &method):
		w.Header().Set("Allow", method.allowed)
		text = method.Error()
	case errors.As(err, &legacy):
		text = legacy.text
	case errors.Is(err, errEmptyIndex):
		text = "internal server error: " + errEmptyIndex.Error()
	case status == http.StatusInternalServerError:
		text = "internal server error: report request id " + w.Header().Get("X-Request-Id")
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	out.Status(status)
	out.B = handler.AppendString(append(out.B, `{"error":`...), text)
	out.B = handler.AppendInt(append(out.B, `,"code":`...), status)
	var params *handler.ParamsError
	if errors.As(err, &params) && len(params.Details) > 0 {
		out.B = append(out.B, `,"details":[`...)
		for i, d := range params.Details {
			if i > 0 {
				out.B = append(out.B, ',')
			}
			out.B = handler.AppendString(out.B, d)
		}
		out.B = append(out.B, ']')
	}
	out.B = append(out.B, '}')
}

func statusOf(err error) int {
	var method *methodError
	var legacy *statusError
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, &legacy):
		return legacy.status
	case errors.As(err, &method):
		return http.StatusMethodNotAllowed
	case errors.Is(err, errEmptyIndex):
		return http.StatusInternalServerError
	}
	switch chain.KindOf(err) {
	case chain.Invalid, chain.TooLarge:
		return http.StatusUnprocessableEntity
	case chain.NotFound, chain.Behind:
		return http.StatusNotFound
	case chain.RangeDropped:
		return http.StatusGone
	case chain.Unavailable:
		return http.StatusServiceUnavailable
	case chain.Internal:
		return http.StatusInternalServerError
	default:
		return http.StatusInternalServerError
	}
}
