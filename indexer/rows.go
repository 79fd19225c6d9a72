package indexer

import (
	"context"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/internal/chain"
	"tonql/internal/rebuild"
	"tonql/internal/store"
)

// rowCheck checks the rows of one masterchain block against each other.
type rowCheck struct {
	ctx     context.Context // of one call of verifyRows
	db      *store.Reader
	seqno   uint32
	indexed []chain.SeqnoRange
	report  *Report

	blocks   []chain.Block // the masterchain block first
	frames   map[chain.BlockID][]byte
	rows     map[chain.TransactionKey]*chain.Transaction
	raw      map[chain.BlockID][]rebuild.Transaction
	want     *decode.Master // decoded from the blocks that were built again
	tops     []chain.BlockIDExt
	others   map[chain.TransactionKey]*chain.Transaction // of other masterchain blocks
	messages map[chain.MessageKey]*chain.Message
	checked  map[chain.Hash]struct{} // parts of cells
}

func verifyRows(ctx context.Context, db *store.Reader, seqno uint32, indexed []chain.SeqnoRange, r *Report) error {
	c := &rowCheck{ctx: ctx, db: db, seqno: seqno, indexed: indexed, report: r}
	for _, check := range []func() (bool, error){c.readBlocks, c.readTransactions, c.build, c.columns, c.chain, c.lookup, c.links, c.states, c.accounts, c.verdicts} {
		proceed, err := check()
		if err != nil {
			if err := refused(ctx, err); err != nil {
				return err
			}
			c.differ("rows", fmt.Sprint(seqno), "cannot be read: "+err.Error())
			return nil
		}
		if !proceed {
			return nil
		}
	}
	return nil
}

func (c *rowCheck) differ(table, key, what string) {
	c.report.differ(Difference{McSeqno: c.seqno, Table: table, Key: key, What: what})
}

// readBlocks reads the rows and the frames of the blocks.
func (c *rowCheck) readBlocks() (bool, error) {
	found, err := c.db.BlocksOfMasterchain(c.ctx, []uint32{c.seqno})
	if err != nil {
		return false, fmt.Errorf("blocks: %w", err)
	}
	master := chain.MasterBlockID(c.seqno)
	rows := found[c.seqno]
	at := slices.IndexFunc(rows, func(b chain.Block) bool { return b.BlockID == master })
	if at < 0 {
		c.differ("blocks", master.String(), "missing")
		return false, nil
	}
	c.blocks = append(append([]chain.Block{rows[at]}, rows[:at]...), rows[at+1:]...)
	ids := make([]chain.BlockID, len(c.blocks))
	for i := range c.blocks {
		ids[i] = c.blocks[i].BlockID
	}
	if c.frames, err = c.db.Frames(c.ctx, ids); err != nil {
		return false, fmt.Errorf("frames: %w", err)
	}
	if len(c.frames) == 0 {
		c.report.Unframed += len(c.blocks)
		return false, nil
	}
	for _, id := range ids {
		if c.frames[id] == nil {
			c.differ("frames", id.String(), "missing")
		}
	}
	return len(c.frames) == len(ids), nil
}

// readTransactions reads the rows of transactions and the raw transactions, which must be bags of cells as they are written.
func (c *rowCheck) readTransactions() (bool, error) {
	rows, err := c.db.TransactionsOfMasterchain(c.ctx, chain.SeqnoRange{First: c.seqno, Last: c.seqno})
	if err != nil {
		return false, fmt.Errorf("transactions: %w", err)
	}
	c.rows = make(map[chain.TransactionKey]*chain.Transaction, len(rows))
	c.raw = map[chain.BlockID][]rebuild.Transaction{}
	keys := make([]chain.TransactionKey, len(rows))
	for i := range rows {
		keys[i] = rows[i].Key()
		c.rows[keys[i]] = &rows[i]
	}
	bocs, err := c.db.TransactionBOCs(c.ctx, keys)
	if err != nil {
		return false, fmt.Errorf("raw transactions: %w", err)
	}
	for i, key := range keys {
		root, err := rebuild.Exact(bocs[key], decode.ContentBOC)
		if err != nil {
			c.differ("transaction_bocs", keyText(key), "damaged or missing: "+err.Error())
			continue
		}
		t, err := rebuild.ReadTransaction(root)
		if err != nil {
			c.differ("transaction_bocs", keyText(key), err.Error())
			continue
		}
		c.raw[rows[i].Block] = append(c.raw[rows[i].Block], t)
	}
	return true, nil
}

// build builds the blocks and decodes them.
func (c *rowCheck) build() (bool, error) {
	config, err := c.config()
	if err != nil {
		return false, err
	}
	raw := &chain.RawMasterBlock{}
	equal := true
	for i := range c.blocks {
		b := &c.blocks[i]
		root, err := c.block(b, config)
		if err != nil {
			c.differ("blocks", b.String(), "cannot be built from its rows: "+err.Error())
			equal = false
			continue
		}
		if got := chain.Hash(root.HashKey(0)); got != b.RootHash {
			c.differ("blocks", b.String(), fmt.Sprintf("its rows give the root hash %s, its row has %s", got.Hex(), b.RootHash.Hex()))
			equal = false
			continue
		}
		c.report.Rebuilt++
		if i == 0 {
			raw.Master = chain.RawBlock{ID: b.BlockIDExt, Root: root}
		} else {
			raw.Shards = append(raw.Shards, chain.RawBlock{ID: b.BlockIDExt, Root: root})
		}
	}
	if !equal {
		return false, nil
	}
	if c.tops, err = rebuild.ShardTops(raw.Master.Root); err == nil {
		raw.Top = c.tops
		c.want, err = decode.MasterBlock(c.ctx, raw)
	}
	if err != nil {
		c.differ("blocks", c.blocks[0].String(), "cannot be decoded: "+err.Error())
		return false, nil
	}
	return true, nil
}

// block builds one block.
func (c *rowCheck) block(b *chain.Block, config *cell.Cell) (*cell.Cell, error) {
	accounts, err := rebuild.AccountBlocks(c.raw[b.BlockID])
	if err != nil {
		return nil, err
	}
	if !b.KeyBlock || !b.IsMaster() {
		config = nil
	}
	return rebuild.Block(b, c.frames[b.BlockID], accounts, config)
}

// config checks the configuration in force. A key block names it; that of an earlier key block is compared with its hash only, and
// may be missing when the network had it no longer.
func (c *rowCheck) config() (*cell.Cell, error) {
	b := &c.blocks[0]
	epoch := b.PrevKeyBlockSeqno
	if b.KeyBlock {
		epoch = c.seqno
	}
	executed := b.KeyBlock
	for _, t := range c.rows {
		executed = executed || t.Verification == chain.Replayed
	}
	row, err := c.db.Config(c.ctx, c.seqno)
	if err != nil && chain.KindOf(err) != chain.NotFound {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	if err != nil || row.McSeqno != epoch {
		if executed {
			c.differ("configs", fmt.Sprint(epoch), "missing")
		}
		return nil, nil
	}
	root, err := rebuild.Exact(row.BOC, decode.SerializeState)
	if err != nil {
		c.differ("configs", fmt.Sprint(epoch), "damaged: "+err.Error())
		return nil, nil
	}
	if chain.Hash(root.HashKey()) != row.Root {
		c.differ("configs", fmt.Sprint(epoch), "root is not the hash of the cells")
		return nil, nil
	}
	return root, nil
}

// columns compares the rows with what the blocks decode to.
func (c *rowCheck) columns() (bool, error) {
	for i := range c.want.Transactions {
		if g := c.rows[c.want.Transactions[i].Key()]; g != nil {
			c.want.Transactions[i].Verification = g.Verification
		}
	}
	compare := &comparison{ctx: c.ctx, db: c.db, want: c.want.MasterBlock, report: c.report}
	for _, f := range []func() error{compare.blocks, compare.transactions, compare.bocs, compare.messages} {
		if err := f(); err != nil {
			return false, err
		}
	}
	return true, nil
}
