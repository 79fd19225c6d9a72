package merchant

import (
	"net/http"

	"tonql/rest/handler"
)

// legible refuses requests whose path or query no text can be. Bodies are checked where they are read.
func (d *door) legible(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := handler.CheckRequest(r); err != nil {
			handler.RecordOf(r.Context()).Route = Prefix + "/*"
			d.refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}
