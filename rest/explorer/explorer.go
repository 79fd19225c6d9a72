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

const page = "index.html"

// Options say what the page must know before its first request.
type Options struct {
	TestOnly bool // addresses carry the flag of test networks: every network but mainnet
}

// New serves the page and its files. Every address below [Prefix] that is no file is the page itself, which finds its way
// by the address.
func New(opts Options) http.Handler {
	assets := load(files)
	if opts.TestOnly {
		const unset, set = `data-test-only="false"`, `data-test-only="true"`
		assets[page] = newAsset(bytes.Replace(assets[page].plain, []byte(unset), []byte(set), 1))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the explorer is read with GET", http.StatusMethodNotAllowed)
			return
		}
		name := path.Base(path.Clean("/" + strings.TrimPrefix(r.URL.Path, Prefix)))
		file, ok := assets[name]
		if !ok {
			name, file = page, assets[page]
		}
		h := w.Header()
		if name == page {
			h.Set("Content-Security-Policy", policy)
		}
		// A browser asks each time whether the file is still the same, so that a new binary shows at once.
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", file.tag)
		h.Set("Vary", "Accept-Encoding")
		data := file.plain
		if file.packed != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			data = file.packed
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	})
}

// load reads the built page once.
func load(from fs.FS) map[string]asset {
	assets := map[string]asset{}
	names, err := fs.Glob(from, "dist/*")
	for _, name := range names {
		var data []byte
		if data, err = fs.ReadFile(from, name); err != nil {
			break
		}
		assets[path.Base(name)] = newAsset(data)
	}
	if err != nil {
		panic(err) //nolint:forbidigo // the files are embedded
	}
	return assets
}
