package v3

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// bocMagic starts a bag of cells. The next byte has the flag crcFlag if the bag ends with a CRC32C of everything before
// it.
var bocMagic = []byte{0xb5, 0xee, 0x9c, 0x72}

const (
	crcFlag = 0x40
	crcSize = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendBOC appends a bag of cells in base64, with a CRC if crc is true and without it otherwise, independent of how the
// bag is stored. In the published format message bodies have a CRC, code and data have none. It appends null for nil.
func appendBOC(b []byte, boc chain.BOC, crc bool) []byte {
	if len(boc) < 6+crcSize || !bytes.HasPrefix(boc, bocMagic) || boc[4]&crcFlag != 0 == crc {
		return handler.AppendBytes(b, boc)
	}
	// The bag is encoded in three parts of complete base64 groups, without a copy: the header with the flag toggled, the
	// middle, and the last bytes with the CRC added or removed.
	var head [6]byte
	copy(head[:], boc)
	head[4] ^= crcFlag
	rest := boc[len(head):]
	if !crc {
		rest = rest[:len(rest)-crcSize]
	}
	middle := len(rest) / 3 * 3
	b = base64.StdEncoding.AppendEncode(append(b, '"'), head[:])
	b = base64.StdEncoding.AppendEncode(b, rest[:middle])
	var tail [2 + crcSize]byte
	n := copy(tail[:], rest[middle:])
	if crc {
		sum := crc32.Update(crc32.Checksum(head[:], castagnoli), castagnoli, rest)
		binary.LittleEndian.PutUint32(tail[n:], sum)
		n += crcSize
	}
	return append(base64.StdEncoding.AppendEncode(b, tail[:n]), '"')
}
