package dashboard

import (
	"net/http"

	"tonql/rest/handler"
)

// legible refuses requests whose path or query is not valid text. Forms are checked where they are read.
func (d *dashboard) legible(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := handler.CheckRequest(r); err != nil {
			d.serve(Prefix+"/*", func(http.ResponseWriter, *http.Request) error { return err }, d.fail).ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
