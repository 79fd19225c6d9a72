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

const crcFlag = 0x40

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendBOC prints a bag of cells in base64, with its CRC or without, whichever way it is stored: the published form of
// bodies has one, that of code and data has none. null for nil.
func appendBOC(b []byte, boc chain.BOC, crc bool) []byte {
	if len(boc) < 8 || !bytes.HasPrefix(boc, bocMagic) || boc[4]&crcFlag != 0 == crc {
		return handler.AppendBytes(b, boc)
	}
	flipped := make([]byte, len(boc), len(boc)+4)
	copy(flipped, boc)
	flipped[4] ^= crcFlag
	if crc {
		flipped = binary.LittleEndian.AppendUint32(flipped, crc32.Checksum(flipped, castagnoli))
	} else {
		flipped = flipped[:len(flipped)-4]
	}
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), flipped), '"')
}
