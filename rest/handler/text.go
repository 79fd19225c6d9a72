package handler

import (
	"errors"
	"net/http"
	"net/url"

	"tonql/internal/chain"
)

// CheckRequest returns an error if the path or query of a request contains invalid UTF-8 or a NUL, see [chain.CheckText].
// APIs that use texts in lookups call it before anything else.
func CheckRequest(r *http.Request) error {
	if err := chain.CheckText("the path", r.URL.Path); err != nil {
		return err
	}
	if r.URL.RawQuery == "" {
		return nil
	}
	return CheckValues(r.URL.Query())
}

// CheckValues returns an error if a name or value of a form contains invalid UTF-8 or a NUL.
func CheckValues(form url.Values) error {
	for name, values := range form {
		if err := chain.CheckText("a name of a parameter", name); err != nil {
			return err
		}
		for _, value := range values {
			if err := chain.CheckText(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// TextStatus returns the HTTP status of an error: 422 if it is about invalid text, otherwise status.
func TextStatus(err error, status int) int {
	if errors.Is(err, chain.ErrText) {
		return http.StatusUnprocessableEntity
	}
	return status
}
