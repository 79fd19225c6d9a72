package chain

import "math"

// numberedActionTypes gives every type of action a number, its place in this list. Numbers are stored: append only, never
// move, remove or reuse an entry. The types that occur most come first, because the first ones have a bit of their own in
// [ActionTypeBits].
var numberedActionTypes = [...]string{
	"ton_transfer", "jetton_transfer", "call_contract", "contract_deploy", "jetton_swap", "nft_transfer", "jetton_mint", "jetton_burn",
	"nft_mint", "tick_tock", "stake_deposit", "stake_withdrawal_request", "stake_withdrawal", "dex_deposit_liquidity",
	"dex_withdraw_liquidity", "nft_purchase", "nft_put_on_sale", "nft_cancel_sale", "auction_bid", "auction_outbid", "change_dns",
	"renew_dns", "delete_dns", "subscribe", "unsubscribe", "election_deposit", "election_recover", "nft_discovery",
	"nft_put_on_auction", "nft_cancel_auction", "nft_finish_auction", "nft_update_sale", "dns_purchase", "dns_release",
	"multisig_create_order", "multisig_approve", "multisig_execute", "vesting_send_message", "vesting_add_whitelist", "unknown",
	"evaa_supply", "evaa_withdraw", "evaa_liquidate", "jvault_stake", "jvault_unstake", "jvault_claim", "jvault_unstake_request",
	"tonco_deploy_pool", "coffee_create_vault", "coffee_create_pool_creator", "coffee_create_pool", "coffee_mev_protect_hold_funds",
	"coffee_mev_protect_failed_swap", "coffee_staking_claim_rewards", "coffee_staking_deposit", "coffee_staking_withdraw",
	"teleitem_start_auction", "teleitem_cancel_auction", "tgbtc_dkg_log_fallback", "tgbtc_new_key", "tgbtc_new_key_fallback",
	"tgbtc_burn", "tgbtc_burn_fallback", "tgbtc_mint", "tgbtc_mint_fallback", "layerzero_send", "layerzero_send_tokens",
	"layerzero_receive", "layerzero_commit_packet", "layerzero_dvn_verify", "cocoon_worker_payout", "cocoon_proxy_payout",
	"cocoon_proxy_charge", "cocoon_client_top_up", "cocoon_register_proxy", "cocoon_unregister_proxy", "cocoon_client_register",
	"cocoon_client_change_secret_hash", "cocoon_client_request_refund", "cocoon_grant_refund", "cocoon_client_increase_stake",
	"cocoon_client_withdraw", "dedust_v2_claim_fees", "dedust_v2_claim_reward", "change_wallet_key", "gasless_request",
}

const (
	ownBits   = 40           // types with a bit of their own
	otherBits = 63 - ownBits // bits that the other numbered types share
)

// unnumbered is the bit of types without a number: those of a newer program.
const unnumbered = uint64(1) << 63

var actionTypeBit = func() map[string]uint64 {
	bits := make(map[string]uint64, len(numberedActionTypes))
	for n, t := range numberedActionTypes {
		if n >= ownBits {
			n = ownBits + (n-ownBits)%otherBits
		}
		bits[t] = 1 << n
	}
	return bits
}()

// ActionTypeBits returns a set of types as 64 bits. Rare types share bits, so a set that has the bits of a type may lack
// the type; a set that lacks them never has it. Types without a number have the highest bit.
func ActionTypeBits(types ...string) uint64 {
	var set uint64
	for _, t := range types {
		bit, ok := actionTypeBit[t]
		if !ok {
			bit = unnumbered
		}
		set |= bit
	}
	return set
}

// AnyActionTypeBits returns the bits of which a set with one of the types has at least one. They include the bit of types
// without a number, because an older program may have stored the set; a type without a number may have any bit, because a
// newer one may.
func AnyActionTypeBits(types []string) uint64 {
	for _, t := range types {
		if _, ok := actionTypeBit[t]; !ok {
			return math.MaxUint64
		}
	}
	return ActionTypeBits(types...) | unnumbered
}
