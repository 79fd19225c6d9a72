package merchant

import (
	"net/http"

	"tonql/rest/handler"
)

// legible refuses requests whose path or query is not valid text. Bodies are checked where they are read.
func (a *api) legible(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := handler.CheckRequest(r); err != nil {
			handler.RecordOf(r.Context()).Route = Prefix + "/*"
			a.refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}
