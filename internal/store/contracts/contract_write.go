package contracts

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/sqlbuild"
)

// Step writes the detections of a batch. The newest detection about an account counts: the one about the newest state,
// and of several about this state the one at the newest masterchain block, because others may have confirmed or refuted
// it by then. So the tables do not depend on the order of blocks.
type Step struct {
	*batch.Batch

	Detections map[chain.Address]*detection
	stored     map[chain.Address]stored
	// Changed lists the accounts whose rows change, ascending, so that rows are written in the same order every time.
	Changed []chain.Address
	// Wallets are the wallets of domains whose records are removed.
	Wallets []chain.Address
	// retained are the accounts whose rows of a table stay, by its name: they were updated in place, see retainLong.
	retained map[string]map[chain.Address]struct{}
	// contents are the contents of changed tokens that are not sent yet.
	contents contents
}

// detection is the result of detecting an account at a masterchain block; Contract is nil when the account is not
// active any more.
type detection struct {
	lt       uint64
	mcSeqno  uint32
	Contract *chain.Contract
}

// stored is the row of an account in the table contracts.
type stored struct {
	lt      uint64
	mcSeqno uint32 // of the detection
	kinds   int16
}

// Prepare collects the newest detection about each account of the batch.
func (c *Step) Prepare() {
	c.Detections, c.stored, c.Changed = map[chain.Address]*detection{}, map[chain.Address]stored{}, nil
	c.retained = map[string]map[chain.Address]struct{}{}
	for _, mb := range c.Blocks {
		seqno := mb.Block.Seqno
		for i := range mb.Transactions {
			if t := &mb.Transactions[i]; t.EndStatus != chain.Active {
				c.add(t.Account, detection{lt: t.LT, mcSeqno: seqno})
			}
		}
		for i := range mb.Contracts {
			k := &mb.Contracts[i]
			if c.Forced {
				seqno = k.McSeqno
			}
			c.add(k.Account, detection{lt: k.LT, mcSeqno: seqno, Contract: k})
		}
	}
}

func (c *Step) add(account chain.Address, d detection) {
	if found := c.Detections[account]; found == nil || !found.newer(d.lt, d.mcSeqno) {
		c.Detections[account] = &d
	}
}

// newer reports whether d replaces a detection of the state at lt that was made at masterchain block mcSeqno.
func (d *detection) newer(lt uint64, mcSeqno uint32) bool {
	return d.lt > lt || d.lt == lt && d.mcSeqno > mcSeqno
}

// The column looked is the masterchain block of the detection.
const selectStored = `SELECT account, lt, looked, kinds FROM contracts WHERE account = ANY($1)`

// QueueLookup queues the query for the stored detections.
func (c *Step) QueueLookup(b *pgx.Batch) {
	if len(c.Detections) == 0 {
		return
	}
	accounts := make([]chain.Address, 0, len(c.Detections))
	for account := range c.Detections {
		accounts = append(accounts, account)
	}
	b.Queue(selectStored, sqlbuild.AddressArray(accounts)).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
			c.stored[r.Address()] = stored{lt: r.LT(), mcSeqno: r.Uint32(), kinds: r.Int2()}
		})
	})
}

// selectChanged compares the detections with the stored ones.
func (c *Step) selectChanged() {
	for account, d := range c.Detections {
		row, found := c.stored[account]
		if found && d.lt == row.lt && d.Contract != nil && d.Contract.Partial {
			continue
		}
		if !found || d.newer(row.lt, row.mcSeqno) || c.Forced && d.lt == row.lt {
			if d.lt == row.lt {
				d.mcSeqno = max(d.mcSeqno, row.mcSeqno)
			}
			c.Changed = append(c.Changed, account)
		}
	}
	slices.SortFunc(c.Changed, chain.Address.Compare)
}

// Write replaces the records of the accounts with newer detections.
func (c *Step) Write(ctx context.Context) error {
	c.selectChanged()
	if err := c.retainLong(ctx); err != nil {
		return err
	}
	if err := c.removeRecords(ctx); err != nil {
		return err
	}
	for i := range recordTables {
		t := &recordTables[i]
		c.Copies.Reset()
		for _, account := range c.Changed {
			if k := c.Detections[account].Contract; k != nil && KindsOf(k)&t.kind != 0 && !c.retains(t, account) {
				t.rows(c.Copies, k)
			}
			if err := c.Copies.SendPart(ctx, c.Tx, t.table, t.columns); err != nil {
				return err
			}
		}
		if err := c.Copies.Send(ctx, c.Tx, t.table, t.columns); err != nil {
			return err
		}
	}
	return c.writeContents(ctx)
}

// removeRecords deletes the rows that are replaced or no longer valid.
func (c *Step) removeRecords(ctx context.Context) error {
	b := &pgx.Batch{}
	for i := range recordTables {
		t := &recordTables[i]
		var gone []chain.Address
		for _, account := range c.Changed {
			if c.stored[account].kinds&t.kind != 0 && !c.retains(t, account) {
				gone = append(gone, account)
			}
		}
		if len(gone) == 0 {
			continue
		}
		if t.kind == holdsNFTItem {
			c.queueEnded(b, gone)
		}
		text := `DELETE FROM ` + t.table + ` WHERE ` + t.key + ` = ANY($1)`
		if t.kind == holdsDNS {
			sqlbuild.Queue(b, &c.Wallets, len(gone), func(r *sqlbuild.Row, a *chain.Address) { *a = r.Address() },
				`WITH gone AS (`+text+` RETURNING wallet) SELECT g.wallet FROM gone g WHERE g.wallet IS NOT NULL`, sqlbuild.AddressArray(gone))
			continue
		}
		b.Queue(text, sqlbuild.AddressArray(gone))
	}
	if b.Len() == 0 {
		return nil
	}
	if err := c.Tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("earlier records: %w", err)
	}
	return nil
}

// queueEnded queues what the history of items that are none any more lacks because a version before wrote it.
func (c *Step) queueEnded(b *pgx.Batch, gone []chain.Address) {
	ended := slices.DeleteFunc(slices.Clone(gone), func(a chain.Address) bool {
		k := c.Detections[a].Contract
		return k != nil && k.NFTItem != nil
	})
	if len(ended) > 0 {
		b.Queue(completeOwners, sqlbuild.AddressArray(ended))
	}
}

const upsertContracts = `INSERT INTO contracts (account, lt, looked, kinds)
	SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::smallint[])
	ON CONFLICT (account) DO UPDATE SET lt = excluded.lt, looked = excluded.looked, kinds = excluded.kinds`

// Finish queues the rows of the detections and of the metadata of tokens.
func (c *Step) Finish(b *pgx.Batch) {
	if len(c.Changed) > 0 {
		keys := sqlbuild.NewKeyArrays(len(c.Changed))
		seqnos, kinds := make([]int64, len(c.Changed)), make([]int16, len(c.Changed))
		for i, account := range c.Changed {
			d := c.Detections[account]
			keys.Add(&account, d.lt)
			seqnos[i] = int64(d.mcSeqno)
			if d.Contract != nil {
				kinds[i] = KindsOf(d.Contract)
			}
		}
		b.Queue(upsertContracts, keys.Accounts, keys.LTs, seqnos, kinds)
	}
	c.finishTokens(b)
}

// Contracts share codes, so the interfaces of a code are stored once. Only a detection of the complete index,
// which may find more interfaces, replaces them. Methods that cannot be read any more, because a library of the code was
// withdrawn, stay with the interfaces that were found by them.
const (
	insertInterfaces = `INSERT INTO code_interfaces AS c (code_hash, methods, interfaces) VALUES ($1, $2, $3)
		ON CONFLICT (code_hash) DO UPDATE SET methods = excluded.methods, interfaces = excluded.interfaces
		WHERE c.methods IS NULL AND excluded.methods IS NOT NULL`
	replaceInterfaces = `INSERT INTO code_interfaces AS c (code_hash, methods, interfaces) VALUES ($1, $2, $3)
		ON CONFLICT (code_hash) DO UPDATE SET methods = coalesce(excluded.methods, c.methods), interfaces = excluded.interfaces
		WHERE c.methods IS NULL OR excluded.methods IS NOT NULL OR excluded.interfaces <> '{}'`
)

// CodeStep writes the codes of a batch that may not be stored yet.
type CodeStep struct {
	*batch.Batch

	Contracts map[chain.Hash]*chain.Contract
}

// Prepare collects the codes of the batch. stored reports whether a code is stored already.
func (c *CodeStep) Prepare(stored func(chain.Hash) bool) {
	c.Contracts = map[chain.Hash]*chain.Contract{}
	for _, mb := range c.Blocks {
		for i := range mb.Contracts {
			k := &mb.Contracts[i]
			if k.CodeHash.IsZero() || !c.Forced && stored(k.CodeHash) {
				continue
			}
			if found := c.Contracts[k.CodeHash]; found == nil || found.Methods == nil {
				c.Contracts[k.CodeHash] = k
			}
		}
	}
}

// Finish queues the rows of the codes.
func (c *CodeStep) Finish(b *pgx.Batch) {
	text := insertInterfaces
	if c.Forced {
		text = replaceInterfaces
	}
	for hash, k := range c.Contracts {
		names := make([]string, len(k.Interfaces))
		for i, name := range k.Interfaces {
			names[i] = sqlbuild.Storable(name)
		}
		b.Queue(text, hash[:], k.Methods, names)
	}
}
