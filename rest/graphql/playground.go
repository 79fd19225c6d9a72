package graphql

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"

	"tonql/rest/asset"
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
	main, files := asset.New(html), loadAssets()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/playground"), "/")
		if name == "" {
			w.Header().Set("Content-Security-Policy", playgroundPolicy)
			w.Header().Set("Cache-Control", "no-cache")
			main.Serve(w, r, "playground.html")
			return
		}
		file, ok := files[strings.TrimPrefix(path.Clean("/"+name), "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "public, max-age=86400")
		file().Serve(w, r, name)
	})
}

// loadAssets returns the files by name. Each is compressed when it is first requested.
func loadAssets() map[string]func() asset.Asset {
	names, err := fs.Glob(assets, "assets/*")
	if err != nil {
		panic(err) //nolint:forbidigo // the pattern is a constant
	}
	files := map[string]func() asset.Asset{}
	for _, name := range names {
		files[path.Base(name)] = sync.OnceValue(func() asset.Asset {
			data, err := assets.ReadFile(name)
			if err != nil {
				panic(err) //nolint:forbidigo // the file is embedded
			}
			return asset.New(data)
		})
	}
	return files
}
