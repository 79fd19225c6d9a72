package store_test

import (
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/store/traces"
	"tonql/internal/testdb"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// planCase is a query with a limit for the pages of 8 kB that it may touch.
type planCase struct {
	name  string
	pages int
	store.Statement
}

// plans returns the combinations of filters that matter, with the most expensive values: the busiest account, a range
// that ends far from the head, rare rows among many.
func plans(t *testing.T, r *store.Reader, last chain.Block) []planCase {
	t.Helper()
	hot, idle, ticker := synthetic.Address(0), synthetic.Address(4000), synthetic.Ticker()
	old := uint32(synthetic.Epoch + 100)
	oldLT, lt := uint64(200*synthetic.StepLT), last.EndLT/2
	rare, comment, absent := uint32(0x12345678), uint32(0), int32(5)
	full, seqno := chain.FullShard, last.Seqno/2
	shard, base, master := chain.Shard(1<<62), chain.BasechainID, chain.MasterchainID
	ten := chain.Page{Limit: 10}
	ascending := chain.Page{Limit: 10, Sort: chain.Ascending}
	offset := chain.Page{Limit: 10, Offset: 2000}
	deepTx := firstTransaction(t, r, chain.TransactionFilter{EndLT: &lt})
	deep := chain.Page{Limit: 10, After: new(deepTx.Cursor())}
	tx := func(name string, pages int, f chain.TransactionFilter, p chain.Page) planCase {
		return planCase{"transactions " + name, pages, store.TransactionsStatement(f, p)}
	}
	list := []planCase{
		tx("newest", 60, chain.TransactionFilter{}, ten),
		tx("oldest", 60, chain.TransactionFilter{}, ascending),
		tx("by cursor", 60, chain.TransactionFilter{}, deep),
		tx("by offset", 60, chain.TransactionFilter{}, offset),
		tx("of hot account", 60, chain.TransactionFilter{Accounts: []chain.Address{hot}}, ten),
		tx("of hot account by cursor", 60, chain.TransactionFilter{Accounts: []chain.Address{hot}}, deep),
		tx("of hot account by offset", 700, chain.TransactionFilter{Accounts: []chain.Address{hot}}, chain.Page{Limit: 10, Offset: 500}),
		tx("of hot account, long ago", 120, chain.TransactionFilter{Accounts: []chain.Address{hot}, EndUtime: &old}, ten),
		tx("of hot account in one LT", 60, chain.TransactionFilter{Accounts: []chain.Address{hot}, LT: &lt}, ten),
		tx("of three accounts", 200, chain.TransactionFilter{Accounts: []chain.Address{hot, idle, ticker}}, ten),
		tx("of three accounts, long ago", 300, chain.TransactionFilter{Accounts: []chain.Address{hot, idle, ticker}, EndUtime: &old}, ten),
		tx("but hot account", 60, chain.TransactionFilter{ExcludeAccounts: []chain.Address{hot, ticker}}, ten),
		tx("of masterchain block", 100, chain.TransactionFilter{McSeqno: &seqno}, ten),
		tx("of block", 100, chain.TransactionFilter{Workchain: &base, Shard: &shard, Seqno: &seqno}, ten),
		tx("of seqno", 200, chain.TransactionFilter{Seqno: &seqno}, ten),
		tx("of shard", 100, chain.TransactionFilter{Workchain: &base, Shard: &shard}, ten),
		tx("of shard by cursor", 100, chain.TransactionFilter{Workchain: &base, Shard: &shard}, deep),
		tx("of shard, long ago", 120, chain.TransactionFilter{Workchain: &base, Shard: &shard, EndUtime: &old}, ten),
		tx("of shard, small LTs", 600, chain.TransactionFilter{Workchain: &base, Shard: &shard, EndLT: &oldLT}, ten),
		tx("of masterchain", 900, chain.TransactionFilter{Workchain: &master}, ten),
		tx("of full shard", 800, chain.TransactionFilter{Shard: &full}, ten),
		tx("of absent workchain", 60, chain.TransactionFilter{Workchain: &absent}, ten),
		tx("of absent shard", 30, chain.TransactionFilter{Shard: new(chain.Shard(12345))}, ten),
		tx("long ago", 200, chain.TransactionFilter{EndUtime: &old}, ten),
		tx("since the beginning", 200, chain.TransactionFilter{StartUtime: &old}, ascending),
		tx("of all times, small LTs", 1200, chain.TransactionFilter{StartUtime: &old, EndLT: &oldLT}, ten),
		tx("in one LT", 60, chain.TransactionFilter{LT: &lt}, ten),
		tx("small LTs", 60, chain.TransactionFilter{EndLT: &oldLT}, ten),
		tx("by hash", 10, chain.TransactionFilter{Hashes: []chain.Hash{deepTx.Hash}}, ten),
		tx("by hash and all else", 10, chain.TransactionFilter{Hashes: []chain.Hash{deepTx.Hash}, Accounts: []chain.Address{hot}, McSeqno: &seqno,
			Workchain: &base, Shard: &shard, EndUtime: &old, EndLT: &oldLT}, ten),
		{"hashes by prefix of a transaction", 60, store.HashesByPrefixStatement(prefixOf(t, deepTx.Hash), 10)},
		{"hashes by prefix of a block", 60, store.HashesByPrefixStatement(prefixOf(t, last.RootHash), 10)},
		tx("by two hashes", 20, chain.TransactionFilter{Hashes: []chain.Hash{deepTx.Hash, last.RootHash}}, ten),
	}
	msg := func(name string, pages int, f chain.MessageFilter, p chain.Page) {
		s, err := r.MessagesStatement(t.Context(), f, p)
		require.NoError(t, err)
		list = append(list, planCase{"messages " + name, pages, s})
	}
	busy := firstMessage(t, r, chain.MessageFilter{Destination: &hot, ExcludeExternals: true})
	deepMessages := chain.Page{Limit: 10, After: new(busy.Cursor())}
	empty := firstMessage(t, r, chain.MessageFilter{Opcode: &comment})
	msg("newest", 60, chain.MessageFilter{}, ten)
	msg("by cursor", 60, chain.MessageFilter{}, deepMessages)
	msg("by hash", 60, chain.MessageFilter{Hashes: []chain.Hash{busy.Hash, empty.Hash}}, ten)
	msg("to hot account", 80, chain.MessageFilter{Destination: &hot}, ten)
	msg("to hot account by cursor", 80, chain.MessageFilter{Destination: &hot}, deepMessages)
	msg("to hot account, long ago", 400, chain.MessageFilter{Destination: &hot, EndUtime: &old}, ten)
	msg("from hot account", 100, chain.MessageFilter{Source: &hot}, ten)
	msg("from hot account, long ago", 400, chain.MessageFilter{Source: &hot, EndUtime: &old}, ten)
	msg("from the masterchain", 60, chain.MessageFilter{Source: &ticker}, ten)
	msg("from the system", 60, chain.MessageFilter{Source: &chain.SystemAddress}, ten)
	msg("from hot to idle account", 100, chain.MessageFilter{Source: &hot, Destination: &idle}, ten)
	msg("with common opcode", 80, chain.MessageFilter{Opcode: &comment}, ten)
	msg("with common opcode, long ago", 1200, chain.MessageFilter{Opcode: &comment, EndUtime: &old}, ten)
	msg("with rare opcode", 80, chain.MessageFilter{Opcode: &rare}, ten)
	msg("to hot account with rare opcode", 80, chain.MessageFilter{Destination: &hot, Opcode: &rare}, ten)
	msg("with common body", 80, chain.MessageFilter{BodyHash: new(synthetic.EmptyBody())}, ten)
	msg("from outside", 60, chain.MessageFilter{NoSource: true}, ten)
	msg("to outside", 60, chain.MessageFilter{NoDestination: true}, ten)
	msg("inside, received", 100, chain.MessageFilter{ExcludeExternals: true, Direction: chain.In}, ten)
	msg("long ago", 300, chain.MessageFilter{EndUtime: &old}, ten)
	msg("of all times, small LTs", 1500, chain.MessageFilter{StartUtime: &old, EndLT: &oldLT}, ten)
	msg("small LTs", 60, chain.MessageFilter{EndLT: &oldLT}, ten)
	byMessage := func(name string, f chain.MessageFilter) {
		s, err := r.TransactionsByMessageStatement(t.Context(), f, ten)
		require.NoError(t, err)
		list = append(list, planCase{"transactions by message " + name, 4000, s})
	}
	byMessage("by hash", chain.MessageFilter{Hashes: []chain.Hash{busy.Hash}})
	byMessage("by common opcode", chain.MessageFilter{Opcode: &comment, Direction: chain.In})
	byMessage("by common body", chain.MessageFilter{BodyHash: new(synthetic.EmptyBody())})
	ofMessage := func(name string, pages int, f chain.TransactionFilter, m chain.TransactionMessage) {
		f.Message = &m
		s, err := r.TransactionsOfMessagesStatement(t.Context(), f, ten)
		require.NoError(t, err)
		list = append(list, planCase{"transactions of messages " + name, pages, s})
	}
	ofMessage("by hash", 200, chain.TransactionFilter{}, chain.TransactionMessage{Hashes: []chain.Hash{busy.Hash}})
	ofMessage("by hash, of hot account", 200, chain.TransactionFilter{Accounts: []chain.Address{hot}}, chain.TransactionMessage{Hashes: []chain.Hash{busy.Hash}})
	ofMessage("by common opcode", 4000, chain.TransactionFilter{}, chain.TransactionMessage{Opcode: &comment})
	ofMessage("by common body, sent", 4000, chain.TransactionFilter{}, chain.TransactionMessage{BodyHash: new(synthetic.EmptyBody()), Direction: chain.Out})
	ofMessage("by common opcode, of hot account", 400, chain.TransactionFilter{Accounts: []chain.Address{hot}}, chain.TransactionMessage{Opcode: &comment})
	ofMessage("by common opcode, long ago", 800, chain.TransactionFilter{EndUtime: &old}, chain.TransactionMessage{Opcode: &comment})
	ofMessage("by rare opcode", 4000, chain.TransactionFilter{}, chain.TransactionMessage{Opcode: &rare})
	ofMessage("by rare opcode, of hot account, long ago", 4000, chain.TransactionFilter{Accounts: []chain.Address{hot}, EndUtime: &old}, chain.TransactionMessage{Opcode: &rare})
	ofMessage("received, of hot account", 200, chain.TransactionFilter{Accounts: []chain.Address{hot}}, chain.TransactionMessage{Direction: chain.In})
	ofMessage("sent, of masterchain block", 400, chain.TransactionFilter{McSeqno: &seqno}, chain.TransactionMessage{Direction: chain.Out, Source: &hot})
	block := func(name string, f chain.BlockFilter, p chain.Page) {
		list = append(list, planCase{"blocks " + name, 80, store.BlocksStatement(f, p)})
	}
	block("newest", chain.BlockFilter{}, ten)
	block("of masterchain", chain.BlockFilter{Workchain: &master}, ten)
	block("of shard", chain.BlockFilter{Workchain: &base, Shard: &shard}, ten)
	block("key", chain.BlockFilter{KeyBlock: new(true)}, ten)
	block("key, long ago", chain.BlockFilter{Workchain: &master, KeyBlock: new(true), EndUtime: &old}, ten)
	block("not key", chain.BlockFilter{KeyBlock: new(false)}, ten)
	block("of masterchain, not key", chain.BlockFilter{Workchain: &master, KeyBlock: new(false)}, ten)
	block("of masterchain block", chain.BlockFilter{McSeqno: &seqno}, ten)
	block("of seqno", chain.BlockFilter{Seqno: &seqno}, ten)
	block("by root hash", chain.BlockFilter{RootHash: &last.RootHash}, ten)
	block("by offset", chain.BlockFilter{}, offset)
	block("of masterchain by offset", chain.BlockFilter{Workchain: &master}, chain.Page{Limit: 10, Offset: 1000})
	block("of shard by offset", chain.BlockFilter{Workchain: &base, Shard: &shard}, chain.Page{Limit: 10, Offset: 1000})
	block("long ago", chain.BlockFilter{EndUtime: &old}, ten)
	block("small LTs", chain.BlockFilter{EndLT: &oldLT}, ten)
	block("of absent shard", chain.BlockFilter{Shard: new(chain.Shard(12345))}, ten)
	code := synthetic.CodeHash(0)
	return append(list,
		planCase{"incomplete blocks", 4000, store.Statement{Text: store.SelectIncomplete, Args: []any{int64(last.Seqno - 9), int64(last.Seqno)}}},
		planCase{"digests", 20, store.Statement{Text: store.SelectDigests, Args: []any{int64(0), int64(99), int64(1), int64(chain.MaxDigests)}}},
		planCase{"accounts by address", 60, store.AccountsStatement(chain.AccountFilter{Addresses: []chain.Address{hot, idle}}, ten)},
		planCase{"account with its cells", 60, store.AccountsStatement(chain.AccountFilter{Addresses: []chain.Address{hot}, WithBOC: true}, ten)},
		planCase{"accounts by code", 60, store.AccountsStatement(chain.AccountFilter{CodeHashes: []chain.Hash{code}}, ten)},
	)
}

func firstTransaction(t *testing.T, r *store.Reader, f chain.TransactionFilter) *chain.Transaction {
	t.Helper()
	rows, err := r.Transactions(t.Context(), f, chain.Page{Limit: 1})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	return &rows[0]
}

func firstMessage(t *testing.T, r *store.Reader, f chain.MessageFilter) *chain.Message {
	t.Helper()
	rows, err := r.Messages(t.Context(), f, chain.Page{Limit: 1})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	return &rows[0]
}

// TestListStatements_UseTheirIndexes runs every combination on 60,000 transactions, some 100,000 messages, their traces
// and actions, 12,000 transfers of Jettons and some thousand wallets, and pools: no table is read from end to end, nothing big is
// sorted, and the pages touched stay within the bound. The texts are compared with golden files, so that a change of a
// statement shows.
func TestListStatements_UseTheirIndexes(t *testing.T) {
	t.Parallel()
	if pacetest.Short() {
		t.Skip("fills a table of 100,000 rows")
	}
	db := newDBWithoutAutovacuum(t)
	db.Writer().SetClassifier(storetest.Classifier{})
	o := synthetic.Options{Transactions: 60_000, Accounts: 5_000, PerBlock: 38, Shards: 2, Seed: 1, Contracts: true}
	require.NoError(t, synthetic.Load(t.Context(), db.Writer(), o, nil))
	// 60 names of traits with 100 values each; a quarter of the items is still to be read.
	storetest.ExecSQL(t, db, `UPDATE metadata SET indexed = true, traits = CASE WHEN get_byte(address, 7) % 4 > 0 THEN 60 END WHERE kind = 4`)
	storetest.ExecSQL(t, db, `INSERT INTO nft_traits SELECT i.collection, 'trait ' || n, 'value ' || (get_byte(i.address, 9) + n) % 100, i.address
		FROM nft_items i CROSS JOIN generate_series(1, 60) n`)
	// 2,000 pools of one validator, with 20 nominators each.
	storetest.ExecSQL(t, db, `INSERT INTO nominator_pools SELECT p.account, 1, substr(p.account, 1, 1) || '\x33'::bytea, '', '', '' FROM accounts p LIMIT 2000`)
	storetest.ExecSQL(t, db, `INSERT INTO nominator_positions SELECT n.account, p.address, 5, 0, false FROM nominator_pools p
		CROSS JOIN (SELECT a.account FROM accounts a ORDER BY a.balance DESC LIMIT 20) n`)
	r := db.Reader()
	info, err := r.MasterchainInfo(t.Context())
	require.NoError(t, err)
	list, traces, contracts := plans(t, r, info.Last), tracePlans(t, r, info.Last), contractPlans(t, r, info.Last)
	requireUses(t, db, requirePlans(t, db, slices.Concat(list, traces, contracts)))
	requireGolden(t, "statements.sql", list)
	requireGolden(t, "trace_statements.sql", traces)
	requireGolden(t, "contract_statements.sql", contracts)
}

// readByKey are the tables that are only read by their keys, or by masterchain block, so that there is one plan.
var readByKey = map[string]bool{
	"configs": true, "contracts": true, "frames": true, "libraries": true, "library_facts": true, "library_ranges": true, "nft_sale_records": true,
	"replay_mismatches": true, "replay_unverified": true, "shards": true, "transaction_bocs": true,
	traces.DigestedTraceAccounts: true, traces.DigestedActionAccounts: true, // account_traces and account_actions have plans
}

func TestPlans_ReadEveryTable(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*statements.sql")
	require.NoError(t, err)
	var statements strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		statements.Write(text)
	}
	digest, err := testdb.New(t).Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	var missing []string
	for _, table := range digest.Tables {
		read := regexp.MustCompile(`(FROM|JOIN) ` + table.Table + `\b`).MatchString(statements.String())
		if !read && !readByKey[table.Table] {
			missing = append(missing, table.Table)
		}
	}
	require.Empty(t, missing, "give the queries of these tables plans in TestListStatements_UseTheirIndexes, or add the tables to readByKey")
}

// prefixOf returns the shortest prefix of a hash that is searched for.
func prefixOf(t *testing.T, h chain.Hash) chain.HashPrefix {
	t.Helper()
	prefix, ok := chain.ParseHashPrefix(h.Hex()[:8])
	require.True(t, ok)
	return prefix
}

// newDBWithoutAutovacuum returns a database whose tables are vacuumed and analyzed only by the test. The autovacuum
// worker would analyze some of them, depending on how long they take to fill, and prevent the removal of dead rows.
func newDBWithoutAutovacuum(t *testing.T) *store.DB {
	t.Helper()
	db := testdb.New(t)
	storetest.ExecSQL(t, db, `DO $$ DECLARE name regclass; BEGIN
		FOR name IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
			EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', name);
		END LOOP;
	END $$`)
	return db
}

// requirePlans runs each query before and after the tables have statistics. Dead rows are removed before, because their
// number is no property of a plan. It returns the names of the queries that use each index.
func requirePlans(t *testing.T, db *store.DB, list []planCase) indexUses {
	t.Helper()
	r := db.Reader()
	var bad []string
	uses := indexUses{}
	storetest.ExecSQL(t, db, "VACUUM")
	for _, state := range []string{"without statistics", "analyzed"} {
		for i, c := range list {
			p := explain(t, r, i, c.Statement)
			uses.add(&p.root, c.name)
			if offences := p.offences(); len(offences) > 0 || p.pages > c.pages {
				bad = append(bad, fmt.Sprintf("%s, %s: %v, %d pages of %d\n%s", c.name, state, offences, p.pages, c.pages, p.text))
			}
		}
		if state == "without statistics" {
			storetest.ExecSQL(t, db, "VACUUM ANALYZE")
			r.Pool().Reset()
		}
	}
	require.Empty(t, bad, strings.Join(bad, "\n\n"))
	return uses
}

// requireGolden compares the texts with a file in testdata.
func requireGolden(t *testing.T, file string, list []planCase) {
	t.Helper()
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "-- %s\n%s;\n\n", c.name, strings.Join(strings.Fields(c.Text), " "))
	}
	path := filepath.Join("testdata", file)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "go test -run TestListStatements_UseTheirIndexes -update rewrites the golden file")
}

// plan is an executed plan of a statement.
type plan struct {
	root  node
	pages int
	text  string
}

// node is one step of a plan as EXPLAIN prints it.
type node struct {
	Type     string  `json:"Node Type"`
	Relation string  `json:"Relation Name"`
	Index    string  `json:"Index Name"`
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Hit      int     `json:"Shared Hit Blocks"`
	Read     int     `json:"Shared Read Blocks"`
	Plans    []node  `json:"Plans"`
}

// explain runs a statement with the generic plan of a prepared statement.
func explain(t *testing.T, r *store.Reader, i int, s store.Statement) plan {
	t.Helper()
	conn, err := r.Pool().Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	name := "plan_" + strconv.Itoa(i)
	literals := make([]string, len(s.Args))
	for i, a := range s.Args {
		literals[i] = literal(t, a)
	}
	execute := "EXECUTE " + name
	if len(literals) > 0 {
		execute += "(" + strings.Join(literals, ", ") + ")"
	}
	var text []byte
	for _, statement := range []string{"DEALLOCATE ALL", "PREPARE " + name + " AS " + s.Text} {
		_, err = conn.Exec(t.Context(), statement, pgx.QueryExecModeSimpleProtocol)
		require.NoError(t, err, s.Text)
	}
	err = conn.QueryRow(t.Context(), "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, FORMAT JSON) "+execute,
		pgx.QueryExecModeSimpleProtocol).Scan(&text)
	require.NoError(t, err, s.Text)
	var parsed []struct{ Plan node }
	require.NoError(t, json.Unmarshal(text, &parsed))
	root := parsed[0].Plan
	var outline strings.Builder
	root.outline(&outline, "")
	return plan{root: root, pages: root.Hit + root.Read, text: outline.String() + s.Text}
}

// literal returns a bound value as SQL.
func literal(t *testing.T, v any) string {
	t.Helper()
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case int32:
		return strconv.Itoa(int(v))
	case []byte:
		return `'\x` + hex.EncodeToString(v) + `'`
	case string:
		return "'" + v + "'"
	case []string:
		return "'{" + strings.Join(v, ",") + "}'"
	case []int64:
		elements := make([]string, len(v))
		for i := range v {
			elements[i] = strconv.FormatInt(v[i], 10)
		}
		return "'{" + strings.Join(elements, ",") + "}'"
	case [][]byte:
		elements := make([]string, len(v))
		for i := range v {
			elements[i] = `"\\x` + hex.EncodeToString(v[i]) + `"`
		}
		return "'{" + strings.Join(elements, ",") + "}'"
	default:
		require.Failf(t, "no literal", "%T", v)
		return ""
	}
}

// outline writes the plan as an indented list.
func (n *node) outline(b *strings.Builder, indent string) {
	fmt.Fprintf(b, "%s%s %s %s rows %.0f x %.0f pages %d\n", indent, n.Type, n.Relation, n.Index, n.Rows, n.Loops, n.Hit+n.Read)
	for i := range n.Plans {
		n.Plans[i].outline(b, indent+"  ")
	}
}

// offences lists the steps that grow with the table.
func (p *plan) offences() []string {
	var found []string
	var visit func(n *node)
	visit = func(n *node) {
		switch {
		case n.Type == "Seq Scan" && n.Relation == "names_version": // a table of one row
		case n.Type == "Seq Scan", n.Type == "Sort" && n.Rows*n.Loops > 5000, strings.Contains(n.Type, "Gather"):
			found = append(found, n.Type+" "+n.Relation)
		}
		for i := range n.Plans {
			visit(&n.Plans[i])
		}
	}
	visit(&p.root)
	return found
}
