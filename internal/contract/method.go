package contract

import (
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/contract/disassembly"
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

// maxMethods bounds the methods that are listed. No compiler writes more.
const maxMethods = 1024

// Methods returns the ids of the get-methods that a code cell dispatches to, ascending; nil for code without a dictionary of methods that
// can be read. Receivers (ids 0 and below) are left out. A library cell must be resolved first.
func Methods(code *cell.Cell) []int32 {
	var ids []int32
	left := maxMethods
	for _, table := range disassembly.MethodTables(code) {
		if found, ok := methodsOf(table, &left); ok {
			ids = append(slices.Grow(ids, len(found)+1), found...) // not nil, also without methods
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// methodsOf returns the ids of a table; false when it cannot be read. left is the number of entries that may still be read.
func methodsOf(table disassembly.MethodTable, left *int) ([]int32, bool) {
	it, err := table.Dict.Iterator(false, table.Signed)
	if err != nil {
		return nil, false
	}
	ids := []int32{}
	for ; *left > 0 && it.Next(); *left-- {
		key, err := it.Item().Key.BeginParse()
		if err != nil {
			return nil, false
		}
		load := key.LoadBigUInt
		if table.Signed {
			load = key.LoadBigInt
		}
		id, err := load(table.Width)
		if err != nil {
			return nil, false
		}
		if id.Sign() > 0 && id.BitLen() < 32 {
			ids = append(ids, int32(id.Int64()))
		}
	}
	return ids, it.Err() == nil
}
