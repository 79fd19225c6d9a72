// Package asset has the files of pages as they are sent: in two encodings, compressed once.
package asset

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Asset is a file of a page in two encodings. Connections share its bytes, so that a client that does not read occupies neither a copy nor a compressor.
type Asset struct {
	Plain []byte

	packed []byte // compressed by gzip; nil when that is not smaller
	tag    string // ETag of both
}

// tagBytes is the length of the hash prefix in an ETag.
const tagBytes = 12

// Tag returns the ETag of a file in any encoding.
func Tag(data []byte) string {
	sum := sha256.Sum256(data)
	return `W/"` + hex.EncodeToString(sum[:tagBytes]) + `"`
}

// New compresses a file.
func New(data []byte) Asset {
	a := Asset{Plain: data, tag: Tag(data)}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil && w.Close() == nil && packed.Len() < len(data) {
		a.packed = packed.Bytes()
	}
	return a
}

// Serve sends the file in an encoding that the client accepts. The ending of name is that of its media type.
func (a Asset) Serve(w http.ResponseWriter, r *http.Request, name string) {
	h := w.Header()
	h.Set("ETag", a.tag)
	h.Set("Vary", "Accept-Encoding")
	data := a.Plain
	if a.packed != nil && AcceptsGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
		data = a.packed
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}

// AcceptsGzip reads Accept-Encoding (RFC 9110, 12.5.3).
func AcceptsGzip(h http.Header) bool {
	for part := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		coding, weight, weighted := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		q, isWeight := strings.CutPrefix(strings.ToLower(strings.TrimSpace(weight)), "q=")
		value, err := strconv.ParseFloat(q, 64)
		return !weighted || !isWeight || err != nil || value > 0
	}
	return false
}
