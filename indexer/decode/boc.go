package decode

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellparts"
	"tonql/internal/chain"
)

// contentBOC serializes message bodies, state-inits and complete transactions: with a checksum, as in
// responses of the published APIs.
func contentBOC(c *cell.Cell) chain.BOC {
	return c.ToBOCWithOptions(cell.BOCSerializeOptions{WithCRC32C: true})
}

// ContentBOC serializes a raw transaction in the form of rows.
func ContentBOC(c *cell.Cell) []byte { return contentBOC(c) }

// SerializeState serializes a code, data, library or configuration cell in the form of rows.
func SerializeState(c *cell.Cell) []byte { return stateBOC(c) }

// stateBOC serializes code, data, configurations and libraries: without a checksum.
func stateBOC(c *cell.Cell) chain.BOC {
	return cellparts.Serialize(c)
}
