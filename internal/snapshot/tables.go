package snapshot

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// indexed lists the tables of a snapshot: everything that the indexer derives from the chain, and what it fetched by links of tokens.
var indexed = []string{
	"account_actions", "account_keys_move", "account_states", "account_traces", "accounts", "action_dictionaries", "actions", "blocks", "cells", "code_interfaces",
	"configs", "contracts", "day_ranges", "day_states", "day_totals", "dictionaries", "dns_records", "dropped_blocks", "dropped_traces", "frames",
	"indexed_ranges", "jetton_balances", "jetton_burns", "jetton_days", "jetton_masters", "jetton_transfers", "jetton_wallets",
	"large_trace_accounts", "libraries", "library_facts", "library_ranges", "messages", "metadata", "multisig_members", "multisig_orders",
	"multisigs", "name_changes", "names_version", "network", "nft_collections", "nft_items", "nft_owners", "nft_sale_records", "nft_sales",
	"nft_traits", "nft_transfers", "nominator_pools", "nominator_positions", "range_digests", "replay_mismatches", "replay_unverified", "shards", "token_counts", "token_names", "trace_wants", "traces",
	"transaction_bocs", "transactions", "transactions_move", "verification_counts", "vesting_whitelist", "vestings",
}

// installed lists the tables that belong to an installation. Those of River, the library of queues, begin with riverPrefix.
var installed = []string{
	"access_buckets", "access_keys", "access_owners", "access_page_secret", "cell_sweep", "cell_uses", "cold_blocks", "cold_dropped", "cold_ranges", "cold_servers", "goose_db_version", "merchant_addresses", "merchant_alerts",
	"merchant_keys", "merchant_log", "merchant_member_sessions", "merchant_members", "merchant_recovery_codes", "merchant_sessions",
	"merchant_totp", "merchants", "payment_links", "payment_pages", "payment_refunds", "payment_surplus", "payments", "pending_messages",
	"schema_gateways", "snapshots_imported", "webhook_attempts", "webhook_deliveries", "webhook_endpoints", "webhook_events",
}

const riverPrefix = "river_"

// Column is a column of a table with its type as PostgreSQL writes it.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

const selectColumns = `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
	FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
	WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') ORDER BY c.relname, a.attnum`

// columns returns the columns of the tables of a snapshot. It refuses a database with a table that is neither of the index nor of an
// installation: rows that are being moved from a form of an earlier version.
func columns(ctx context.Context, tx pgx.Tx) (map[string][]Column, error) {
	rows, err := tx.Query(ctx, selectColumns)
	if err != nil {
		return nil, fmt.Errorf("tables: %w", err)
	}
	found := map[string][]Column{}
	var table string
	var column Column
	_, err = pgx.ForEachRow(rows, []any{&table, &column.Name, &column.Type}, func() error {
		if !slices.Contains(installed, table) && !strings.HasPrefix(table, riverPrefix) && !ours(table) {
			found[table] = append(found[table], column)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("tables: %w", err)
	}
	for _, name := range indexed {
		if found[name] == nil {
			return nil, chain.Invalidf("the database has no table %s: run 'tonql migrate'", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !slices.Contains(indexed, name) {
			return nil, chain.Invalidf("the database has a table %s, which no snapshot contains; if it is one of an earlier version, the indexer "+
				"moves its rows in the background and removes it", chain.Quote(name))
		}
	}
	return found, nil
}

// quoted lists columns for a statement.
func quoted(list []Column) string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = pgx.Identifier{c.Name}.Sanitize()
	}
	return strings.Join(names, ", ")
}

const selectSchema = `SELECT DISTINCT version_id FROM goose_db_version WHERE is_applied AND version_id > 0 ORDER BY 1`

// schema lists the migrations of a database.
func schema(ctx context.Context, tx pgx.Tx) ([]int64, error) {
	rows, err := tx.Query(ctx, selectSchema)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return list, nil
}
