package chain

import (
	"encoding/base32"
	"encoding/binary"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// DNSEntry is one record of a name as it is stored, whatever its category. At most one of the pointers but Cell is set;
// none for a record of a kind we do not know.
type DNSEntry struct {
	Category     Hash // sha256 of the category's name
	Wallet       *Address
	NextResolver *Address
	ADNL         *Hash
	StorageBag   *Hash
	Text         *string
	Cell         *cell.Cell // the record
}

// ADNLText is the form in which people write an ADNL address: a tag, the address and a checksum in base32, without its
// first letter, which all addresses share.
func ADNLText(h Hash) string {
	const tag = 0x2d
	raw := append([]byte{tag}, h[:]...)
	raw = binary.BigEndian.AppendUint16(raw, crc16(raw))
	return strings.ToLower(base32.StdEncoding.EncodeToString(raw))[1:]
}
