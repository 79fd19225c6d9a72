package snapshot

import (
	"fmt"
	"strings"
)

// Snapshots that are imported together are of different blocks, and each was made as if the blocks of the others did not exist. Rows
// that belong to blocks are copied as they are. Other tables have rows of which several snapshots have one with the same key, such as the newest
// state of an account: their files are copied into another table, with the number of the snapshot, and one statement for each table selects the rows
// that one index of all these blocks has. The two sides of a message in different snapshots become one row; traces across such messages, and traces that lacked
// records of earlier blocks, are written again by a [Joiner] when the tables have their indexes.

// union is a table of which several snapshots may have rows with the same key. One of its fields says which rows there are.
type union struct {
	table string
	// key are the columns of the key. Of several rows with one the first counts, in the order of first and then of the snapshots.
	key, first string
	// of is the column of an account: the rows of the snapshot with the newest detection about the account count.
	of string
	// join names a table of chosen snapshots, with the condition of its rows.
	join string
	// statement is complete: %[1]s are the columns, %[2]s all rows u, with the number of their snapshot.
	statement string
	// none leaves the table empty: the indexer computes its rows from others, or does not need them.
	none bool
	// empty is none, and a snapshot that has rows is refused.
	empty bool
}

// Tables of an import of several snapshots.
const (
	chosenTable = importTable + "_chosen" // the snapshot with the newest detection about an account
	namedTable  = importTable + "_named"  // a snapshot with metadata of the newest content of a token, fetched if any has that
	joinedTable = importTable + "_joined" // messages whose sides were in two snapshots
	beginsTable = importTable + "_begins" // the first masterchain block of each indexed range of a snapshot, with its first LT
)

// ofTransaction is the condition that a row is the state that an indexed transaction left, which the transaction's row has.
const ofTransaction = `SELECT FROM transactions t WHERE t.account = u.account AND t.lt = u.lt AND t.states IS NOT NULL`

// unions lists the tables of which several snapshots may have rows with the same key. The rules are those by which the writer replaces rows,
// so that the tables are those of one index: a row of the newest state is replaced by that of a later one, a row of history by one that an earlier
// block brought.
var unions = []union{
	{table: "accounts", key: "account", first: "lt DESC"},
	{table: "account_states", statement: `INSERT INTO account_states (%[1]s) SELECT %[1]s FROM (SELECT DISTINCT ON (account, lt) * FROM %[2]s
		ORDER BY account, lt, rest IS NULL, snapshot) u WHERE NOT EXISTS (` + ofTransaction + `)`},
	{table: "cells", key: "hash"},
	{table: "code_interfaces", key: "code_hash", first: "methods IS NULL"},
	{table: "configs", key: "mc_seqno"},
	{table: "libraries", key: "hash"},
	{table: "library_facts", key: "hash, root"},
	{table: "library_ranges", statement: islands("library_ranges", "root")},
	{table: "indexed_ranges", statement: islands("indexed_ranges", "")},
	{table: "network", key: "root_hash, file_hash"},

	{table: "contracts", key: "account", first: "lt DESC, looked DESC"},
	{table: "jetton_masters", of: "address"},
	{table: "jetton_wallets", of: "address"},
	{table: "nft_collections", of: "address"},
	{table: "nft_items", of: "address"},
	{table: "nft_sales", of: "address"},
	{table: "dns_records", of: "item"},
	{table: "multisigs", of: "address"},
	{table: "multisig_members", of: "multisig"},
	{table: "multisig_orders", of: "address"},
	{table: "vestings", of: "address"},
	{table: "vesting_whitelist", of: "vesting"},
	{table: "nominator_pools", of: "address"},
	{table: "nominator_positions", of: "pool"},

	{table: "jetton_balances", key: "wallet, lt", first: "mc_seqno"},
	{table: "nft_owners", statement: `INSERT INTO nft_owners (item, lt, mc_seqno, owner, item_index, collection)
		SELECT DISTINCT ON (item, lt) item, lt, min(mc_seqno) OVER (PARTITION BY item, lt), owner, item_index, collection FROM %[2]s
		ORDER BY item, lt, collection IS NULL, mc_seqno, snapshot`},
	{table: "nft_sale_records", key: "address, lt", first: "mc_seqno"},

	{table: "metadata", join: namedTable + " k ON k.address = u.address AND k.kind = u.kind"},
	{table: "token_names", join: namedTable + " k ON k.address = u.address AND k.kind = u.kind"},
	{table: "nft_traits", join: namedTable + " k ON k.address = u.item AND k.kind = u.kind"},

	{table: "dictionaries", statement: numbered("dictionaries")},
	{table: "action_dictionaries", statement: numbered("action_dictionaries")},
	{table: "names_version", statement: `INSERT INTO names_version (%[1]s) SELECT %[1]s FROM %[2]s ORDER BY version DESC LIMIT 1`},
	{table: "verification_counts", statement: `INSERT INTO verification_counts (verification, transactions)
		SELECT verification, sum(transactions)::bigint FROM %[2]s GROUP BY verification`},
	{table: "account_keys_move", key: "only_row"},
	{table: "transactions_move", key: "only_row"},

	{table: "day_ranges", none: true},
	{table: "day_states", none: true},
	{table: "day_totals", none: true},
	{table: "jetton_days", none: true},
	{table: "token_counts", none: true},
	{table: "name_changes", none: true},
	{table: "dropped_blocks", empty: true},
	{table: "dropped_traces", empty: true},
}

// islands joins ranges that follow each other, where the column also is the same.
func islands(table, also string) string {
	column, same, by := "", "", ""
	if also != "" {
		column, same, by = ", "+also, " AND lag("+also+") OVER w = "+also, ", "+also
	}
	return `INSERT INTO ` + table + ` (first, last` + column + `) SELECT min(first), max(last)` + column + ` FROM (
		SELECT *, count(*) FILTER (WHERE begins) OVER (ORDER BY first) AS run FROM (
			SELECT *, (lag(last) OVER w = first - 1` + same + `) IS NOT TRUE AS begins FROM %[2]s WINDOW w AS (ORDER BY first)) r) r
		GROUP BY run` + by
}

// numbered numbers dictionaries again, each once.
func numbered(table string) string {
	return `INSERT INTO ` + table + ` (id, number, content) SELECT id, row_number() OVER (ORDER BY snapshot, number), content
		FROM (SELECT DISTINCT ON (id) * FROM %[2]s ORDER BY id, snapshot) d`
}

// findUnion returns the rule of a table, nil for one whose rows belong to blocks.
func findUnion(table string) *union {
	for i := range unions {
		if unions[i].table == table {
			return &unions[i]
		}
	}
	return nil
}

// copyOf is the table into which the rows of a union are copied, with the number of their snapshot.
func copyOf(table string) string { return importTable + "_of_" + table }

// numberSetting has the number of the snapshot whose rows a transaction copies.
const numberSetting = "tonql.snapshot"

// createCopy creates the table of a union's rows.
func createCopy(table string, columns []Column) string {
	return `CREATE TABLE ` + copyOf(table) + ` AS SELECT 0 AS snapshot, ` + quoted(columns) + ` FROM ` + table + ` WITH NO DATA;
		ALTER TABLE ` + copyOf(table) + ` ALTER snapshot SET DEFAULT current_setting('` + numberSetting + `')::int`
}

// text is the statement that writes the rows of the table.
func (u *union) text(columns []Column) string {
	list, all := quoted(columns), copyOf(u.table)+" u"
	qualified := "u." + strings.ReplaceAll(list, ", ", ", u.")
	insert := "INSERT INTO " + u.table + " (" + list + ") "
	switch {
	case u.statement != "":
		return fmt.Sprintf(u.statement, list, all)
	case u.of != "":
		return insert + "SELECT " + qualified + " FROM " + all + " JOIN " + chosenTable + " k ON k.account = u." + u.of + " AND k.snapshot = u.snapshot"
	case u.join != "":
		return insert + "SELECT " + qualified + " FROM " + all + " JOIN " + u.join + " AND k.snapshot = u.snapshot"
	default:
		order := u.key
		if u.first != "" {
			order += ", " + u.first
		}
		return insert + "SELECT DISTINCT ON (" + u.key + ") " + list + " FROM " + all + " ORDER BY " + order + ", snapshot"
	}
}

// choose creates the tables that say whose rows count.
var choose = `CREATE TABLE ` + chosenTable + ` AS SELECT DISTINCT ON (account) account, snapshot FROM ` + copyOf("contracts") + ` ORDER BY account, lt DESC, looked DESC, snapshot DESC;
	ANALYZE ` + chosenTable + `;
	CREATE TABLE ` + namedTable + ` AS SELECT DISTINCT ON (u.address, u.kind) u.address, u.kind, u.snapshot
		FROM ` + copyOf("metadata") + ` u JOIN (SELECT n.address, n.kind, n.content::text FROM ` + copyOf("metadata") + ` n
			JOIN ` + chosenTable + ` k ON k.account = n.address AND k.snapshot = n.snapshot) n
		ON n.address = u.address AND n.kind = u.kind AND n.content = u.content::text
		ORDER BY u.address, u.kind, NOT u.indexed, u.snapshot DESC`

// joinMessages makes one row of the two sides of a message. The row of the sender stays.
const joinMessages = `CREATE TABLE ` + joinedTable + ` AS SELECT s.account, s.lt, r.dst_tx_lt, r.dst_tx_hash, s.ctid AS sent, r.ctid AS received
		FROM messages s JOIN messages r ON r.account = s.account AND r.lt = s.lt
		WHERE s.src_tx_lt IS NOT NULL AND s.dst_tx_lt IS NULL AND r.src_tx_lt IS NULL AND r.dst_tx_lt IS NOT NULL;
	ANALYZE ` + joinedTable + `;
	UPDATE messages m SET dst_tx_lt = j.dst_tx_lt, dst_tx_hash = j.dst_tx_hash FROM ` + joinedTable + ` j WHERE m.ctid = j.sent;
	DELETE FROM messages m USING ` + joinedTable + ` j WHERE m.ctid = j.received`

// begin creates the table of the beginnings. A masterchain block begins after all transactions of the blocks that it and those before it commit.
var begin = `CREATE TABLE ` + beginsTable + ` AS SELECT u.first, max(b.start_lt) AS lt FROM ` + copyOf("indexed_ranges") + ` u
		JOIN blocks b ON b.mc_seqno = u.first AND b.workchain = -1 GROUP BY 1;
	CREATE INDEX ON ` + beginsTable + ` (first);
	ANALYZE ` + beginsTable

// unite lists the steps that make one index of the rows of several snapshots.
func (l sources) unite(list map[string][]Column) (steps []step) {
	if len(l) == 1 {
		return nil
	}
	steps = append(steps, step{phaseChosen, "newest detections", choose}, step{phaseUnion, "messages", joinMessages},
		step{phaseUnion, "beginnings", begin})
	copies := []string{chosenTable, namedTable}
	for i := range unions {
		u := &unions[i]
		if copies = append(copies, copyOf(u.table)); !u.none && !u.empty {
			steps = append(steps, step{phaseUnion, u.table, u.text(list[u.table])})
		}
	}
	return append(steps, step{phaseRemove, "copied tables", "DROP TABLE " + strings.Join(copies, ", ")})
}
