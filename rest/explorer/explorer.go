package explorer

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"tonql/rest/asset"
)

// Prefix is the path of the explorer.
const Prefix = "/explorer"

//go:embed dist
var files embed.FS

// policy allows the page's own script and style, and requests to this server only, which serves the images of tokens.
// Compilers run in a worker, which has the policy [workerPolicy].
func policy(style []byte, workers bool) string {
	sum := sha256.Sum256(style)
	worker := "'none'"
	if workers {
		worker = "'self'"
	}
	return "default-src 'none'; script-src 'self'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; img-src 'self' data:; " +
		"connect-src 'self'; worker-src " + worker + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// styleLink is the link to the style sheet as the build writes it.
const styleLink = `<link rel="stylesheet" crossorigin href="/explorer/index.css">`

// The page, and the script of the worker that runs compilers.
const (
	page   = "index.html"
	worker = "compile.js"
)

// Options configure the page before its first request.
type Options struct {
	TestOnly bool   // show addresses with the test-only flag, as every network but mainnet does
	Network  string // name in the header of every page
	Priced   bool   // there are prices in a currency of states
	Rated    bool   // the operator has a list of recognised tokens, so that the others are shown as unknown
	// Compilers are those that the page runs to verify sources; nil: none.
	Compilers *Compilers
}

// New returns the handler of the page and its files. Every path below [Prefix] that is not a file serves the page, whose
// client-side router reads the path.
func New(opts Options) http.Handler {
	assets := load(files)
	html := string(assets[page].Plain)
	if opts.TestOnly {
		html = strings.Replace(html, `data-test-only="false"`, `data-test-only="true"`, 1)
	}
	if opts.Priced {
		html = strings.Replace(html, `data-priced="false"`, `data-priced="true"`, 1)
	}
	if opts.Rated {
		html = strings.Replace(html, `data-rated="false"`, `data-rated="true"`, 1)
	}
	html = strings.Replace(html, `data-compilers=""`, `data-compilers="`+strings.Join(opts.Compilers.Names(), " ")+`"`, 1)
	html = strings.Replace(html, `data-network=""`, `data-network="`+template.HTMLEscapeString(opts.Network)+`"`, 1)
	// The style is part of the page: one request less before the first paint.
	style := assets["index.css"].Plain
	html = strings.Replace(html, styleLink, "<style>"+string(style)+"</style>", 1)
	policy := policy(style, opts.Compilers != nil)
	head, body, _ := strings.Cut(html, titleMark)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the explorer accepts GET and HEAD only", http.StatusMethodNotAllowed)
			return
		}
		if script, ok := strings.CutPrefix(r.URL.Path, Prefix+compilersPath); ok {
			opts.Compilers.serve(w, r, script)
			return
		}
		name := path.Base(path.Clean("/" + strings.TrimPrefix(r.URL.Path, Prefix)))
		file, ok := assets[name]
		if !ok || name == page {
			name, file = page, asset.New([]byte(head+preview(strings.TrimPrefix(r.URL.Path, Prefix), opts.Network)+body))
		}
		h := w.Header()
		switch name {
		case page:
			h.Set("Content-Security-Policy", policy)
		case worker:
			h.Set("Content-Security-Policy", workerPolicy)
		}
		// Browsers revalidate each time, so that a new binary takes effect at once.
		h.Set("Cache-Control", "no-cache")
		file.Serve(w, r, name)
	})
}

// load reads the embedded files.
func load(from fs.FS) map[string]asset.Asset {
	assets := map[string]asset.Asset{}
	names, err := fs.Glob(from, "dist/*")
	for _, name := range names {
		var data []byte
		if data, err = fs.ReadFile(from, name); err != nil {
			break
		}
		assets[path.Base(name)] = asset.New(data)
	}
	if err != nil {
		panic(err) //nolint:forbidigo // the files are embedded
	}
	return assets
}
