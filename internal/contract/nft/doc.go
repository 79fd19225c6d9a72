// Package nft reads NFTs: collections and items (TEP-62, TEP-66), soul-bound items (TEP-85), and the contracts that
// sell them.
//
// Get-methods:
//
//	collection: get_collection_data() -> (next_item_index, content, owner)
//	            get_nft_address_by_index(index) -> address
//	            get_nft_content(index, individual) -> content
//	item:       get_nft_data() -> (init, index, collection, owner, individual)
//	SBT:        get_authority_address() -> address, get_revoked_time() -> unix time
//	sale:       get_sale_data() -> (0x46495850, …) for a fixed price, (0x415543, …) for an auction
//	            get_fix_price_data_v4(), get_auction_data_v4()
//	telemint:   get_telemint_token_name(), get_telemint_auction_state(), get_telemint_auction_config(), royalty_params()
//
// Message:
//
//	transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell)
//	  forward_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell) = InternalMsgBody;
//
// An item is genuine when its collection's get_nft_address_by_index gives its address for its index, or when it names
// no collection. That a sale contract sells an item is its own word; who reads it checks that it owns the item.
package nft
