package dashboard

import (
	"errors"
	"net/http"
	"strconv"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// maxForm bounds the body of a form in bytes, and maxOpenForm that of a form without a session.
const (
	maxForm     = 64 << 10
	maxOpenForm = 4 << 10
)

// readForm parses the form of a request of at most limit bytes.
func readForm(w http.ResponseWriter, r *http.Request, limit int64) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	r.Body = handler.LimitBody(w, r, limit)
	err := r.ParseForm()
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return &chain.Error{Kind: chain.TooLarge, Message: "the form is larger than " + strconv.FormatInt(limit, 10) + " bytes"}
	}
	if err != nil {
		return chain.Invalidf("the form is not valid")
	}
	return nil
}

// small parses the form of a request without a session.
func small(fn func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := readForm(w, r, maxOpenForm); err != nil {
			return err
		}
		return fn(w, r)
	}
}
