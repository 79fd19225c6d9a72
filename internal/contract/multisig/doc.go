// Package multisig reads wallets that several signers command (multisig v2), and their orders.
//
// Get-methods:
//
//	wallet: get_multisig_data() -> (next_order_seqno, threshold, signers, proposers)
//	        get_order_address(seqno) -> address
//	order:  get_order_data() -> (multisig, seqno, threshold, executed, signers, approvals_mask, approvals_num,
//	          expiration, order)            // null after seqno until the order is initialised
//
// Orders:
//
//	_ (Hashmap 8 ^OrderAction) = Order;
//	send_message#f1381e5b mode:uint8 message:^(MessageRelaxed Any) = OrderAction;
//	update_multisig_param#1d0cfbd3 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt)
//	  proposers:(HashmapE 8 MsgAddressInt) = OrderAction;
//
// An order is genuine when its multisig's get_order_address gives its address for its number.
package multisig
