package lite

import (
	"bytes"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// maxListed limits the transactions of one response; the client requests the rest.
const maxListed = 256

// Bits of a listing request.
const (
	listProof    = 32
	listReverse  = 64
	listAfter    = 128
	listMetadata = 256 // initiator of the chain of messages, from the envelopes
)

// newListing returns the walk with the start and the direction of a request.
func newListing(mode, count uint32, after *ton.TransactionID3) listing {
	l := listing{account: make([]byte, 32), reverse: mode&listReverse != 0}
	l.limit = int(min(count, maxListed))
	if int32(count) < 0 {
		l.limit = 0
	}
	switch {
	case mode&listAfter != 0 && after != nil:
		l.account, l.lt = after.Account, after.LT
	case l.reverse:
		l.account, l.lt = bytes.Repeat([]byte{0xff}, 32), l.edge()
	}
	return l
}

func (a *api) listBlockTransactions(q ton.ListBlockTransactions) (tl.Serializable, error) {
	b, err := a.blockOf(q.ID)
	if err != nil {
		return nil, err
	}
	response := ton.BlockTransactions{ID: b.ID.Copy(), ReqCount: int32(q.Count), TransactionIds: []ton.TransactionID{}}
	l := newListing(q.Mode, q.Count, q.After)
	look := func(root *cell.Cell) error {
		blocks, extra, err := openBlockAccounts(root)
		if err != nil {
			return err
		}
		refs, done, err := blocks.list(l)
		if err != nil {
			return err
		}
		response.Incomplete = !done
		for _, ref := range refs {
			id := ton.TransactionID{
				Flags: q.Mode &^ listMetadata, Account: ref.account, LT: ref.lt, Hash: ref.cell.Hash(),
			}
			if q.Mode&listMetadata != 0 {
				if id.Metadata, err = messageMetadata(extra.inMsgs, ref.cell); err != nil {
					return err
				}
				if id.Metadata != nil {
					id.Flags |= listMetadata
				}
			}
			response.TransactionIds = append(response.TransactionIds, id)
		}
		return nil
	}
	if q.Mode&listProof == 0 {
		return response, look(b.Root)
	}
	response.Proof, err = prove(b.Root, look)
	return response, err
}

func (a *api) listBlockTransactionsExt(q ton.ListBlockTransactionsExt) (tl.Serializable, error) {
	b, err := a.blockOf(q.ID)
	if err != nil {
		return nil, err
	}
	response := ton.BlockTransactionsExt{ID: b.ID.Copy(), ReqCount: int32(q.Count)}
	l := newListing(q.Mode, q.Count, q.After)
	look := func(root *cell.Cell) error {
		blocks, extra, err := openBlockAccounts(root)
		if err != nil {
			return err
		}
		refs, done, err := blocks.list(l)
		if err != nil {
			return err
		}
		response.Incomplete = !done
		for _, ref := range refs {
			response.Transactions = append(response.Transactions, untraced(ref.cell))
			if q.Mode&listMetadata != 0 {
				// The metadata is read by the client out of the proof.
				if _, err := messageMetadata(extra.inMsgs, ref.cell); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if q.Mode&(listProof|listMetadata) == 0 {
		return response, look(b.Root)
	}
	proof, err := prove(b.Root, look)
	if err != nil {
		return nil, err
	}
	response.Proof, err = boc(proof)
	return response, err
}
