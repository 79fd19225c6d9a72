package contracts

import (
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Opcodes of the librarian.
const (
	OpPublishLibrary  = 0x6c696201
	OpWithdrawLibrary = 0x6c696202
)

// Librarian is a masterchain contract that publishes libraries for its owner.
//
//	_ owner:MsgAddress = Storage;
func Librarian(owner *address.Address) Contract {
	return newContract(Masterchain, Code(codeLibrarian), addr(cell.BeginCell(), owner).EndCell())
}

// PublishLibrary makes a cell usable by every account through its hash.
//
//	publish#6c696201 query_id:uint64 library:^Cell = InternalMsgBody;
func PublishLibrary(queryID uint64, library *cell.Cell) *cell.Cell {
	return op(OpPublishLibrary, queryID).MustStoreRef(library).EndCell()
}

// WithdrawLibrary takes a published cell back.
//
//	withdraw#6c696202 query_id:uint64 library:^Cell = InternalMsgBody;
func WithdrawLibrary(queryID uint64, library *cell.Cell) *cell.Cell {
	return op(OpWithdrawLibrary, queryID).MustStoreRef(library).EndCell()
}
