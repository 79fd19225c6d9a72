package chain

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// addressLength is the length of a user-friendly address.
const addressLength = 48

const addressAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// maxCorrections bounds the corrections of a text. One text in twenty has another correction besides the right one.
const maxCorrections = 10

// AddressCorrection is a user-friendly address with a valid checksum that differs from a text in one character, or in the
// order of two adjacent ones.
type AddressCorrection struct {
	Position int    // of the first character that differs, from 1
	Length   int    // 1 for another character, 2 for swapped ones
	Text     string // the corrected text, in base64url
	Address  Address
}

// CorrectAddress finds the addresses that a text with a wrong checksum may stand for. The list is empty when the text is a valid
// address, or none at all. It computes some 3,000 checksums.
func CorrectAddress(text string) []AddressCorrection {
	text = strings.NewReplacer("+", "-", "/", "_").Replace(text)
	if !HasWrongChecksum(text) {
		return nil
	}
	var found []AddressCorrection
	letters := []byte(text)
	try := func(position, length int) {
		if len(found) == maxCorrections || !hasChecksum(letters) {
			return
		}
		a, err := ParseAddress(string(letters))
		if err == nil && (a.Workchain == BasechainID || a.Workchain == MasterchainID) {
			found = append(found, AddressCorrection{Position: position + 1, Length: length, Text: string(letters), Address: a})
		}
	}
	for i := range letters {
		own := letters[i]
		for _, other := range []byte(addressAlphabet) {
			if letters[i] = other; other != own {
				try(i, 1)
			}
		}
		letters[i] = own
		if i+1 < len(letters) && letters[i] != letters[i+1] {
			letters[i], letters[i+1] = letters[i+1], letters[i]
			try(i, 2)
			letters[i], letters[i+1] = letters[i+1], letters[i]
		}
	}
	return found
}

// hasChecksum reports whether 48 letters of base64url end with the checksum of those before.
func hasChecksum(letters []byte) bool {
	var raw [36]byte
	_, err := base64.URLEncoding.Decode(raw[:], letters)
	return err == nil && crc16(raw[:34]) == binary.BigEndian.Uint16(raw[34:])
}

// HasWrongChecksum reports whether a text has the form of a user-friendly address and is none.
func HasWrongChecksum(text string) bool {
	if len(text) != addressLength || strings.Trim(text, addressAlphabet+"+/") != "" {
		return false
	}
	_, err := ParseAddress(text)
	return err != nil
}
