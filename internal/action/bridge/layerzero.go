package bridge

import (
	"encoding/hex"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/contract"
	"tonql/internal/contract/content"
)

// opLzEvent is the opcode of events of LayerZero's contracts. They are sent to an account that cannot accept them.
const opLzEvent = 0xe33b9873

// Fields of the objects in LayerZero messages, by their index in the table of the object.
const (
	lzPathSrcEID     = 0
	lzPathSrcOApp    = 1
	lzPathDstEID     = 2
	lzPathDstOApp    = 3
	lzPacketPath     = 0
	lzPacketMessage  = 1
	lzPacketNonce    = 2
	lzPacketGUID     = 3
	lzMdAddrObject   = 0
	lzMdObjFirst     = 0
	lzMsgReceiptSend = 0
)

// Types of fields, with their number of bits.
const (
	lzUint32  = 5
	lzUint64  = 6
	lzUint128 = 7
	lzUint256 = 8
	lzRef     = 9
)

var lzBits = map[uint64]uint{lzUint32: 32, lzUint64: 64, lzUint128: 128, lzUint256: 256}

// lzObject reads an object of LayerZero's contracts: a cell that starts with its name and the positions of its fields.
// Cell 0 of a field is the cell of the object, cell k the one behind its reference k, counted from 0. All objects of a
// message share one error: after the first, every read returns zero.
//
//	field$_ type:uint4 cell:uint2 offset:uint10 ref:uint2 = Field;
//	object$_ name:uint80 fields:(15 * Field) data:Any = Object;
type lzObject struct {
	root  *cell.Cell
	fault *lzFault
}

// lzFault holds the first error of all objects of a message.
type lzFault struct{ err error }

func (f *lzFault) set(err error) {
	if f.err == nil {
		f.err = err
	}
}

const (
	lzNameBits  = 80
	lzFieldBits = 18
)

// lzPayload returns the object in a message.
func lzPayload(b *action.Block, name string) *lzObject {
	l := b.Body()
	l.Uint(64) // query id
	f := &lzFault{}
	c := l.Ref()
	f.set(l.Err())
	return lzLoad(c, name, f)
}

func lzLoad(c *cell.Cell, name string, f *lzFault) *lzObject {
	l := contract.Load(c)
	if got := l.BigUint(lzNameBits); string(got.Bytes()) != name {
		l.Failf("no %s of LayerZero", name)
	}
	f.set(l.Err())
	return &lzObject{root: c, fault: f}
}

// field returns a loader at a field of one of the types above.
func (o *lzObject) field(index, kind uint64) *contract.Loader {
	if o.failed() {
		return contract.Load(nil)
	}
	table := contract.Load(o.root)
	skip(table, uint(lzNameBits+index*lzFieldBits))
	got, place, offset, ref := table.Uint(4), table.Uint(2), table.Uint(10), table.Uint(2)
	if got != kind {
		table.Failf("field %d is not of type %d", index, kind)
	}
	at := contract.Load(o.root)
	for range place {
		at.Ref()
	}
	if place > 0 {
		at = contract.Load(at.Ref())
	}
	if kind == lzRef {
		for range ref {
			at.Ref()
		}
	} else {
		skip(at, uint(offset))
	}
	o.fault.set(table.Err())
	return at
}

// skip skips bits.
func skip(l *contract.Loader, bits uint) {
	for ; bits > 256; bits -= 256 {
		l.BigUint(256)
	}
	l.BigUint(bits)
}

func (o *lzObject) number(index, kind uint64) *big.Int {
	at := o.field(index, kind)
	n := at.BigUint(lzBits[kind])
	o.fault.set(at.Err())
	return n
}

func (o *lzObject) uint64(index, kind uint64) uint64 { return o.number(index, kind).Uint64() }

func (o *lzObject) hex(index uint64) string { return lzHex(o.number(index, lzUint256)) }

// lzHex formats a number in hexadecimal without leading zeros.
func lzHex(n *big.Int) string { return "0x" + n.Text(16) }

func (o *lzObject) cell(index uint64) *cell.Cell {
	at := o.field(index, lzRef)
	c := at.Ref()
	o.fault.set(at.Err())
	return c
}

func (o *lzObject) object(index uint64, name string) *lzObject {
	return lzLoad(o.cell(index), name, o.fault)
}

// failed reports whether a field was missing.
func (o *lzObject) failed() bool { return o.fault.err != nil }

// LayerZeroPacketData is a message between two chains. Applications are hexadecimal numbers without leading zeros,
// because they can be accounts of any chain; chains are LayerZero endpoint ids.
type LayerZeroPacketData struct {
	SrcOApp string `json:"src_oapp"`
	DstOApp string `json:"dst_oapp"`
	SrcEID  uint64 `json:"src_eid"`
	DstEID  uint64 `json:"dst_eid"`
	Nonce   uint64 `json:"nonce"`
	GUID    string `json:"guid"`    // 0x and hex without leading zeros
	Message string `json:"message"` // 0x and the bytes
}

// Column implements [action.Payload].
func (*LayerZeroPacketData) Column() string { return "layerzero_packet_data" }

func newLayerZeroPacketData(packet *lzObject) *LayerZeroPacketData {
	path := packet.object(lzPacketPath, "path")
	return &LayerZeroPacketData{
		SrcOApp: path.hex(lzPathSrcOApp), DstOApp: path.hex(lzPathDstOApp),
		SrcEID: path.uint64(lzPathSrcEID, lzUint32), DstEID: path.uint64(lzPathDstEID, lzUint32),
		Nonce: packet.uint64(lzPacketNonce, lzUint64), GUID: packet.hex(lzPacketGUID),
		Message: "0x" + hex.EncodeToString(content.Snake(packet.cell(lzPacketMessage))),
	}
}
