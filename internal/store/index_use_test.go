package store_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/store"
)

// indexUses are the names of queries by the index that they use.
type indexUses map[string][]string

func (u indexUses) add(n *node, name string) {
	if n.Index != "" && !slices.Contains(u[n.Index], name) {
		u[n.Index] = append(u[n.Index], name)
	}
	for i := range n.Plans {
		u.add(&n.Plans[i], name)
	}
}

// otherUses are the uses of indexes that no list of golden statements has.
var otherUses = map[string]string{
	"accounts_rank":              "accounts by balance (topAccountsByBalance)",
	"blocks_file_hash":           "blocks by file hash",
	"configs_pkey":               "configuration at a block (getConfigParam)",
	"contracts_pkey":             "what accounts were detected as (writer)",
	"dns_records_own":            "domains of the address book",
	"dns_records_pkey":           "domains by item",
	"jetton_balances_owner":      "Jetton wallets of an owner at a block (GraphQL)",
	"jetton_burns_by_owner":      "Jetton burns by owner",
	"jetton_burns_pkey":          "Jetton burns of a wallet; a second write",
	"large_trace_accounts_pkey":  "accounts of a trace above the limit of transactions",
	"libraries_pkey":             "libraries by hash (get-methods)",
	"library_facts_pkey":         "libraries of a root (get-methods at a block)",
	"library_ranges_pkey":        "root of the libraries at a block",
	"multisig_members_pkey":      "members of a multisig (writer)",
	"multisig_orders_pkey":       "orders by address",
	"nft_owners_owner":           "NFT items of an owner at a block (GraphQL)",
	"nft_sale_records_pkey":      "sale of an item at the end of a trace (classification)",
	"nominator_pools_pkey":       "pool by address (writer)",
	"nominator_positions_pool":   "positions in a pool whose record changes (writer)",
	"replay_mismatches_pkey":     "mismatches of a transaction",
	"replay_unverified_mc_seqno": "unverified transactions (tonql index reverify)",
	"replay_unverified_pkey":     "unverified transactions; a second write",
	"shards_pkey":                "shards of a masterchain block",
	"transaction_bocs_pkey":      "raw transactions that earlier versions wrote",
	"vesting_whitelist_pkey":     "whitelist of a vesting wallet",
}

// indexUsesFile has a line for each index: its name, and after a tab what needs it.
const indexUsesFile = "index_uses.txt"

// requireUses fails for an index of the tables of the chain that nothing needs, and for a use of an index that is gone.
func requireUses(t *testing.T, db *store.DB, uses indexUses) {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	digest, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	tables := []string{"account_traces", "account_actions", "large_trace_accounts"}
	for _, table := range digest.Tables {
		tables = append(tables, table.Table)
	}
	rows, err := handle.QueryContext(t.Context(), `SELECT indexrelname FROM pg_stat_user_indexes
		WHERE schemaname = 'public' AND relname = ANY(string_to_array($1, ',')) ORDER BY 1`, strings.Join(tables, ","))
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	left := maps.Clone(otherUses)
	var file strings.Builder
	var unused []string
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		need := strings.Join(uses[name], "; ")
		if need == "" {
			need = otherUses[name]
		}
		delete(left, name)
		if need == "" {
			unused = append(unused, name)
		}
		file.WriteString(name + "\t" + need + "\n")
	}
	require.NoError(t, rows.Err())
	if *update {
		require.NoError(t, os.WriteFile(filepath.Join("testdata", indexUsesFile), []byte(file.String()), 0o600))
	}
	require.Empty(t, unused, "drop these indexes, or give what needs them a plan or a place in otherUses")
	require.Empty(t, left, "otherUses has indexes that are gone")
}
