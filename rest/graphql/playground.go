package graphql

import (
	"embed"
	"encoding/json"
	"net/http"
	"path"
	"strings"
	"time"
)

// The playground is GraphiQL with React, both MIT licensed, as their npm packages ship them: graphiql 4.1.2 is the last
// line with a script-tag build. They are embedded so that the page makes no request to another host.
//
//go:embed assets
var assets embed.FS

// playgroundPolicy lets the page talk to this server only. GraphiQL writes style attributes and inlines fonts.
const playgroundPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'self'; frame-ancestors 'none'"

// Playground serves GraphiQL at /playground and its files below.
func Playground() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/playground"), "/")
		if name == "" {
			name = "playground.html"
			w.Header().Set("Content-Security-Policy", playgroundPolicy)
			w.Header().Set("Cache-Control", "no-cache")
		} else {
			w.Header().Set("Cache-Control", "public, max-age=86400")
		}
		data, err := assets.Open(path.Join("assets", path.Clean("/"+name)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		defer func() { _ = data.Close() }() // an embedded file has nothing to lose
		info, err := data.Stat()
		seeker, ok := data.(interface {
			Read([]byte) (int, error)
			Seek(int64, int) (int64, error)
		})
		if err != nil || info.IsDir() || !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, name, time.Time{}, seeker)
	})
}

// Examples are the documents on the playground's shelf.
func Examples() []string {
	data, err := assets.ReadFile("assets/examples.json")
	var shelf []struct{ Query string }
	if err != nil || json.Unmarshal(data, &shelf) != nil {
		return nil // a test holds the embedded file against the schema
	}
	documents := make([]string, len(shelf))
	for i := range shelf {
		documents[i] = shelf[i].Query
	}
	return documents
}
