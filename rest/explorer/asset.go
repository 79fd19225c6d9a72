package explorer

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
)

// asset is a file of the page, ready to be sent in two forms.
type asset struct {
	plain  []byte
	packed []byte // by gzip; nil when that makes it no smaller
	tag    string // ETag, of both forms
}

// tagBytes of a hash tell builds apart.
const tagBytes = 12

func newAsset(data []byte) asset {
	sum := sha256.Sum256(data)
	a := asset{plain: data, tag: `W/"` + hex.EncodeToString(sum[:tagBytes]) + `"`}
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
