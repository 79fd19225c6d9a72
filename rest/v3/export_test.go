package v3

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"tonql/resolvers"
	"tonql/rest/handler"
)

// ParametersRead lists the parameters a route's handler reads.
func ParametersRead(r Route) []string {
	var names []string
	for _, p := range r.params(DefaultLimit) {
		names = append(names, p.Name)
	}
	return names
}

// WithTimeout returns a copy of the handler with another timeout.
func WithTimeout(h http.Handler, d time.Duration) http.Handler {
	original := h.(*api)
	inner := &api{prefix: original.prefix, svc: original.svc, opts: original.opts, routes: original.routes, site: original.site}
	inner.opts.Timeout, inner.opts.Fresh = d, true
	return inner
}

// Document returns the OpenAPI document with the default limits.
func Document() ([]byte, error) {
	return openAPI(Routes(), Options{Version: "1.0.0", Limit: DefaultLimit}, resolvers.DefaultRows)
}

// EmulationDocument returns the OpenAPI document of the emulation API.
func EmulationDocument() ([]byte, error) { return emulationOpenAPI(Options{Version: "1.0.0"}) }

// Superfluous lists descriptions of routes and parameters that do not exist.
func Superfluous() []string {
	d, err := loadDescription()
	if err != nil {
		panic(err)
	}
	used := map[string]bool{}
	for _, r := range append(Routes(), EmulationRoutes()...) {
		used[r.Method+" "+r.Path] = true
		for _, p := range r.params(DefaultLimit) {
			key := r.Path + " " + p.Name
			if _, ok := d.params[key]; !ok {
				key = p.Name
			}
			used[key] = true
		}
	}
	var rest []string
	for _, key := range append(slices.Collect(maps.Keys(d.routes)), slices.Collect(maps.Keys(d.params))...) {
		if !used[key] {
			rest = append(rest, key)
		}
	}
	return rest
}

// ParamsOf lists the parameters of a route, with the forms of their values.
func ParamsOf(r Route) []handler.Param { return r.params(DefaultLimit) }

// AppendDescription is tested by itself: networks have no transactions of splits and merges.
var AppendDescription = appendDescription
