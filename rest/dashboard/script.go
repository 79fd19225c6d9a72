package dashboard

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strings"
)

// script is the script of TON Connect, built from app/ with `make connect`, in two encodings. Pages are not compressed, because they
// have secrets; the script has none.
type script struct{ plain, packed []byte }

func newScript() (script, error) {
	plain, err := files.ReadFile("dist/connect.js")
	if err != nil {
		return script{}, fmt.Errorf("script of TON Connect: %w", err)
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return script{}, err
	}
	_, _ = w.Write(plain) // a buffer takes everything
	err = w.Close()
	return script{plain, packed.Bytes()}, err
}

// serve writes the script in the encoding that the client accepts.
func (s *script) serve(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	h.Set("Vary", "Accept-Encoding")
	body := s.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = s.packed
	}
	_, _ = w.Write(body) // a client that has disconnected needs no response
	return nil
}
