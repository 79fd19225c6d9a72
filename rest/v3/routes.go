package v3

import (
	"context"
	"net/http"

	"tonql/resolvers"
	"tonql/rest/handler"
)

// Route is an endpoint of the API.
type Route struct {
	Method string
	Path   string   // below [Prefix]
	Params []string // names of its parameters, without those of every route (see common)

	mounted string // [Prefix] and Path

	// serve reads the parameters and returns the function that runs the request. The function is called only if all
	// parameters are valid.
	serve func(*call) (func() error, error)
	// static responses do not depend on the index.
	static bool
	// live responses can come from the network instead of a snapshot of the index.
	live bool
	// fastPath, if set, responds from memory to requests without parameters, before any parsing. It must not block
	// without a deadline of its own.
	fastPath func(*api, context.Context, *handler.Stream) error
	// pending responses change between blocks, so they are not cached.
	pending bool
	// sends marks requests that do more than read: they run once.
	sends bool
	// rows is the maximum page size; 0 for that of all lists.
	rows int
}

// params runs the handler's parameter readers and returns what they read, without the parameters of every route. limit
// is the default page size.
func (r Route) params(limit int) []handler.Param {
	q := &handler.Query{}
	q.Record()
	c := &call{api: &api{opts: Options{Limit: limit}}, ctx: context.Background(), q: q}
	_, _ = r.serve(c) // the error is that required parameters are absent
	return q.Recorded()
}

// withMaxRows returns the route with its own maximum page size.
func (r Route) withMaxRows(rows int) Route {
	r.rows = rows
	return r
}

// readsNetwork returns the route marked as live.
func (r Route) readsNetwork() Route {
	r.live = true
	return r
}

// withFastPath returns the route with a fast path.
func (r Route) withFastPath(fastPath func(*api, context.Context, *handler.Stream) error) Route {
	r.fastPath = fastPath
	return r
}

// notCached returns the route marked as pending.
func (r Route) notCached() Route {
	r.pending = true
	return r
}

// Routes returns all routes, in the order of the published OpenAPI document.
func Routes() []Route {
	get := func(path string, serve func(*call) (func() error, error), params ...string) Route {
		return Route{Method: http.MethodGet, Path: path, Params: params, serve: serve}
	}
	return []Route{
		get("/masterchainInfo", masterchainInfo).readsNetwork().withFastPath((*api).printSpan),
		get("/blocks", blocks, "workchain", "shard", "seqno", "root_hash", "file_hash", "mc_seqno",
			"start_utime", "end_utime", "start_lt", "end_lt", "limit", "offset", "sort", "cursor"),
		get("/masterchainBlockShardState", shardState, "seqno"),
		get("/masterchainBlockShards", shardBlocks, "seqno", "limit", "offset", "sort", "cursor"),

		get("/transactions", transactions, "workchain", "shard", "seqno", "mc_seqno", "account", "exclude_account",
			"hash", "lt", "msg_hash", "body_hash", "opcode", "direction", "source", "destination",
			"start_utime", "end_utime", "start_lt", "end_lt", "limit", "offset", "sort", "cursor"),
		get("/transactionsByMasterchainBlock", transactionsByMasterchainBlock, "seqno", "limit", "offset", "sort", "cursor"),
		get("/transactionsByMessage", transactionsByMessage, "msg_hash", "body_hash", "opcode", "direction",
			"source", "destination", "limit", "offset", "sort", "cursor"),
		get("/adjacentTransactions", adjacentTransactions, "hash", "direction"),
		get("/messages", messages, "msg_hash", "hash", "body_hash", "source", "destination", "opcode", "direction",
			"exclude_externals", "only_externals", "start_utime", "end_utime", "start_lt", "end_lt", "limit", "offset", "sort", "cursor"),

		get("/pendingTransactions", pendingTransactions, "account", "trace_id").notCached(),
		get("/traces", traces, "account", "trace_id", "tx_hash", "msg_hash", "mc_seqno", "start_utime", "end_utime", "start_lt", "end_lt",
			"include_actions", "supported_action_types", "limit", "offset", "sort", "cursor"),
		get("/events", events, "account", "trace_id", "tx_hash", "msg_hash", "mc_seqno", "start_utime", "end_utime", "start_lt", "end_lt",
			"include_actions", "supported_action_types", "limit", "offset", "sort", "cursor"),
		get("/pendingTraces", pendingTraces, "account", "ext_msg_hash", "supported_action_types").notCached(),
		get("/actions", actions, "account", "tx_hash", "msg_hash", "action_id", "trace_id", "mc_seqno", "start_utime", "end_utime",
			"start_lt", "end_lt", "action_type", "exclude_action_type", "supported_action_types", "include_accounts",
			"include_transactions", "limit", "offset", "sort", "cursor"),
		get("/pendingActions", pendingActions, "account", "ext_msg_hash", "supported_action_types", "include_transactions").notCached(),
		get("/balanceChanges", balanceChanges, "trace_id", "action_id"),

		get("/accountStates", accountStates, "address", "code_hash", "include_boc"),
		get("/walletStates", walletStates, "address"),
		get("/topAccountsByBalance", topAccountsByBalance, "limit", "offset", "cursor"),
		get("/addressBook", addressBook, "address"),
		get("/metadata", metadata, "address"),

		get("/jetton/masters", jettonMasters, "address", "admin_address", "limit", "offset", "cursor"),
		get("/jetton/wallets", jettonWallets, "address", "owner_address", "jetton_address", "exclude_zero_balance",
			"limit", "offset", "sort", "cursor"),
		get("/jetton/transfers", jettonTransfers, "owner_address", "address", "jetton_wallet", "jetton_master", "direction",
			"start_utime", "end_utime", "start_lt", "end_lt", "limit", "offset", "sort", "cursor"),
		get("/jetton/burns", jettonBurns, "owner_address", "address", "jetton_wallet", "jetton_master",
			"start_utime", "end_utime", "start_lt", "end_lt", "limit", "offset", "sort", "cursor"),

		get("/nft/collections", nftCollections, "collection_address", "owner_address", "limit", "offset", "cursor"),
		get("/nft/items", nftItems, "address", "owner_address", "collection_address", "index", "include_on_sale",
			"sort_by_last_transaction_lt", "limit", "offset", "cursor"),
		get("/nft/transfers", nftTransfers, "owner_address", "address", "item_address", "collection_address", "direction",
			"start_utime", "end_utime", "start_lt", "end_lt", "limit", "offset", "sort", "cursor"),
		get("/nft/sales", nftSales, "address"),

		get("/dns/records", dnsRecords, "wallet", "domain", "limit", "offset", "cursor"),
		get("/dns/activeAuctions", dnsAuctions, "bidder", "state", "include_nft_items", "after", "limit", "offset", "cursor"),
		get("/multisig/wallets", multisigWallets, "address", "wallet_address", "include_orders", "limit", "offset", "sort", "cursor").
			withMaxRows(resolvers.MultisigRows),
		get("/multisig/orders", multisigOrders, "address", "multisig_address", "parse_actions", "limit", "offset", "sort", "cursor").
			withMaxRows(resolvers.MultisigRows),
		get("/staking/nominatorPools/pool", nominatorPool, "pool"),
		get("/staking/nominatorPools/nominator", nominatorPositions, "nominator", "limit", "offset", "cursor"),
		get("/staking/nominatorPools/nominatorEvents", nominatorEvents, "pool", "nominator", "start_utime", "end_utime", "limit", "cursor"),
		get("/staking/nominatorPools/nominatorRewards", nominatorRewards, "nominator", "pool", "start_utime", "end_utime", "limit", "cursor"),
		get("/staking/nominatorPools/validatorEvents", poolValidatorEvents, "validator", "pool", "type", "start_utime", "end_utime",
			"limit", "cursor"),
		get("/staking/nominatorPools/validatorRewards", poolValidatorRewards, "validator", "pool", "start_utime", "end_utime",
			"limit", "cursor"),
		get("/validators/cycles", validatorCycles, "cycle_start", "election_id", "stake_holder_address", "adnl_address", "validator_pubkey",
			"return_validators", "start_utime", "end_utime", "limit"),
		get("/validators/elections", validatorElections, "election_id", "finished", "stake_holder_address", "adnl_address", "validator_pubkey",
			"return_participants", "start_utime", "end_utime", "limit"),
		get("/validators/events", stakeEvents, "stake_holder_address", "validator_pubkey", "type", "start_utime", "end_utime", "limit"),
		get("/validators/complaints", validatorComplaints, "cycle_start", "election_id", "stake_holder_address", "adnl_address", "validator_pubkey",
			"start_utime", "end_utime", "limit"),
		get("/vesting", vesting, "contract_address", "wallet_address", "check_whitelist", "limit", "offset", "cursor"),

		{Method: http.MethodGet, Path: "/decode", Params: []string{"opcodes", "bodies"}, serve: getDecode, static: true},
		{Method: http.MethodPost, Path: "/decode", serve: postDecode, static: true},

		get("/addressInformation", addressInformation, "address", "use_v2", "seqno").readsNetwork(),
		get("/account", addressInformation, "address", "use_v2", "seqno").readsNetwork(),
		get("/walletInformation", walletInformation, "address", "use_v2", "seqno").readsNetwork(),
		get("/wallet", walletInformation, "address", "use_v2", "seqno").readsNetwork(),
		{Method: http.MethodPost, Path: "/message", serve: message, sends: true},
		{Method: http.MethodPost, Path: "/runGetMethod", serve: runGetMethod},
		{Method: http.MethodPost, Path: "/estimateFee", serve: estimateFee},
	}
}
