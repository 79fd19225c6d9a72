package explorer

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
)

// asset is a file of the page in two encodings.
type asset struct {
	plain  []byte
	packed []byte // compressed by gzip; nil when that is not smaller
	tag    string // ETag of both
}

// tagBytes is the length of the hash prefix in an ETag.
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
