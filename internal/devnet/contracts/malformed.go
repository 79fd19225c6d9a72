package contracts

import (
	"bytes"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Malformed is content that breaks TEP-64, by what is wrong with it.
type Malformed struct {
	Name    string
	Content *cell.Cell
}

// MalformedContents lists content as it should not be and yet is: a reader must survive it and show what can be shown.
func MalformedContents() []Malformed {
	const giant = 12 << 10 // bytes of an image held by the contract itself
	return []Malformed{
		{"empty", cell.BeginCell().EndCell()},
		{"odd bits", cell.BeginCell().MustStoreUInt(1, 8).MustStoreUInt(0x1abc, 13).EndCell()},
		{"broken snake", cell.BeginCell().MustStoreUInt(1, 8).MustStoreSlice([]byte("https://devnet.example/"), 23*8).
			MustStoreRef(cell.BeginCell().MustStoreUInt(5, 3).EndCell()).EndCell()},
		{"library in the snake", cell.BeginCell().MustStoreUInt(1, 8).MustStoreSlice([]byte("https://devnet.example/"), 23*8).
			MustStoreRef(LibraryCode(cell.BeginCell().MustStoreUInt(0xdead, 16).EndCell())).EndCell()},
		{"bad utf-8", OnchainContent(map[string]string{"name": "Bad \xff\xfe name\x00", "symbol": "\xc3\x28", "decimals": "9"})},
		{"no uri", OffchainContent("this is no address at all")},
		{"loopback uri", OffchainContent("http://127.0.0.1:8081/metadata.json")},
		{"link-local uri", OffchainContent("http://169.254.169.254/latest/meta-data/")},
		{"script uri", OffchainContent("javascript:alert(1)")},
		{"decimals that are none", OnchainContent(map[string]string{"name": "Many", "symbol": "MANY", "decimals": "a lot"})},
		{"giant", OnchainContent(map[string]string{"name": "Giant", "image_data": string(bytes.Repeat([]byte("giant "), giant/6))})},
		{"wrong dictionary", cell.BeginCell().MustStoreUInt(0, 8).MustStoreMaybeRef(
			cell.BeginCell().MustStoreSlice(bytes.Repeat([]byte{0xa7}, 40), 320).EndCell()).EndCell()},
		{"missing dictionary", cell.BeginCell().MustStoreUInt(0, 8).MustStoreBoolBit(true).EndCell()},
	}
}
