package digests

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/contracts"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/session"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/traces"
	"tonql/internal/store/transactions"
)

// digestVersion is the version of the definition of a [Range]. It is part of each hash, and stored with it. Increase it when the
// rows of a digest change without a change of the chain.
const digestVersion = 1

// Range is the digest of a range of masterchain blocks with the hashes that it consists of.
//
// Each table has the SHA-256 of its rows in the order of their keys, as [sqlbuild.CopyBuffer] or PostgreSQL writes them for a binary COPY, so no
// two lists of rows have the same bytes. The digest is the SHA-256 of the version, the range, and the name, number of rows and hash of
// each table: two different contents with one digest are a collision of SHA-256. Rows do not depend on the order of indexing, nor on the
// form in which they are stored. A digest leaves out:
//
//   - what settings of an installation decide: how far transactions were verified, the states of those that were not executed;
//   - what other blocks say: the trace of a transaction, the other side of a message;
//   - rows about the newest state of an account;
//   - cells, whose hashes are in the states.
type Range struct {
	chain.RangeDigest

	Tables []Table
}

// rangeTable is a table of a range's digest. rows takes the first and the last masterchain seqno.
type rangeTable struct {
	table, rows string
	rewrite     func(*Reader, context.Context) func(*sqlbuild.Row, *sqlbuild.CopyBuffer) error
}

var rangeTables = func() []rangeTable {
	within := func(table string) string {
		for _, d := range digested {
			if d.table == table {
				return d.within
			}
		}
		panic("no rows of " + table) //nolint:forbidigo // the names are constants
	}
	orders := func(table, account, columns string) rangeTable {
		columns = strings.TrimSuffix(columns, ", trace_id")
		return rangeTable{table: table, rows: `SELECT ` + sqlbuild.Qualified("o", columns) + ` FROM transactions t JOIN ` + table + ` o
			ON o.` + account + ` = t.account AND o.tx_lt = t.lt WHERE t.mc_seqno BETWEEN %d AND %d ORDER BY t.account, t.lt`}
	}
	return []rangeTable{
		{table: "blocks", rows: within("blocks")},
		{table: "frames", rows: within("frames")},
		{table: "shards", rows: within("shards")},
		{table: "configs", rows: within("configs")},
		{table: digestedTransactions, rows: within(digestedTransactions), rewrite: (*Reader).undecided},
		{table: rawTransactions, rows: within(rawTransactions), rewrite: (*Reader).decompressed},
		{table: digestedMessages, rows: within(digestedMessages), rewrite: (*Reader).messages},
		{table: digestedStates, rows: selectDigestedStates + ` FROM transactions t LEFT JOIN account_states s ON s.account = t.account AND s.lt = t.lt
			WHERE (t.states IS NOT NULL OR s.lt IS NOT NULL) AND t.verification = ` + fmt.Sprint(int(chain.Replayed)) + `
			AND t.mc_seqno BETWEEN %d AND %d ORDER BY t.account, t.lt`, rewrite: (*Reader).stored},
		{table: "jetton_balances", rows: within("jetton_balances")},
		orders("jetton_transfers", "source_wallet", contracts.JettonTransferTable),
		orders("jetton_burns", "jetton_wallet", contracts.JettonBurnTable),
		{table: "nft_owners", rows: within("nft_owners")},
		orders("nft_transfers", "nft", contracts.NFTTransferTable),
		{table: "nft_sale_records", rows: `SELECT h.address, h.lt, h.mc_seqno, h.kind, h.nft, h.nft_owner, h.marketplace, h.price FROM transactions t
			JOIN nft_sale_records h ON h.address = t.account AND h.lt = t.lt WHERE t.mc_seqno BETWEEN %d AND %d ORDER BY t.account, t.lt`},
	}
}()

const (
	selectActionSets = `SELECT array_agg(DISTINCT t.action_set ORDER BY t.action_set) FROM traces t
		WHERE t.pending = 0 AND t.classification <> 0 AND t.mc_seqno_end BETWEEN $1 AND $2`
	selectWanting = `SELECT count(DISTINCT w.trace_id) FROM trace_wants w WHERE w.mc_seqno_end BETWEEN $1 AND $2`
	selectToken   = `SELECT count(*) FROM range_digests WHERE number = $1 AND token = $2`
)

// RangeDigest computes the digest of a range of masterchain blocks from their rows, in one snapshot. All of them must be indexed.
func (r *Reader) RangeDigest(ctx context.Context, within chain.SeqnoRange) (Range, error) {
	d, _, err := r.rangeDigest(ctx, within, 0)
	return d, err
}

// rangeDigest computes a digest. marked reports whether the snapshot has the mark with a token; with a token it computes nothing otherwise.
func (r *Reader) rangeDigest(ctx context.Context, within chain.SeqnoRange, token int64) (d Range, marked bool, err error) {
	d.Range = within
	err = pgx.BeginTxFunc(ctx, r.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if err := session.Sorted(ctx, tx); err != nil {
			return err
		}
		if token != 0 {
			var n int
			if err := tx.QueryRow(ctx, selectToken, int64(within.First/chain.DigestBlocks), token).Scan(&n); err != nil || n == 0 {
				return err
			}
			marked = true
		}
		indexed, err := indexrange.Read(ctx, tx)
		if err == nil {
			err = indexrange.NotIndexed(within.MissingIn(indexed))
		}
		if err == nil {
			err = r.digestRange(ctx, tx, &d)
		}
		settle(&d.RangeDigest, indexed)
		return err
	})
	return d, marked, sqlbuild.Fault(ctx, "digest of a range", err)
}

// settle corrects the number of traces that lack records: none does when all earlier blocks of the chain are indexed.
func settle(d *chain.RangeDigest, indexed []chain.SeqnoRange) {
	if len(indexed) > 0 && indexed[0].First <= 1 && indexed[0].Last >= d.Range.Last {
		d.WantingTraces = 0
	}
}

// RangeStatement reads rows of a table of a range's digest.
type RangeStatement struct {
	Table, Text string
	rewrite     func(*Reader, context.Context) func(*sqlbuild.Row, *sqlbuild.CopyBuffer) error
}

// RangeStatements are the statements whose rows [Reader.RangeDigest] covers, in order.
func (r *Reader) RangeStatements(ctx context.Context, tx pgx.Tx, within chain.SeqnoRange) ([]RangeStatement, error) {
	first, last := int64(within.First), int64(within.Last)
	list := make([]RangeStatement, len(rangeTables), len(rangeTables)+8)
	for i, t := range rangeTables {
		list[i] = RangeStatement{t.table, fmt.Sprintf(t.rows, first, last), t.rewrite}
	}
	ends := fmt.Sprintf(`t.mc_seqno_end BETWEEN %d AND %d AND t.mc_seqno_start `, first, last)
	for _, part := range []struct{ prefix, condition string }{{"", fmt.Sprintf(`>= %d`, first)}, {crossing, fmt.Sprintf(`< %d`, first)}} {
		rows, err := r.traces.RangeRows(ctx, tx, ends+part.condition)
		if err != nil {
			return nil, fmt.Errorf("rows of traces: %w", err)
		}
		actions := func(r *Reader, ctx context.Context) func(*sqlbuild.Row, *sqlbuild.CopyBuffer) error {
			return func(row *sqlbuild.Row, to *sqlbuild.CopyBuffer) error {
				return r.traces.WriteDigestedAction(ctx, row, to)
			}
		}
		list = append(list, RangeStatement{part.prefix + "traces", rows.Traces, nil}, RangeStatement{part.prefix + "actions", rows.Actions, actions},
			RangeStatement{part.prefix + traces.DigestedTraceAccounts, rows.TraceAccounts, nil},
			RangeStatement{part.prefix + traces.DigestedActionAccounts, rows.ActionAccounts, nil})
	}
	return list, nil
}

func (r *Reader) digestRange(ctx context.Context, tx pgx.Tx, d *Range) error {
	list, err := r.RangeStatements(ctx, tx, d.Range)
	if err != nil {
		return err
	}
	for _, t := range list {
		sum := sha256.New()
		to, finish := io.Writer(sum), func(err error) error { return err }
		if t.rewrite != nil {
			to, finish = rewritten(sum, t.rewrite(r, ctx))
		}
		tag, err := tx.Conn().PgConn().CopyTo(ctx, to, "COPY ("+t.Text+") TO STDOUT WITH (FORMAT binary)")
		if err = finish(err); err != nil {
			return fmt.Errorf("digest of %s: %w", t.Table, err)
		}
		d.Tables = append(d.Tables, Table{Table: t.Table, Rows: tag.RowsAffected(), Hash: chain.HashFrom(sum.Sum(nil))})
	}
	d.sum()
	first, last := int64(d.Range.First), int64(d.Range.Last)
	if err := tx.QueryRow(ctx, selectActionSets, first, last).Scan(&d.ActionSets); err != nil {
		return fmt.Errorf("versions of actions: %w", err)
	}
	if err := tx.QueryRow(ctx, selectWanting, first, last).Scan(&d.WantingTraces); err != nil {
		return fmt.Errorf("wanted records: %w", err)
	}
	return nil
}

// crossing begins the names of the rows of traces that begin before a range.
const crossing = "crossing_"

// sum computes the hashes of the digest from those of its tables.
func (d *Range) sum() {
	own, other := sha256.New(), sha256.New()
	for _, to := range []io.Writer{own, other} {
		b := binary.BigEndian.AppendUint32(nil, digestVersion)
		b = binary.BigEndian.AppendUint32(b, d.Range.First)
		_, _ = to.Write(binary.BigEndian.AppendUint32(b, d.Range.Last))
	}
	for _, t := range d.Tables {
		to := io.Writer(own)
		if strings.HasPrefix(t.Table, crossing) {
			to = other
			if t.Table == crossing+"traces" {
				d.CrossingTraces = t.Rows
			}
		} else {
			d.Rows += t.Rows
		}
		b := append(binary.BigEndian.AppendUint16(nil, uint16(len(t.Table))), t.Table...)
		b = binary.BigEndian.AppendUint64(b, uint64(t.Rows))
		_, _ = to.Write(append(b, t.Hash[:]...))
	}
	d.Hash, d.CrossingHash = chain.HashFrom(own.Sum(nil)), chain.HashFrom(other.Sum(nil))
}

// undecided writes transactions with all their columns except those of the trace, and as if all were verified alike.
func (r *Reader) undecided(ctx context.Context) func(*sqlbuild.Row, *sqlbuild.CopyBuffer) error {
	return r.rewriteTransactions(ctx, func(t *chain.Transaction, to *sqlbuild.CopyBuffer) {
		t.Verification = 0
		transactions.WriteDescribed(to, t, false)
	})
}
