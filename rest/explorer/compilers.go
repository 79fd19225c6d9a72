package explorer

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"

	"tonql/rest/asset"
)

// compilersPath is the folder of the scripts of compilers below [Prefix].
const compilersPath = "/compilers/"

// workerPolicy is that of the worker in which compilers run: it may load scripts of this server and compile WebAssembly, and send no
// request, so that sources cannot leave the browser whatever a compiler does with them.
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"

// Compilers are the scripts of the compilers in a folder of the operator. A nil Compilers has none.
type Compilers struct {
	names   []string // as func-0.4.6, the newest version of each language first
	scripts map[string]compilerScript
}

// compilerScript is a script of some megabytes, in memory as it is sent.
type compilerScript struct {
	packed []byte // compressed by gzip
	tag    string // ETag
}

func newCompilerScript(text []byte) (compilerScript, error) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		return compilerScript{}, err
	}
	if err := w.Close(); err != nil {
		return compilerScript{}, err
	}
	return compilerScript{packed: packed.Bytes(), tag: asset.Tag(text)}, nil
}

// Names returns the language and version of each compiler, as func-0.4.6.
func (c *Compilers) Names() []string {
	if c == nil {
		return nil
	}
	return c.names
}

// serve writes the script of a compiler. Only names of compilers that were found exist; a name is never a path.
func (c *Compilers) serve(w http.ResponseWriter, r *http.Request, name string) {
	var script compilerScript
	found := false
	if c != nil {
		script, found = c.scripts[name]
	}
	if !found {
		http.Error(w, "there is no such compiler", http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'")
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", script.tag)
	h.Set("Vary", "Accept-Encoding")
	if r.Header.Get("If-None-Match") == script.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	var body io.Reader = bytes.NewReader(script.packed)
	if asset.AcceptsGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
	} else {
		body, _ = gzip.NewReader(body) // newCompilerScript wrote it
	}
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, body) //nolint:gosec // it was compressed here; an error is a client that is gone
	}
}
