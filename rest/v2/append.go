package v2

import (
	"encoding/base64"
	"slices"
	"strconv"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// The append functions append the JSON encoding of a value to b.

func appendBlockID(b []byte, id chain.BlockIDExt) []byte {
	b = handler.AppendInt(append(b, `{"@type":"ton.blockIdExt","workchain":`...), id.Workchain)
	b = strconv.AppendInt(append(b, `,"shard":"`...), int64(id.Shard), 10)
	b = handler.AppendUint(append(b, `","seqno":`...), id.Seqno)
	b = appendHash(append(b, `,"root_hash":`...), id.RootHash)
	return append(appendHash(append(b, `,"file_hash":`...), id.FileHash), '}')
}

// appendHash appends a hash in base64, or "" for the zero hash.
func appendHash(b []byte, h chain.Hash) []byte {
	if h.IsZero() {
		return append(b, `""`...)
	}
	return handler.AppendHash(b, &h)
}

// appendTxID appends a transaction id. LT 0 with the zero hash means that there is no transaction.
func appendTxID(b []byte, lt uint64, hash chain.Hash) []byte {
	b = handler.AppendDecimal(append(b, `{"@type":"internal.transactionId","lt":`...), lt)
	return append(handler.AppendHash(append(b, `,"hash":`...), &hash), '}')
}

func appendExtra(b []byte, extra chain.ExtraCurrencies) []byte {
	ids := make([]uint32, 0, len(extra))
	for id := range extra {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	b = append(b, '[')
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = handler.AppendInt(append(b, `{"@type":"extraCurrency","id":`...), int32(id))
		b = append(extra[id].Append(append(b, `,"amount":"`...), 10), `"}`...)
	}
	return append(b, ']')
}

// appendBOC appends bytes in base64, or "" for none.
func appendBOC(b, boc []byte) []byte {
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), boc), '"')
}

// appendCell appends a cell as tonlib serializes it, with a checksum, or "" for nil.
func appendCell(b []byte, c *cell.Cell) []byte {
	if c == nil {
		return append(b, `""`...)
	}
	return appendBOC(b, c.ToBOC())
}

// appendFriendly appends an address in bounceable user-friendly form, or "" for nil.
func appendFriendly(b []byte, a *chain.Address) []byte {
	if a == nil {
		return append(b, `""`...)
	}
	return append(a.AppendFriendly(append(b, '"'), true, false), '"')
}

func appendAccountAddress(b []byte, a *chain.Address) []byte {
	return append(appendFriendly(append(b, `{"@type":"accountAddress","account_address":`...), a), '}')
}
