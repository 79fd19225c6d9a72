package explorer

import (
	"bytes"
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

// Prefix is where the explorer is.
const Prefix = "/explorer"

//go:embed dist
var files embed.FS

// policy lets the page run its own script and talk to this server only. Images of tokens are not shown: they would be
// requests to strangers.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// New serves the page and its files. Every address below [Prefix] that is no file is the page itself, which finds its way
// by the address.
func New() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the explorer is read with GET", http.StatusMethodNotAllowed)
			return
		}
		name := path.Base(path.Clean("/" + strings.TrimPrefix(r.URL.Path, Prefix)))
		data, err := fs.ReadFile(files, "dist/"+name)
		h := w.Header()
		if err != nil || name == "index.html" {
			name = "index.html"
			if data, err = fs.ReadFile(files, "dist/"+name); err != nil {
				http.NotFound(w, r)
				return
			}
			h.Set("Content-Security-Policy", policy)
		}
		h.Set("Cache-Control", "no-cache")
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	})
}
