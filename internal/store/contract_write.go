package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// contractUnit is what a unit found out about contracts. Of each account the newest look counts: at the newest state,
// and of several looks at that state the one as of the newest masterchain block, since others may have confirmed or
// refuted it by then. So the tables do not depend on the order of blocks.
type contractUnit struct {
	*Batch

	looks map[chain.Address]*look
	held  map[chain.Address]held
	// won are the accounts whose rows change, ascending, so that rows are written in the same order every time.
	won []chain.Address
	// wallets are the wallets of domains whose records are removed.
	wallets []chain.Address
}

// look is what one look at an account found; contract is nil when it is no longer active.
type look struct {
	lt       uint64
	looked   uint32
	contract *chain.Contract
}

// held is what the tables hold of an account.
type held struct {
	lt     uint64
	looked uint32
	kinds  int16
}

func (c *contractUnit) prepare() {
	c.looks, c.held, c.won = map[chain.Address]*look{}, map[chain.Address]held{}, nil
	for _, mb := range c.Blocks {
		seqno := mb.Block.Seqno
		for i := range mb.Transactions {
			if t := &mb.Transactions[i]; t.EndStatus != chain.Active {
				c.add(t.Account, look{lt: t.LT, looked: seqno})
			}
		}
		for i := range mb.Contracts {
			k := &mb.Contracts[i]
			if c.Forced {
				seqno = k.McSeqno
			}
			c.add(k.Account, look{lt: k.LT, looked: seqno, contract: k})
		}
	}
}

func (c *contractUnit) add(account chain.Address, l look) {
	if known := c.looks[account]; known == nil || !known.newer(l.lt, l.looked) {
		c.looks[account] = &l
	}
}

// newer says whether a look comes after one at state lt as of block looked.
func (l *look) newer(lt uint64, looked uint32) bool {
	return l.lt > lt || l.lt == lt && l.looked > looked
}

const selectHeld = `SELECT account, lt, looked, kinds FROM contracts WHERE account = ANY($1)`

func (c *contractUnit) queueLookup(b *pgx.Batch) {
	if len(c.looks) == 0 {
		return
	}
	accounts := make([]chain.Address, 0, len(c.looks))
	for account := range c.looks {
		accounts = append(accounts, account)
	}
	b.Queue(selectHeld, sqlbuild.AddressArray(accounts)).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
			c.held[r.Address()] = held{lt: r.LT(), looked: r.Uint32(), kinds: r.Int2()}
		})
	})
}

// decide compares what was found with what is held.
func (c *contractUnit) decide() {
	for account, l := range c.looks {
		h, known := c.held[account]
		if !known || l.newer(h.lt, h.looked) || c.Forced && l.lt == h.lt {
			if l.lt == h.lt {
				l.looked = max(l.looked, h.looked)
			}
			c.won = append(c.won, account)
		}
	}
	slices.SortFunc(c.won, chain.Address.Compare)
}

func (c *contractUnit) write(ctx context.Context) error {
	c.decide()
	if err := c.removeRecords(ctx); err != nil {
		return err
	}
	for _, t := range recordTables {
		c.Copies.Reset()
		for _, account := range c.won {
			if k := c.looks[account].contract; k != nil && kindsOf(k)&t.kind != 0 {
				t.rows(c.Copies, k)
			}
		}
		if err := c.Copies.Send(ctx, c.Tx, t.table, t.columns); err != nil {
			return err
		}
	}
	return nil
}

// removeRecords deletes the rows that are going to be replaced or are no longer true.
func (c *contractUnit) removeRecords(ctx context.Context) error {
	b := &pgx.Batch{}
	for _, t := range recordTables {
		var gone []chain.Address
		for _, account := range c.won {
			if c.held[account].kinds&t.kind != 0 {
				gone = append(gone, account)
			}
		}
		if len(gone) == 0 {
			continue
		}
		text := `DELETE FROM ` + t.table + ` WHERE ` + t.key + ` = ANY($1)`
		if t.kind == holdsDNS {
			sqlbuild.Queue(b, &c.wallets, len(gone), func(r *sqlbuild.Row, a *chain.Address) { *a = r.Address() },
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

const upsertContracts = `INSERT INTO contracts (account, lt, looked, kinds)
	SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::smallint[])
	ON CONFLICT (account) DO UPDATE SET lt = excluded.lt, looked = excluded.looked, kinds = excluded.kinds`

func (c *contractUnit) finish(b *pgx.Batch) {
	if len(c.won) > 0 {
		keys := sqlbuild.NewKeyArrays(len(c.won))
		looked, kinds := make([]int64, len(c.won)), make([]int16, len(c.won))
		for i, account := range c.won {
			l := c.looks[account]
			keys.Add(&account, l.lt)
			looked[i] = int64(l.looked)
			if l.contract != nil {
				kinds[i] = kindsOf(l.contract)
			}
		}
		b.Queue(upsertContracts, keys.Accounts, keys.LTs, looked, kinds)
	}
	c.finishTokens(b)
}

// Codes are the same for all who share them. What was once analysed stays; only a new look over the whole index, with
// more interfaces known, writes it anew.
const (
	insertInterfaces = `INSERT INTO code_interfaces AS c (code_hash, methods, interfaces) VALUES ($1, $2, $3)
		ON CONFLICT (code_hash) DO UPDATE SET methods = excluded.methods, interfaces = excluded.interfaces
		WHERE c.methods IS NULL AND excluded.methods IS NOT NULL`
	replaceInterfaces = `INSERT INTO code_interfaces AS c (code_hash, methods, interfaces) VALUES ($1, $2, $3)
		ON CONFLICT (code_hash) DO UPDATE SET methods = excluded.methods, interfaces = excluded.interfaces`
)

// codeUnit is the codes of a unit that are not known to be stored.
type codeUnit struct {
	*Batch

	contracts map[chain.Hash]*chain.Contract
}

func (c *codeUnit) prepare(stored func(chain.Hash) bool) {
	c.contracts = map[chain.Hash]*chain.Contract{}
	for _, mb := range c.Blocks {
		for i := range mb.Contracts {
			k := &mb.Contracts[i]
			if k.CodeHash.IsZero() || !c.Forced && stored(k.CodeHash) {
				continue
			}
			if known := c.contracts[k.CodeHash]; known == nil || known.Methods == nil {
				c.contracts[k.CodeHash] = k
			}
		}
	}
}

func (c *codeUnit) finish(b *pgx.Batch) {
	text := insertInterfaces
	if c.Forced {
		text = replaceInterfaces
	}
	for hash, k := range c.contracts {
		names := make([]string, len(k.Interfaces))
		for i, name := range k.Interfaces {
			names[i] = sqlbuild.Storable(name)
		}
		b.Queue(text, hash[:], k.Methods, names)
	}
}
