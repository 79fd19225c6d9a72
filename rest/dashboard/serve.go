package dashboard

import (
	"context"
	"errors"
	"net/http"
	"time"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// timeout bounds the processing of one request.
const timeout = 20 * time.Second

const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// serve bounds the time of a request, sets the headers of every page and renders errors.
func (d *dashboard) serve(route string, fn func(http.ResponseWriter, *http.Request) error, fail func(http.ResponseWriter, *http.Request, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		handler.RecordOf(ctx).Route = route
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Cache-Control", "no-store")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if err := fn(w, r.WithContext(ctx)); err != nil {
			fail(w, r, err)
		}
	})
}

func (d *dashboard) fail(w http.ResponseWriter, r *http.Request, err error) {
	d.failOn(w, r, err, "failed")
}

// failOn renders an error on a page.
func (d *dashboard) failOn(w http.ResponseWriter, r *http.Request, err error, page string) {
	if refused, ok := errors.AsType[*limited](err); ok {
		setRetryAfter(w, refused.wait)
		d.show(w, r, http.StatusTooManyRequests, page, nil, view{Title: "Error", Error: refused.Error()})
		return
	}
	handler.RecordOf(r.Context()).Err = err
	d.show(w, r, handler.TextStatus(err, statusOf(err)), page, nil, view{Title: "Error", Error: chain.PublicMessage(err)})
}

// statusOf returns the HTTP status of an error.
func statusOf(err error) int {
	switch chain.KindOf(err) {
	case chain.Invalid:
		return http.StatusBadRequest
	case chain.TooLarge:
		return http.StatusRequestEntityTooLarge
	case chain.NotFound, chain.RangeDropped:
		return http.StatusNotFound
	case chain.Behind, chain.Unavailable:
		return http.StatusServiceUnavailable
	case chain.Internal:
	}
	return http.StatusInternalServerError
}
