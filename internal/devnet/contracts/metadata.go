package contracts

import (
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// OffchainContent returns TEP-64 content at a URI.
//
//	offchain#01 uri:SnakeData = FullContent;
func OffchainContent(uri string) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(1, 8).MustStoreStringSnake(uri).EndCell()
}

// OnchainContent is TEP-64 content held by the contract itself: attributes such as name, symbol, decimals.
//
//	onchain#00 data:(HashmapE 256 ^ContentData) = FullContent;
//	snake#00 data:SnakeData = ContentData;
func OnchainContent(attributes map[string]string) *cell.Cell {
	dict := cell.NewDict(256)
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		value := cell.BeginCell().MustStoreUInt(0, 8).MustStoreStringSnake(attributes[name]).EndCell()
		setRef(dict, name, value)
	}
	return cell.BeginCell().MustStoreUInt(0, 8).MustStoreDict(dict).EndCell()
}

// itemContent is the tail an NFT item adds to its collection's common content: text without a prefix.
func itemContent(text string) *cell.Cell {
	return cell.BeginCell().MustStoreStringSnake(text).EndCell()
}

// setRef stores value as a reference under the SHA-256 of name.
func setRef(dict *cell.Dictionary, name string, value *cell.Cell) {
	if err := dict.Set(nameKey(name), cell.BeginCell().MustStoreRef(value).EndCell()); err != nil {
		panic(err) //nolint:forbidigo // the key is always 256 bits
	}
}

func nameKey(name string) *cell.Cell {
	sum := sha256.Sum256([]byte(name))
	return cell.BeginCell().MustStoreSlice(sum[:], 256).EndCell()
}
