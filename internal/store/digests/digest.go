package digests

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/blocks"
	"tonql/internal/store/contracts"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/session"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/traces"
	"tonql/internal/store/transactions"
	"tonql/internal/store/verdicts"
)

// Table is the hash of the rows of one table.
type Table struct {
	Table string
	Rows  int64
	Hash  chain.Hash
}

// Digest is a hash of the index: SHA-256 over each table's rows in the order of their keys, in PostgreSQL's binary copy
// format, and over those hashes. Two indexes of the same blocks have the same digest, whatever the order in which they
// were built.
type Digest struct {
	Tables []Table
	Total  chain.Hash
}

// digested lists the tables with the SELECT that puts their rows in order; [traces.Reader.AccountRows] has the missing ones.
var digested = []struct{ table, rows, within string }{
	{
		"blocks", `SELECT ` + blocks.Table + ` FROM blocks ORDER BY workchain, shard, seqno`,
		`SELECT ` + blocks.Table + ` FROM blocks WHERE mc_seqno BETWEEN %d AND %d ORDER BY workchain, shard, seqno`,
	},
	{
		"frames", `SELECT workchain, shard, seqno, frame FROM frames ORDER BY workchain, shard, seqno`,
		`SELECT f.workchain, f.shard, f.seqno, f.frame FROM blocks b JOIN frames f USING (workchain, shard, seqno)
			WHERE b.mc_seqno BETWEEN %d AND %d ORDER BY workchain, shard, seqno`,
	},
	{
		"shards", `SELECT ` + blocks.ShardTable + ` FROM shards ORDER BY mc_seqno, workchain, shard`,
		`SELECT ` + blocks.ShardTable + ` FROM shards WHERE mc_seqno BETWEEN %d AND %d ORDER BY mc_seqno, workchain, shard`,
	},
	{
		"configs", `SELECT mc_seqno, root, boc FROM configs ORDER BY mc_seqno`,
		`SELECT mc_seqno, root, boc FROM configs WHERE mc_seqno BETWEEN %d AND %d ORDER BY mc_seqno`,
	},
	{"libraries", `SELECT hash, boc FROM libraries ORDER BY hash`, ""},
	{"library_ranges", `SELECT first, last, root FROM library_ranges ORDER BY first`, ""},
	{"library_facts", `SELECT hash, root, public FROM library_facts ORDER BY hash, root`, ""},
	{
		digestedTransactions, `SELECT ` + transactions.TransactionColumns + ` FROM transactions t ORDER BY account, lt`,
		`SELECT ` + transactions.TransactionColumns + ` FROM transactions t WHERE mc_seqno BETWEEN %d AND %d ORDER BY account, lt`,
	},
	{
		rawTransactions, `SELECT t.account, t.lt, coalesce(t.boc, o.boc) FROM transactions t LEFT JOIN transaction_bocs o USING (account, lt)
			WHERE coalesce(t.boc, o.boc) IS NOT NULL ORDER BY account, lt`,
		`SELECT t.account, t.lt, coalesce(t.boc, o.boc) FROM transactions t LEFT JOIN transaction_bocs o USING (account, lt)
			WHERE coalesce(t.boc, o.boc) IS NOT NULL AND t.mc_seqno BETWEEN %d AND %d ORDER BY account, lt`,
	},
	{
		// A range has only its own side of a message.
		digestedMessages, `SELECT ` + transactions.MessageTable + ` FROM messages ORDER BY account, lt`,
		`SELECT ` + digestedMessage + ` FROM (
			SELECT m.* FROM transactions t JOIN messages m ON m.account = t.in_msg_account AND m.lt = t.in_msg_lt
				WHERE t.mc_seqno BETWEEN %[1]d AND %[2]d
			UNION SELECT m.* FROM transactions t JOIN messages m
				ON m.account = t.account AND m.lt > t.lt AND m.lt <= t.lt + t.out_msg_count
				WHERE t.mc_seqno BETWEEN %[1]d AND %[2]d) m ORDER BY account, lt`,
	},
	{
		digestedStates, selectDigestedStates + ` FROM (SELECT account, lt FROM account_states
				UNION SELECT account, lt FROM transactions WHERE states IS NOT NULL) k
			LEFT JOIN transactions t ON t.account = k.account AND t.lt = k.lt AND t.states IS NOT NULL
			LEFT JOIN account_states s ON s.account = k.account AND s.lt = k.lt ORDER BY k.account, k.lt`,
		selectDigestedStates + ` FROM transactions t LEFT JOIN account_states s ON s.account = t.account AND s.lt = t.lt
			WHERE (t.states IS NOT NULL OR s.lt IS NOT NULL) AND t.mc_seqno BETWEEN %d AND %d ORDER BY t.account, t.lt`,
	},
	{"accounts", `SELECT ` + transactions.StateTable + ` FROM accounts ORDER BY account`, ""},
	{"cells", `SELECT hash, boc FROM cells ORDER BY hash`, ""},
	{
		"replay_mismatches", `SELECT ` + verdicts.MismatchTable + ` FROM replay_mismatches ORDER BY account, lt`,
		`SELECT ` + verdicts.MismatchTable + ` FROM replay_mismatches WHERE mc_seqno BETWEEN %d AND %d ORDER BY account, lt`,
	},
	{
		"replay_unverified", `SELECT ` + verdicts.UnverifiedTable + ` FROM replay_unverified ORDER BY account, lt`,
		`SELECT ` + verdicts.UnverifiedTable + ` FROM replay_unverified WHERE mc_seqno BETWEEN %d AND %d ORDER BY account, lt`,
	},
	{"contracts", `SELECT account, lt, looked, kinds & ~512::smallint FROM contracts ORDER BY account`, ""}, // 512: migration 118
	{"code_interfaces", `SELECT code_hash, methods, interfaces FROM code_interfaces ORDER BY code_hash`, ""},
	{"jetton_masters", `SELECT ` + contracts.JettonMasterTable + ` FROM jetton_masters ORDER BY address`, ""},
	{"jetton_wallets", `SELECT ` + contracts.JettonWalletTable + ` FROM jetton_wallets ORDER BY address`, ""},
	{
		"jetton_balances", `SELECT wallet, lt, mc_seqno, balance, owner, jetton FROM jetton_balances ORDER BY wallet, lt`,
		`SELECT h.wallet, h.lt, h.mc_seqno, h.balance, h.owner, h.jetton FROM transactions t
			JOIN jetton_balances h ON h.wallet = t.account AND h.lt = t.lt
			WHERE t.mc_seqno BETWEEN %d AND %d ORDER BY wallet, lt`,
	},
	{
		"jetton_transfers", `SELECT ` + contracts.JettonTransferTable + ` FROM jetton_transfers ORDER BY source_wallet, tx_lt`,
		`SELECT o.* FROM transactions t JOIN (SELECT ` + contracts.JettonTransferTable + ` FROM jetton_transfers) o
			ON o.source_wallet = t.account AND o.tx_lt = t.lt WHERE t.mc_seqno BETWEEN %d AND %d ORDER BY source_wallet, tx_lt`,
	},
	{
		"jetton_burns", `SELECT ` + contracts.JettonBurnTable + ` FROM jetton_burns ORDER BY jetton_wallet, tx_lt`,
		`SELECT o.* FROM transactions t JOIN (SELECT ` + contracts.JettonBurnTable + ` FROM jetton_burns) o
			ON o.jetton_wallet = t.account AND o.tx_lt = t.lt WHERE t.mc_seqno BETWEEN %d AND %d ORDER BY jetton_wallet, tx_lt`,
	},
	{"nft_collections", `SELECT ` + contracts.NFTCollectionTable + ` FROM nft_collections ORDER BY address`, ""},
	{"nft_items", `SELECT ` + contracts.NFTItemTable + ` FROM nft_items ORDER BY address`, ""},
	{
		"nft_owners", `SELECT item, lt, mc_seqno, owner FROM nft_owners ORDER BY item, lt`,
		`SELECT h.item, h.lt, h.mc_seqno, h.owner FROM transactions t JOIN nft_owners h ON h.item = t.account AND h.lt = t.lt
			WHERE t.mc_seqno BETWEEN %d AND %d ORDER BY item, lt`,
	},
	{"nft_sales", `SELECT ` + contracts.NFTSaleTable + ` FROM nft_sales ORDER BY address`, ""},
	{
		"nft_transfers", `SELECT ` + contracts.NFTTransferTable + ` FROM nft_transfers ORDER BY nft, tx_lt`,
		`SELECT o.* FROM transactions t JOIN (SELECT ` + contracts.NFTTransferTable + ` FROM nft_transfers) o
			ON o.nft = t.account AND o.tx_lt = t.lt WHERE t.mc_seqno BETWEEN %d AND %d ORDER BY nft, tx_lt`,
	},
	{"dns_records", `SELECT ` + contracts.DNSTable + ` FROM dns_records ORDER BY item`, ""},
	{"multisigs", `SELECT ` + contracts.MultisigTable + ` FROM multisigs ORDER BY address`, ""},
	{"multisig_members", `SELECT ` + contracts.MultisigMemberTable + ` FROM multisig_members ORDER BY member, multisig`, ""},
	{"multisig_orders", `SELECT ` + contracts.MultisigOrderTable + ` FROM multisig_orders ORDER BY address`, ""},
	{"vestings", `SELECT ` + contracts.VestingTable + ` FROM vestings ORDER BY address`, ""},
	{"vesting_whitelist", `SELECT ` + contracts.VestingWhitelistTable + ` FROM vesting_whitelist ORDER BY member, vesting`, ""},
	{"nominator_pools", `SELECT ` + contracts.NominatorPoolTable + ` FROM nominator_pools ORDER BY address`, ""},
	{"nominator_positions", `SELECT ` + contracts.NominatorPositionTable + ` FROM nominator_positions ORDER BY nominator, pool`, ""},
	{"nft_sale_records", `SELECT address, lt, mc_seqno, kind, nft, nft_owner, marketplace, price FROM nft_sale_records ORDER BY address, lt`, ""},
	{"traces", `SELECT ` + traces.TraceTable + `, nodes FROM traces ORDER BY trace_id`, ""},
	{traces.DigestedTraceAccounts, "", ""},
	{digestedActions, `SELECT ` + traces.ActionTable + ` FROM actions ORDER BY trace_id, action_id`, ""},
	{traces.DigestedActionAccounts, "", ""},
	{"indexed_ranges", indexrange.Select, ""},
}

const digestedMessage = `account, lt, hash, hash_norm, kind, source, destination, value, value_extra, fwd_fee, ihr_fee, import_fee,
	created_lt, created_at, ihr_disabled, bounce, bounced, extra_flags, opcode, body_hash, body_boc, init_hash, init_boc`

// Digest hashes every table in one snapshot. With within it covers only what the masterchain blocks of that range
// committed, and the tables that have no such rows are left out.
func (r *Reader) Digest(ctx context.Context, within *chain.SeqnoRange) (Digest, error) {
	var d Digest
	err := pgx.BeginTxFunc(ctx, r.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		plans := session.Unrestricted
		if within != nil {
			plans = session.Sorted
		}
		if err := plans(ctx, tx); err != nil {
			return err
		}
		accounts, err := r.traces.AccountRows(ctx, tx)
		if err != nil {
			return fmt.Errorf("accounts of traces: %w", err)
		}
		for _, t := range digested {
			rows := cmp.Or(t.rows, accounts[t.table])
			switch {
			case within == nil:
			case t.within == "":
				continue
			default:
				rows = fmt.Sprintf(t.within, within.First, within.Last)
			}
			table, err := r.digestTable(ctx, tx, t.table, rows, within == nil)
			if err != nil {
				return err
			}
			d.Tables = append(d.Tables, table)
		}
		return nil
	})
	if err != nil {
		return Digest{}, sqlbuild.Fault(ctx, "digest", err)
	}
	total := sha256.New()
	for _, t := range d.Tables {
		_, _ = io.WriteString(total, t.Table)
		_, _ = total.Write(t.Hash[:])
	}
	d.Total = chain.HashFrom(total.Sum(nil))
	return d, nil
}

// digestTable hashes rows. complete is whether they are those of all blocks.
func (r *Reader) digestTable(ctx context.Context, tx pgx.Tx, table, rows string, complete bool) (Table, error) {
	sum := sha256.New()
	to, finish := io.Writer(sum), func(error) error { return nil }
	switch table {
	case rawTransactions:
		to, finish = rewritten(sum, r.decompressed(ctx))
	case digestedStates:
		to, finish = rewritten(sum, r.stored(ctx))
	case digestedTransactions:
		to, finish = rewritten(sum, r.described(ctx, complete))
	case digestedMessages:
		to, finish = rewritten(sum, r.messages(ctx))
	case digestedActions:
		to, finish = rewritten(sum, func(row *sqlbuild.Row, to *sqlbuild.CopyBuffer) error { return r.traces.WriteAction(ctx, row, to) })
	}
	tag, err := tx.Conn().PgConn().CopyTo(ctx, to, "COPY ("+rows+") TO STDOUT WITH (FORMAT binary)")
	if err = finish(err); err != nil {
		return Table{}, fmt.Errorf("digest of %s: %w", table, err)
	}
	return Table{Table: table, Rows: tag.RowsAffected(), Hash: chain.HashFrom(sum.Sum(nil))}, nil
}

// String returns one line for each table and one for all tables.
func (d Digest) String() string {
	var b strings.Builder
	for _, t := range d.Tables {
		fmt.Fprintf(&b, "%-18s %9d rows  %s\n", t.Table, t.Rows, t.Hash.Hex())
	}
	fmt.Fprintf(&b, "digest %s\n", d.Total.Hex())
	return b.String()
}
