package v3

import (
	"context"
	"net/http"
	"slices"
	"time"

	"tonql/rest/handler"
)

// ParametersRead lists the parameters a route's handler reads.
func ParametersRead(r Route) []string {
	q, err := handler.ParseQuery("")
	if err != nil {
		panic(err)
	}
	c := &call{door: &door{opts: Options{Limit: DefaultLimit}}, ctx: context.Background(), q: q}
	if _, err := r.serve(c); err != nil {
		panic(err)
	}
	names := slices.Clone(q.Asked())
	slices.Sort(names)
	return slices.Compact(names)
}

// WithTimeout is the handler with another time limit, in nanoseconds.
func WithTimeout(h http.Handler, d time.Duration) http.Handler {
	original := h.(*door)
	inner := &door{svc: original.svc, opts: original.opts, routes: original.routes}
	inner.opts.Timeout, inner.opts.Fresh = d, true
	return inner
}
