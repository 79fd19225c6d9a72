package contract

import (
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// methodBase is set in ids that derive from names, so that they differ from the small ids of receivers.
const methodBase = 0x10000

// MethodID returns the id of a get-method: CRC-16/XMODEM of its name, with bit 16 set.
func MethodID(name string) int32 {
	var crc uint16
	for i := range len(name) {
		crc = crc<<8 ^ xmodem[byte(crc>>8)^name[i]]
	}
	return methodBase | int32(crc)
}

// xmodem is the table of CRC-16/XMODEM. Each detection of a contract computes the ids of some hundred names.
var xmodem = func() (table [256]uint16) {
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

const (
	methodKeyBits = 19   // width of the method dictionary's keys
	maxMethods    = 1024 // of a larger dictionary only these are listed; no compiler writes one
)

// Instructions at the start of code that dispatches by a dictionary:
//
//	SETCP0; 19 DICTPUSHCONST; DICTIGETJMPZ (or DICTIGETJMP); …
const (
	opSetCP0          = 0xff00
	opDictPushConst19 = 0xf4a413 // 14 bits of opcode, 10 bits of key width
	opDictIGetJmp     = 0xf4a0
	opDictIGetJmpZ    = 0xf4bc
)

// Methods returns the ids of the get-methods that a code cell dispatches to, ascending; nil for code of any other form.
// Receivers (ids 0 and below) are left out. A library cell must be resolved first.
func Methods(code *cell.Cell) []int32 {
	dict := methodDictionary(code)
	if dict == nil {
		return nil
	}
	it, err := dict.Iterator(false, true)
	if err != nil {
		return nil
	}
	ids := []int32{}
	for range maxMethods {
		if !it.Next() {
			break
		}
		key, err := it.Item().Key.BeginParse()
		if err != nil {
			return nil
		}
		id, err := key.LoadInt(methodKeyBits)
		if err != nil {
			return nil
		}
		if id > 0 {
			ids = append(ids, int32(id))
		}
	}
	if it.Err() != nil {
		return nil
	}
	slices.Sort(ids)
	return ids
}

func methodDictionary(code *cell.Cell) *cell.Dictionary {
	if code == nil || code.IsSpecial() {
		return nil
	}
	s, err := code.BeginParse()
	if err != nil {
		return nil
	}
	if op, err := s.PreloadUInt(16); err == nil && op == opSetCP0 {
		_ = s.SkipBits(16)
	}
	if op, err := s.LoadUInt(24); err != nil || op != opDictPushConst19 {
		return nil
	}
	if op, err := s.LoadUInt(16); err != nil || op != opDictIGetJmpZ && op != opDictIGetJmp {
		return nil
	}
	root, err := s.LoadRefCell()
	if err != nil || root.IsSpecial() {
		return nil
	}
	return root.AsDict(methodKeyBits)
}
