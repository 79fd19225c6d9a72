package docs

import (
	"bytes"
	"embed"
	"net/http"
	"path"
	"strings"
	"time"

	"tonql/rest/handler"
)

// The page is Swagger UI 5.35.0 (Apache-2.0) as its npm package swagger-ui-dist ships it. It is embedded, so that the page
// works without internet and makes no request to another host.
//
//go:embed assets
var assets embed.FS

// policy lets the page talk to this server only. Swagger UI writes style attributes and inlines images.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self' data:; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"

// Site is what an interface says about itself: below its prefix, the page (/ and /index.html), its files (/page/…), and the
// document (/openapi.json and /doc.json).
type Site struct {
	Prefix   string                 // where the interface is mounted, in lower case, without a slash at its end
	Document func() ([]byte, error) // the OpenAPI document in JSON
}

// Names says that a request is for the site of the interface at a prefix: static files, which cost next to nothing.
func Names(r *http.Request, prefix string) bool {
	name, ok := strings.CutPrefix(strings.ToLower(r.URL.Path), prefix+"/")
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	switch name {
	case "", "index.html", "openapi.json", "doc.json":
		return true
	default:
		return strings.HasPrefix(name, "page/")
	}
}

// Serve answers a request for the site. It gives false for every other path and for methods that do not read; then
// nothing was written.
func (s Site) Serve(w http.ResponseWriter, r *http.Request) bool {
	if !Names(r, s.Prefix) {
		return false
	}
	name := strings.ToLower(r.URL.Path)[len(s.Prefix)+1:]
	var content []byte
	var err error
	caching := "no-cache"
	switch name {
	case "", "index.html":
		name = "index.html"
		content, err = assets.ReadFile("assets/" + name)
	case "openapi.json", "doc.json":
		content, err = s.Document()
	default:
		content, err = assets.ReadFile(path.Clean("assets/" + strings.TrimPrefix(name, "page/")))
		caching = "public, max-age=86400"
	}
	if err != nil {
		return false
	}
	handler.RecordOf(r.Context()).Route = s.Prefix + "/page"
	w.Header().Set("Cache-Control", caching)
	if name == "index.html" {
		w.Header().Set("Content-Security-Policy", policy)
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	return true
}
