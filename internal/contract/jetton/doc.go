// Package jetton reads Jettons: masters and wallets (TEP-74, TEP-89, mintless TEP-177), and the orders that move them.
//
// Get-methods:
//
//	master: get_jetton_data() -> (total_supply, mintable, admin, content, wallet_code)
//	        get_wallet_address(owner) -> address
//	        get_mintless_airdrop_hashmap_root() -> hash             // mintless only
//	wallet: get_wallet_data() -> (balance, owner, master, wallet_code)
//	        is_claimed() -> bool                                    // mintless only
//
// Messages:
//
//	transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress response_destination:MsgAddress
//	  custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell) = InternalMsgBody;
//	burn#595f07bc query_id:uint64 amount:(VarUInteger 16) response_destination:MsgAddress
//	  custom_payload:(Maybe ^Cell) = InternalMsgBody;
//
// A wallet is genuine when its master's get_wallet_address gives its address for its owner.
package jetton
