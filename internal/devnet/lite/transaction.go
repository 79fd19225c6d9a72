package lite

import (
	"bytes"
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/ledger"
)

// maxHistory limits the transactions of one getTransactions response.
const maxHistory = 16

// getOneTransaction proves that a transaction is in the block, or that it is not.
func (a *api) getOneTransaction(q ton.GetOneTransaction) (tl.Serializable, error) {
	b, err := a.blockOf(q.ID)
	if err != nil {
		return nil, err
	}
	if q.AccID.Workchain != b.ID.Workchain || !contains(b.ID.Shard, accountPrefix(q.AccID.ID)) {
		return nil, fail(codeBadRequest, "requested account id is not contained in the shard of the specified block")
	}
	var tx *cell.Cell
	proof, err := prove(b.Root, func(root *cell.Cell) error {
		blocks, _, err := openBlockAccounts(root)
		if err != nil {
			return err
		}
		tx, err = blocks.find(q.AccID.ID, uint64(q.LT))
		return err
	})
	if err != nil {
		return nil, err
	}
	response := ton.TransactionInfo{ID: b.ID.Copy()}
	if response.Proof, err = boc(proof); err != nil {
		return nil, err
	}
	if tx != nil {
		if response.Transaction, err = boc(untraced(tx)); err != nil {
			return nil, err
		}
	}
	return response, nil
}

// getTransactions follows an account's history backwards: each transaction refers
// to the one before it by LT and hash.
func (a *api) getTransactions(ctx context.Context, q ton.GetTransactions) (tl.Serializable, error) {
	if q.AccID.Workchain == invalidChain {
		return nil, fail(codeBadRequest, "invalid workchain specified")
	}
	h := history{a: a, acc: *q.AccID, lt: uint64(q.LT), hash: q.TxHash}
	limit := int(min(uint32(q.Limit), maxHistory))
	for len(h.roots) < limit && h.lt != 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		more, err := h.step()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
	}
	response := ton.TransactionList{IDs: h.ids}
	if len(h.roots) > 0 {
		data, err := boc(h.roots...)
		if err != nil {
			return nil, err
		}
		response.Transactions = data
	}
	return response, nil
}

// history is a walk back along an account's transactions.
type history struct {
	a    *api
	acc  ton.AccountID
	lt   uint64 // the next one to find
	hash []byte

	block  *ledger.Block // where the last one was found; the next is often there too
	blocks accountBlocks

	ids   []*ton.BlockIDExt
	roots []*cell.Cell
}

// step finds the next transaction. A gap after the first transactions ends the list; it
// does not fail the query.
func (h *history) step() (more bool, err error) {
	tx, err := h.find()
	if err == nil && tx == nil {
		err = fail(codeBadRequest, "cannot locate transaction in block with specified logical time")
	}
	if err != nil {
		if len(h.roots) > 0 {
			return false, nil
		}
		return false, err
	}
	if !bytes.Equal(tx.Hash(), h.hash) {
		return false, fail(codeBadRequest, "transaction hash mismatch")
	}
	prevHash, prevLT, err := previousTransaction(tx)
	if err != nil {
		return false, err
	}
	if prevLT >= h.lt {
		return false, fail(codeBadRequest, "previous transaction time is not less than the current one")
	}
	h.roots = append(h.roots, tx)
	h.ids = append(h.ids, h.block.ID.Copy())
	h.hash, h.lt = prevHash, prevLT
	return true, nil
}

// find looks in the block at hand first, then in the one that covers the LT.
func (h *history) find() (*cell.Cell, error) {
	if h.block != nil && h.lt >= h.block.StartLT {
		if tx, err := h.blocks.find(h.acc.ID, h.lt); err != nil || tx != nil {
			return tx, err
		}
	}
	prefix := int64(accountPrefix(h.acc.ID) | 1)
	b, err := h.a.chain.ByLT(h.acc.Workchain, prefix, h.lt)
	if ledger.IsNotFound(err) {
		return nil, fail(codeBadRequest,
			"cannot compute block with specified transaction: cannot find block (%d,%016x) lt=%d: lt not in db",
			h.acc.Workchain, accountPrefix(h.acc.ID), h.lt)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot compute block with specified transaction: %w", err)
	}
	h.block = b
	if h.blocks, _, err = openBlockAccounts(b.Root); err != nil {
		return nil, err
	}
	return h.blocks.find(h.acc.ID, h.lt)
}

// previousTransaction reads the reference at the start of a transaction.
func previousTransaction(tx *cell.Cell) ([]byte, uint64, error) {
	s, err := openTagged(tx, 0b0111, 4)
	if err != nil {
		return nil, 0, fmt.Errorf("transaction: %w", err)
	}
	if err := s.SkipBits(256 + 64); err != nil { // account_addr, lt
		return nil, 0, fmt.Errorf("transaction: %w", err)
	}
	hash, err := s.LoadSlice(256)
	if err != nil {
		return nil, 0, fmt.Errorf("transaction: %w", err)
	}
	lt, err := s.LoadUInt(64)
	if err != nil {
		return nil, 0, fmt.Errorf("transaction: %w", err)
	}
	return hash, lt, nil
}
