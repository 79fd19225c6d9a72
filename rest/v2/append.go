package v2

import (
	"encoding/base64"
	"slices"
	"strconv"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// The append functions print objects of the interface at the end of b.

func appendBlockID(b []byte, id chain.BlockIDExt) []byte {
	b = handler.AppendInt(append(b, `{"@type":"ton.blockIdExt","workchain":`...), id.Workchain)
	b = strconv.AppendInt(append(b, `,"shard":"`...), int64(id.Shard), 10)
	b = handler.AppendUint(append(b, `","seqno":`...), id.Seqno)
	b = appendHash(append(b, `,"root_hash":`...), id.RootHash)
	return append(appendHash(append(b, `,"file_hash":`...), id.FileHash), '}')
}

// appendHash prints "" for a hash that is not known.
func appendHash(b []byte, h chain.Hash) []byte {
	if h.IsZero() {
		return append(b, `""`...)
	}
	return handler.AppendHash(b, &h)
}

// appendTxID prints the zero hash in full: it says that there is no transaction.
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

// appendBOC prints bytes in base64; "" for none.
func appendBOC(b, boc []byte) []byte {
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), boc), '"')
}

// appendCell prints a cell as tonlib serializes it, with a checksum; "" for none.
func appendCell(b []byte, c *cell.Cell) []byte {
	if c == nil {
		return append(b, `""`...)
	}
	return appendBOC(b, c.ToBOC())
}

// appendFriendly prints the form of addresses in results; "" for none.
func appendFriendly(b []byte, a *chain.Address) []byte {
	if a == nil {
		return append(b, `""`...)
	}
	return append(append(append(b, '"'), a.Friendly(true, false)...), '"')
}

func appendAccountAddress(b []byte, a *chain.Address) []byte {
	return append(appendFriendly(append(b, `{"@type":"accountAddress","account_address":`...), a), '}')
}
