package traces

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"

	"tonql/internal/chain"
)

// The packed form of the details of an action is the CRC-32C of the details (4 bytes, big endian) and, compressed with a dictionary of
// [dictionary.Actions], their text, in which one of the following bytes stands for an address in quotes. JSON has no such bytes in strings,
// and [json.Marshal] writes none between them; details with one have no packed form.
const (
	addressOfRow     = 0x02 // then the number of the account among those of the row (1 byte)
	addressOfBase    = 0x03 // then the id of an account of workchain 0 (32 bytes)
	addressOfMasters = 0x04 // then that of one of the masterchain

	checksum = 4 // bytes
	idBytes  = 32
	// maxNumbered is the number of accounts that a byte can name.
	maxNumbered = 1 << 8
	// maxDetails bounds the details that are packed, and what unpacked ones take.
	maxDetails = 16 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Where the hexadecimal digits of an address in quotes begin, and its length.
const (
	baseDigits, mastersDigits = len(`"0:`), len(`"-1:`)
	baseLength, mastersLength = baseDigits + 2*idBytes + 1, mastersDigits + 2*idBytes + 1
)

// appendText appends the text of details to to. accounts are those of the row. ok is false for details that have no packed form.
func appendText(to, details []byte, accounts []chain.Address) (text []byte, ok bool) {
	if len(details) > maxDetails || slices.ContainsFunc(details, isControl) {
		return to, false
	}
	numbered := accounts[:min(len(accounts), maxNumbered)]
	for {
		quote := bytes.IndexByte(details, '"')
		if quote < 0 {
			return append(to, details...), true
		}
		to, details = append(to, details[:quote]...), details[quote:]
		a, n := quotedAddress(details)
		if n == 0 {
			to, details = append(to, '"'), details[1:]
			continue
		}
		details = details[n:]
		switch i := slices.Index(numbered, a); {
		case i >= 0:
			to = append(to, addressOfRow, byte(i))
		case a.Workchain == 0:
			to = append(append(to, addressOfBase), a.ID[:]...)
		default:
			to = append(append(to, addressOfMasters), a.ID[:]...)
		}
	}
}

func isControl(c byte) bool { return c < ' ' }

// quotedAddress returns the address in quotes with which text begins and its length there, 0 for text that begins otherwise, or with another
// spelling of an address than [chain.Address.String] has.
func quotedAddress(text []byte) (a chain.Address, n int) {
	digits, n := baseDigits, baseLength
	if len(text) > 1 && text[1] == '-' {
		a.Workchain, digits, n = -1, mastersDigits, mastersLength
	}
	if len(text) < n || text[n-1] != '"' || string(text[:digits]) != `"0:` && string(text[:digits]) != `"-1:` {
		return a, 0
	}
	for i := range a.ID {
		high, low := digit(text[digits+2*i]), digit(text[digits+2*i+1])
		if high|low > 0xf {
			return a, 0
		}
		a.ID[i] = high<<4 | low
	}
	return a, n
}

// digit returns the value of a hexadecimal digit in upper case, 255 for another character.
func digit(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 0xff
}

// unpackedSize returns the length of the details of a text, -1 for damaged text and for details that are too long.
func unpackedSize(text []byte, accounts []chain.Address) int {
	size := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !isControl(c) {
			size++
			continue
		}
		workchain := int32(0)
		switch c {
		case addressOfRow:
			if i++; i >= len(text) || int(text[i]) >= len(accounts) {
				return -1
			}
			workchain = accounts[text[i]].Workchain
		case addressOfBase, addressOfMasters:
			if i += idBytes; i >= len(text) {
				return -1
			}
			if c == addressOfMasters {
				workchain = -1
			}
		default:
			return -1
		}
		switch workchain {
		case 0:
			size += baseLength
		case -1:
			size += mastersLength
		default:
			return -1
		}
	}
	if size > maxDetails {
		return -1
	}
	return size
}

// appendDetails appends the details of a text that [unpackedSize] accepts.
func appendDetails(to, text []byte, accounts []chain.Address) []byte {
	for len(text) > 0 {
		n := slices.IndexFunc(text, isControl)
		if n < 0 {
			return append(to, text...)
		}
		to = append(to, text[:n]...)
		var a chain.Address
		c := text[n]
		if text = text[n+1:]; c == addressOfRow {
			a, text = accounts[text[0]], text[1:]
		} else {
			a.ID, text = [idBytes]byte(text), text[idBytes:]
			if c == addressOfMasters {
				a.Workchain = -1
			}
		}
		to = append(a.AppendRaw(append(to, '"')), '"')
	}
	return to
}

// appendChecksum appends the checksum of details.
func appendChecksum(to, details []byte) []byte {
	return binary.BigEndian.AppendUint32(to, crc32.Checksum(details, castagnoli))
}
