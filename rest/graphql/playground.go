package graphql

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"path"
	"strings"
	"time"
)

// assets are GraphiQL and React, both MIT licensed, from their npm packages; graphiql 4.1.2 belongs to the last major
// version with a script-tag build. They are embedded so that the page sends no request to another host.
//
//go:embed assets
var assets embed.FS

// playgroundPolicy allows requests to this server only. GraphiQL uses style attributes and inline fonts.
const playgroundPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'self'; frame-ancestors 'none'"

// Playground returns the handler of GraphiQL at /playground and its assets below. The page names the network.
func Playground(network string) http.Handler {
	html, err := assets.ReadFile("assets/playground.html")
	if err != nil {
		panic(err) //nolint:forbidigo // the file is embedded
	}
	html = bytes.Replace(html, []byte("<!-- network -->"), []byte(template.HTMLEscapeString(network)), 1)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/playground"), "/")
		if name == "" {
			w.Header().Set("Content-Security-Policy", playgroundPolicy)
			w.Header().Set("Cache-Control", "no-cache")
			http.ServeContent(w, r, "playground.html", time.Time{}, bytes.NewReader(html))
			return
		}
		data, err := assets.ReadFile(path.Join("assets", path.Clean("/"+name)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "public, max-age=86400")
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	})
}
