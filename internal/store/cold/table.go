package cold

// Tables are the tables whose rows are moved with blocks: those that dropped blocks have rows of, in any order. Those that moves of rows of
// earlier versions replace are not among them, as these moves have ended.
var Tables = []string{
	"account_actions", "account_states", "account_traces", "actions", "blocks", "frames", "jetton_balances", "jetton_burns",
	"jetton_transfers", "large_trace_accounts", "messages", "nft_owners", "nft_sale_records", "nft_transfers", "range_digests",
	"replay_mismatches", "replay_unverified", "shards", "traces", "transaction_bocs", "transactions",
}

const (
	// CompleteSchema has the views of all rows.
	CompleteSchema = "tonql_complete"
	// withoutPrefix begins the names of schemas with views that leave out servers.
	withoutPrefix = "tonql_without_"
	// serverPrefix begins the names of cold servers and of the schemas of their foreign tables.
	serverPrefix = "tonql_cold_"
	// StepColumn is what tables of a cold server have besides: the step that moved the row.
	StepColumn = "cold_step"
	// StatesTable has keys of rows that a step wrote here, and stepTable the newest step of a cold server.
	StatesTable = "cold_states_left"
	stepTable   = "cold_step"
)
