package chain

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
)

// Address is a standard internal address (addr_std without anycast): a workchain and the account's 256-bit id.
// addr_none is the absence of an Address, so optional addresses are pointers.
type Address struct {
	Workchain int32
	ID        Hash
}

// addressTag is the first byte of the user-friendly form (TEP-2).
const (
	tagBounceable    = 0x11
	tagNonBounceable = 0x51
	tagTestOnly      = 0x80
)

// String is the raw form with upper-case hex, as REST responses print it: 0:ABC….
func (a Address) String() string {
	buf := make([]byte, 0, 68)
	return string(a.AppendRaw(buf))
}

// AppendRaw appends the raw form to b without allocating when b has room.
func (a Address) AppendRaw(b []byte) []byte {
	const digits = "0123456789ABCDEF"
	b = strconv.AppendInt(b, int64(a.Workchain), 10)
	b = append(b, ':')
	for _, c := range a.ID {
		b = append(b, digits[c>>4], digits[c&15])
	}
	return b
}

// Friendly is the user-friendly form (TEP-2): base64url, 48 characters.
func (a Address) Friendly(bounceable, testOnly bool) string {
	return string(a.AppendFriendly(make([]byte, 0, 48), bounceable, testOnly))
}

// AppendFriendly appends the form of [Address.Friendly].
func (a Address) AppendFriendly(b []byte, bounceable, testOnly bool) []byte {
	var raw [36]byte
	raw[0] = tagNonBounceable
	if bounceable {
		raw[0] = tagBounceable
	}
	if testOnly {
		raw[0] |= tagTestOnly
	}
	raw[1] = byte(a.Workchain)
	copy(raw[2:34], a.ID[:])
	binary.BigEndian.PutUint16(raw[34:], crc16(raw[:34]))
	return base64.URLEncoding.AppendEncode(b, raw[:])
}

// Compare orders addresses by workchain, then id: the order every listing uses as its tie-breaker.
func (a Address) Compare(b Address) int {
	switch {
	case a.Workchain < b.Workchain:
		return -1
	case a.Workchain > b.Workchain:
		return 1
	default:
		return bytes.Compare(a.ID[:], b.ID[:])
	}
}

// AddressSize is the length of the binary form.
const AddressSize = 33

// Bytes is the binary form that sorts like [Address.Compare]: the workchain plus 128, then the id.
func (a Address) Bytes() []byte {
	b := make([]byte, AddressSize)
	b[0] = byte(a.Workchain + 128)
	copy(b[1:], a.ID[:])
	return b
}

// AddressFrom reads the form [Address.Bytes] writes.
func AddressFrom(b []byte) (Address, error) {
	if len(b) != AddressSize {
		return Address{}, Invalidf("a binary address has %d bytes, not %d", AddressSize, len(b))
	}
	return Address{Workchain: int32(b[0]) - 128, ID: HashFrom(b[1:])}, nil
}

// AddressForm is the form in which an address was written, with its flags.
type AddressForm struct {
	Raw        bool
	Bounceable bool // messages to it bounce; true for the raw form, which has no flags
	TestOnly   bool
}

// ParseAddress reads the raw form WC:HEX (64 digits, any case) or the user-friendly form (48 characters of base64 or
// base64url, checksum verified, any flags).
func ParseAddress(s string) (Address, error) {
	a, _, err := ParseAddressForm(s)
	return a, err
}

// ParseAddressForm reads what [ParseAddress] reads, and the form.
func ParseAddressForm(s string) (Address, AddressForm, error) {
	if i := strings.IndexByte(s, ':'); i > 0 {
		a, err := parseRaw(s, i)
		return a, AddressForm{Raw: true, Bounceable: true}, err
	}
	if len(s) != 48 {
		return Address{}, AddressForm{}, invalidAddress(s)
	}
	std := strings.NewReplacer("-", "+", "_", "/").Replace(s)
	raw, err := base64.StdEncoding.Strict().DecodeString(std)
	if err != nil || len(raw) != 36 {
		return Address{}, AddressForm{}, invalidAddress(s)
	}
	tag := raw[0] &^ tagTestOnly
	if tag != tagBounceable && tag != tagNonBounceable {
		return Address{}, AddressForm{}, invalidAddress(s)
	}
	if crc16(raw[:34]) != binary.BigEndian.Uint16(raw[34:]) {
		return Address{}, AddressForm{}, Invalidf("the checksum of address %s does not match: is it complete?", Quote(s))
	}
	form := AddressForm{Bounceable: tag == tagBounceable, TestOnly: raw[0]&tagTestOnly != 0}
	return Address{Workchain: int32(int8(raw[1])), ID: HashFrom(raw[2:34])}, form, nil
}

func parseRaw(s string, colon int) (Address, error) {
	wc, err := strconv.ParseInt(s[:colon], 10, 8) // addr_std carries 8 bits of workchain
	if err != nil || len(s)-colon-1 != 64 {
		return Address{}, invalidAddress(s)
	}
	a := Address{Workchain: int32(wc)}
	if _, err := hex.Decode(a.ID[:], []byte(s[colon+1:])); err != nil {
		return Address{}, invalidAddress(s)
	}
	return a, nil
}

func invalidAddress(s string) error {
	return Invalidf("an address is WORKCHAIN:HEX with 64 hex digits or the 48-character user-friendly form, not %s", Quote(s))
}

// MarshalText prints the raw form.
func (a Address) MarshalText() ([]byte, error) { return a.AppendRaw(nil), nil }

// UnmarshalText reads any form [ParseAddress] accepts.
func (a *Address) UnmarshalText(text []byte) (err error) {
	*a, err = ParseAddress(string(text))
	return err
}

// crc16 is CRC-16/XMODEM, the checksum of TEP-2. It is computed for every address of an address book, hence the table:
// the effect of eight shifts on each byte.
func crc16(data []byte) uint16 {
	var crc uint16
	for _, b := range data {
		crc = crc<<8 ^ crc16Table[byte(crc>>8)^b]
	}
	return crc
}

var crc16Table = func() (table [256]uint16) {
	for i := range table {
		crc := uint16(i) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
		table[i] = crc
	}
	return table
}()
