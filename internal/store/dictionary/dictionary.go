package dictionary

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/klauspost/compress/s2"
)

const (
	// MaxContent is the largest content of a dictionary in bytes: the S2 format refers no further back.
	MaxContent = s2.MaxDictSize
	// maxDecoded bounds the bytes that [Dictionary.Decode] returns.
	maxDecoded = 16 << 20

	// The first byte of what is stored: a BoC begins with neither. After compressed follow the dictionary's id (4 bytes, big endian)
	// and one block of S2, after escaped the bytes as they were, which began with one of the two.
	escaped    = 0x00
	compressed = 0x01
	head       = 1 + 4
)

var errContent = fmt.Errorf("a dictionary holds %d to %d bytes", s2.MinDictSize, MaxContent)

// Dictionary compresses and decompresses bytes that resemble its content. It is immutable and safe for concurrent use.
type Dictionary struct {
	id      ID
	content []byte
	blocks  *s2.Dict
}

// ID identifies a dictionary: the first four bytes of the SHA-256 of its content. It is not a number in a sequence, which would name
// another dictionary after a failover that loses commits, and what is compressed with one would be decompressed with the other.
type ID uint32

// New returns the dictionary with this content.
func New(content []byte) (*Dictionary, error) {
	if len(content) > MaxContent {
		return nil, errContent
	}
	sum := sha256.Sum256(content)
	id := ID(binary.BigEndian.Uint32(sum[:]))
	blocks := s2.MakeDict(content, nil)
	if blocks == nil {
		return nil, errContent
	}
	return &Dictionary{id: id, content: content, blocks: blocks}, nil
}

// ID returns the id that compressed bytes name.
func (d *Dictionary) ID() ID { return d.id }

// Content returns the bytes of the dictionary. The caller must not change them.
func (d *Dictionary) Content() []byte { return d.content }

// Append appends boc to to, compressed. A boc that would not become shorter is appended as it is; a nil dictionary compresses
// nothing.
func (d *Dictionary) Append(to, boc []byte) []byte {
	if d == nil || len(boc) > maxDecoded {
		return appendPlain(to, boc)
	}
	start := len(to)
	to = binary.BigEndian.AppendUint32(append(to, compressed), uint32(d.id))
	room := s2.MaxEncodedLen(len(boc))
	to = slices.Grow(to, room)
	to = to[:len(to)+len(d.blocks.Encode(to[len(to):len(to)+room], boc))]
	if len(to)-start >= len(boc) {
		return appendPlain(to[:start], boc)
	}
	return to
}

func appendPlain(to, boc []byte) []byte {
	if len(boc) > 0 && boc[0] <= compressed {
		to = append(to, escaped)
	}
	return append(to, boc...)
}

// IDOf returns the id of the dictionary that stored needs; needed is false for bytes that are not compressed.
func IDOf(stored []byte) (id ID, needed bool) {
	if len(stored) < head || stored[0] != compressed {
		return 0, false
	}
	return ID(binary.BigEndian.Uint32(stored[1:])), true
}

// Plain returns what [Dictionary.Append] got, as a part of stored bytes that need no dictionary.
func Plain(stored []byte) []byte {
	if len(stored) > 0 && stored[0] == escaped {
		return stored[1:]
	}
	return stored
}

// Decode returns what [Dictionary.Append] compressed, in new memory; nil for damaged bytes, for those of another dictionary, and of a
// nil dictionary.
func (d *Dictionary) Decode(stored []byte) []byte { return d.decode(stored, &arena{}) }

// decode is Decode into memory of a.
func (d *Dictionary) decode(stored []byte, a *arena) []byte {
	if id, needed := IDOf(stored); d == nil || !needed || id != d.id {
		return nil
	}
	block := stored[head:]
	length, err := s2.DecodedLen(block)
	if err != nil || length > maxDecoded {
		return nil
	}
	boc, err := d.blocks.Decode(a.take(length), block)
	if err != nil {
		return nil
	}
	return boc
}

// arena gives out memory from larger pieces, so that the values of a page cost a few allocations.
type arena struct {
	free []byte
	rest int // bytes that are expected to be taken
}

// maxPiece bounds a piece, which stays in memory as long as one value in it.
const maxPiece = 64 << 10

// take returns an empty slice with room for n bytes.
func (a *arena) take(n int) []byte {
	if n > cap(a.free) {
		a.free = make([]byte, 0, max(n, min(a.rest, maxPiece)))
	}
	taken := a.free[0:0:n]
	a.free, a.rest = a.free[n:n:cap(a.free)], a.rest-n
	return taken
}
