package docs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"tonql/rest/handler"
)

// assets are the script and the style of the page.
//
//go:embed assets
var assets embed.FS

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// policy restricts the page to its own script and style, and to requests to this server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const name30 = "openapi-3.0.json"

// Options describe the documentation of an API.
type Options struct {
	Prefix   string                 // path of the API, in lower case, without a trailing slash
	Network  string                 // name of the network as the page shows it
	Document func() ([]byte, error) // returns the OpenAPI document in JSON; it is called once, for the first request
	// Examples returns objects of the index for the examples, by the names in examples.json. Nil: examples have no objects.
	Examples func(context.Context) (map[string]string, error)
}

// Site is the documentation of an API. Below the prefix it serves the page (/ and /index.html), the page's files (/page/…)
// and the OpenAPI document (/openapi.json and /doc.json, and in the form of OpenAPI 3.0 /openapi-3.0.json).
type Site struct {
	prefix    string
	document  func() ([]byte, error) // the OpenAPI document in JSON
	openAPI30 func() ([]byte, error) // the same document as [OpenAPI30] returns it
	page      *cached[[]byte]
}

// NewSite returns the documentation of an API.
func NewSite(o Options) Site {
	document := sync.OnceValues(o.Document)
	return Site{
		prefix: o.Prefix, document: document,
		openAPI30: sync.OnceValues(func() ([]byte, error) {
			text, err := document()
			if err != nil {
				return nil, err
			}
			return OpenAPI30(text)
		}),
		page: &cached[[]byte]{read: o.Examples, build: func(found map[string]string) ([]byte, error) {
			text, err := document()
			if err != nil {
				return nil, err
			}
			r, err := newReference(text, o.Prefix, o.Network, found)
			if err != nil {
				return nil, err
			}
			var b bytes.Buffer
			err = pageTemplate.Execute(&b, r)
			return b.Bytes(), err
		}},
	}
}

// IsRequest reports whether a request is for the documentation of the API at prefix. Such requests are cheap: the
// responses are cached.
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
	switch name {
	case "", "index.html":
		name = "index.html"
		content, err = s.page.get(r.Context())
	case "openapi.json", "doc.json":
		content, err = s.document()
	case name30:
		content, err = s.openAPI30()
	default:
		content, err = assets.ReadFile(path.Clean("assets/" + strings.TrimPrefix(name, "page/")))
	}
	if err != nil {
		return false
	}
	handler.RecordOf(r.Context()).Route = s.prefix + "/page"
	sum := sha256.Sum256(content)
	// Browsers revalidate each time, so that a new binary takes effect at once.
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", `"`+base64.RawURLEncoding.EncodeToString(sum[:12])+`"`)
	if name == "index.html" {
		w.Header().Set("Content-Security-Policy", policy)
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	return true
}
