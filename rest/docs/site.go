package docs

import (
	"bytes"
	"embed"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"tonql/rest/handler"
)

// assets holds Swagger UI 5.35.0 (Apache-2.0) from the npm package swagger-ui-dist. Embedding it makes the page work
// without internet access and without requests to other hosts.
//
//go:embed assets
var assets embed.FS

// policy restricts the page to this server. Swagger UI needs inline styles and data: images.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self' data:; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"

const name30 = "openapi-3.0.json"

// Site is the documentation of an API. Below the prefix it serves the page (/ and /index.html), the page's files (/page/…)
// and the OpenAPI document (/openapi.json and /doc.json, and in the form of OpenAPI 3.0 /openapi-3.0.json).
type Site struct {
	prefix    string                 // path of the API, in lower case, without a trailing slash
	document  func() ([]byte, error) // the OpenAPI document in JSON
	openAPI30 func() ([]byte, error) // the same document as [OpenAPI30] returns it
}

// NewSite returns the documentation of the API at prefix. build makes the OpenAPI document in JSON, when it is first requested.
func NewSite(prefix string, build func() ([]byte, error)) Site {
	document := sync.OnceValues(build)
	return Site{prefix: prefix, document: document, openAPI30: sync.OnceValues(func() ([]byte, error) {
		text, err := document()
		if err != nil {
			return nil, err
		}
		return OpenAPI30(text)
	})}
}

// IsRequest reports whether a request is for the documentation of the API at prefix. Such requests are cheap: the
// responses are static.
func IsRequest(r *http.Request, prefix string) bool {
	name, ok := strings.CutPrefix(strings.ToLower(r.URL.Path), prefix+"/")
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	switch name {
	case "", "index.html", "openapi.json", "doc.json", name30:
		return true
	default:
		return strings.HasPrefix(name, "page/")
	}
}

// Serve responds to a request for the documentation. It returns false, without writing anything, for other paths and for
// methods other than GET and HEAD.
func (s Site) Serve(w http.ResponseWriter, r *http.Request) bool {
	if !IsRequest(r, s.prefix) {
		return false
	}
	name := strings.ToLower(r.URL.Path)[len(s.prefix)+1:]
	var content []byte
	var err error
	cacheControl := "no-cache"
	switch name {
	case "", "index.html":
		name = "index.html"
		content, err = assets.ReadFile("assets/" + name)
	case "openapi.json", "doc.json":
		content, err = s.document()
	case name30:
		content, err = s.openAPI30()
	default:
		content, err = assets.ReadFile(path.Clean("assets/" + strings.TrimPrefix(name, "page/")))
		cacheControl = "public, max-age=86400"
	}
	if err != nil {
		return false
	}
	handler.RecordOf(r.Context()).Route = s.prefix + "/page"
	w.Header().Set("Cache-Control", cacheControl)
	if name == "index.html" {
		w.Header().Set("Content-Security-Policy", policy)
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	return true
}
