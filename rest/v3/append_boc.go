package v3

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// The header of a bag of cells: magic, then a byte whose bit crcFlag says that a CRC32C of everything before it ends
// the bag.
var bocMagic = []byte{0xb5, 0xee, 0x9c, 0x72}

const (
	crcFlag = 0x40
	crcSize = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendBOC prints a bag of cells in base64, with its CRC or without, whichever way it is stored: the published form of
// bodies has one, that of code and data has none. null for nil.
func appendBOC(b []byte, boc chain.BOC, crc bool) []byte {
	if len(boc) < 6+crcSize || !bytes.HasPrefix(boc, bocMagic) || boc[4]&crcFlag != 0 == crc {
		return handler.AppendBytes(b, boc)
	}
	// Encoded in pieces of whole base64 groups, so that nothing is copied: the header with the other flag, the middle,
	// and the last bytes with the CRC that is put on or taken off.
	var head [6]byte
	copy(head[:], boc)
	head[4] ^= crcFlag
	rest := boc[len(head):]
	if !crc {
		rest = rest[:len(rest)-crcSize]
	}
	whole := len(rest) / 3 * 3
	b = base64.StdEncoding.AppendEncode(append(b, '"'), head[:])
	b = base64.StdEncoding.AppendEncode(b, rest[:whole])
	var tail [2 + crcSize]byte
	n := copy(tail[:], rest[whole:])
	if crc {
		sum := crc32.Update(crc32.Checksum(head[:], castagnoli), castagnoli, rest)
		binary.LittleEndian.PutUint32(tail[n:], sum)
		n += crcSize
	}
	return append(base64.StdEncoding.AppendEncode(b, tail[:n]), '"')
}
