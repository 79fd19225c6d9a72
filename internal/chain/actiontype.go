package chain

import (
	"maps"
	"slices"
)

// The sets of types of action that a client may say it understands, by name. A set may name others. Version v1 always
// belongs to what is understood.
var actionSets = map[string][]string{
	"v1": {
		"call_contract", "contract_deploy", "ton_transfer", "stake_deposit", "stake_withdrawal", "stake_withdrawal_request",
		"dex_deposit_liquidity", "jetton_transfer", "nft_transfer", "nft_mint", "jetton_burn", "jetton_mint", "jetton_swap",
		"change_dns", "delete_dns", "renew_dns", "subscribe", "dex_withdraw_liquidity", "unsubscribe", "election_deposit",
		"election_recover", "auction_bid", "tick_tock",
	},
	"v2": {
		"v1", "multisig", "vesting", "evaa", "jvault", "nft_discovery", "tonco_deploy_pool", "coffee",
		"coffee_mev_protect_failed_swap", "unknown",
	},
	"v3": {
		"v2", "nft_put_on_sale", "nft_put_on_auction", "auction_outbid", "nft_cancel_sale", "nft_purchase",
		"nft_cancel_auction", "nft_finish_auction", "teleitem_start_auction", "teleitem_cancel_auction", "nft_update_sale",
		"dns_purchase", "dns_release", "layerzero",
	},
	"v4":     {"v3", "cocoon"},
	"v5":     {"v4", "dedust_v2_claim_fees", "dedust_v2_claim_reward", "change_wallet_key", "gasless_request"},
	"latest": {"v4"},

	"staking": {"stake_deposit", "stake_withdrawal", "stake_withdrawal_request"},
	"jettons": {"jetton_transfer", "jetton_burn", "jetton_mint"},
	"nft":     {"nft_transfer", "nft_mint", "auction_bid"},
	"nft.v3": {
		"nft", "nft_put_on_sale", "nft_put_on_auction", "auction_outbid", "nft_cancel_sale", "nft_purchase",
		"nft_cancel_auction", "nft_finish_auction", "teleitem_start_auction", "teleitem_cancel_auction", "nft_update_sale",
		"dns_purchase", "dns_release",
	},
	"dns":      {"change_dns", "delete_dns", "renew_dns", "dns_purchase", "dns_release"},
	"dns.v2":   {"dns"},
	"multisig": {"multisig_create_order", "multisig_approve", "multisig_execute"},
	"vesting":  {"vesting_send_message", "vesting_add_whitelist"},
	"evaa":     {"evaa_supply", "evaa_withdraw", "evaa_liquidate"},
	"jvault":   {"jvault_stake", "jvault_unstake", "jvault_claim", "jvault_unstake_request"},
	"coffee": {
		"coffee_create_vault", "coffee_create_pool_creator", "coffee_create_pool", "coffee_mev_protect_hold_funds",
		"coffee_staking_claim_rewards", "coffee_staking_deposit", "coffee_staking_withdraw",
	},
	"tgbtc": {
		"tgbtc_dkg_log_fallback", "tgbtc_new_key", "tgbtc_new_key_fallback", "tgbtc_burn", "tgbtc_burn_fallback",
		"tgbtc_mint", "tgbtc_mint_fallback",
	},
	"layerzero": {
		"layerzero_send", "layerzero_send_tokens", "layerzero_receive", "layerzero_commit_packet", "layerzero_dvn_verify",
	},
	"cocoon": {
		"cocoon_worker_payout", "cocoon_proxy_payout", "cocoon_proxy_charge", "cocoon_client_top_up", "cocoon_register_proxy",
		"cocoon_unregister_proxy", "cocoon_client_register", "cocoon_client_change_secret_hash",
		"cocoon_client_request_refund", "cocoon_grant_refund", "cocoon_client_increase_stake", "cocoon_client_withdraw",
	},
}

// LatestActionTypes is the newest numbered set, which holds unless a client says otherwise.
const LatestActionTypes = "latest"

// everyActionType returns the types of all sets, ascending.
func everyActionType() []string {
	return ExpandActionTypes(slices.Collect(maps.Keys(actionSets)))
}

// ExpandActionTypes gives the types that names of types and of sets stand for, v1 among them, ascending and each once.
// An unknown name counts as a type. No name at all is the latest set.
func ExpandActionTypes(names []string) []string {
	if len(names) == 0 {
		names = []string{LatestActionTypes}
	}
	var types []string
	var add func(name string)
	add = func(name string) {
		set, listed := actionSets[name]
		if !listed {
			types = append(types, name)
		}
		for _, member := range set {
			add(member)
		}
	}
	add("v1")
	for _, name := range names {
		add(name)
	}
	slices.Sort(types)
	return slices.Compact(types)
}
