package rebuild

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Transaction is a transaction with what the dictionaries of its block need.
type Transaction struct {
	Root     *cell.Cell
	Account  chain.Hash
	LT       uint64
	OldState chain.Hash
	NewState chain.Hash
}

// ReadTransaction reads transaction$0111.
func ReadTransaction(root *cell.Cell) (Transaction, error) {
	t := Transaction{Root: root}
	r := open(root)
	if r.uint(4) != 0b0111 {
		r.fail(errRow)
	}
	t.Account, t.LT = r.hash(), r.uint(64)
	r.skip(256 + 64 + 32 + 15 + 4) // previous transaction, time, number of out-messages, statuses
	r.ref()                        // messages
	r.currencies()                 // total fees
	update := open(r.ref())        // update_hashes#72
	if update.uint(8) != 0x72 {
		update.fail(errRow)
	}
	t.OldState, t.NewState = update.hash(), update.hash()
	if err := cmp.Or(r.err, update.err); err != nil {
		return t, fmt.Errorf("transaction: %w", err)
	}
	return t, nil
}

// AccountBlocks builds ShardAccountBlocks, the dictionary of the transactions of a block, and sorts txs by account and LT.
func AccountBlocks(txs []Transaction) (c *cell.Cell, err error) {
	defer recovered(&err)
	slices.SortFunc(txs, func(a, b Transaction) int {
		return cmp.Or(bytes.Compare(a.Account[:], b.Account[:]), cmp.Compare(a.LT, b.LT))
	})
	blocks, err := tlb.NewShardAccountBlocksAugDict()
	if err != nil {
		return nil, err
	}
	for len(txs) > 0 {
		n := 1
		for n < len(txs) && txs[n].Account == txs[0].Account {
			n++
		}
		block, err := accountBlock(txs[:n])
		if err != nil {
			return nil, fmt.Errorf("transactions of account %s: %w", txs[0].Account.Hex(), err)
		}
		var key writer
		key.hash(&txs[0].Account)
		if err := blocks.Set(key.b.EndCell(), block); err != nil {
			return nil, fmt.Errorf("transactions of account %s: %w", txs[0].Account.Hex(), err)
		}
		txs = txs[n:]
	}
	return blocks.ToCell()
}

// accountBlock writes acc_trans#5 for the transactions of one account, by LT.
func accountBlock(txs []Transaction) (*cell.Cell, error) {
	dict, err := tlb.NewAccountTransactionsAugDict()
	if err != nil {
		return nil, err
	}
	for i := range txs {
		var key, value writer
		key.uint(txs[i].LT, 64)
		value.ref(txs[i].Root)
		if err := dict.Set(key.b.EndCell(), value.b.EndCell()); err != nil {
			return nil, fmt.Errorf("transaction %d: %w", txs[i].LT, err)
		}
	}
	root, err := dict.InlineCell()
	if err != nil {
		return nil, err
	}
	var update writer
	update.uint(0x72, 8)
	update.hash(&txs[0].OldState)
	update.hash(&txs[len(txs)-1].NewState)
	changed, err := update.cell()
	if err != nil {
		return nil, err
	}
	var w writer
	w.uint(5, 4)
	w.hash(&txs[0].Account)
	w.fail(w.b.StoreBuilder(root.ToBuilder()))
	w.ref(changed)
	return w.cell()
}
