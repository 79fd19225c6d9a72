package handler

import (
	"errors"
	"net/http"
	"net/url"

	"tonql/internal/chain"
)

// CheckRequest refuses a request whose path or query has text that is no UTF-8, or with a NUL: see [chain.CheckText]. An
// API that looks texts up calls it first, whatever it does with each of them.
func CheckRequest(r *http.Request) error {
	if err := chain.CheckText("the path", r.URL.Path); err != nil {
		return err
	}
	if r.URL.RawQuery == "" {
		return nil
	}
	return CheckValues(r.URL.Query())
}

// CheckValues does the same for the values of a form, once it was read.
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

// TextStatus is the status of a response to an error: 422 where it is about such text, status otherwise.
func TextStatus(err error, status int) int {
	if errors.Is(err, chain.ErrText) {
		return http.StatusUnprocessableEntity
	}
	return status
}
