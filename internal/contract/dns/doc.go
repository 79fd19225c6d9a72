// Package dns reads domains: items of a zone's collection and the records they hold (TEP-81).
//
// Get-methods of an item:
//
//	get_domain() -> label                              // .ton
//	get_telemint_token_name() -> label                 // .t.me
//	dnsresolve(subdomain, category) -> (bits, record)  // category 0: the dictionary of all records
//
// Records, by the SHA-256 of their category:
//
//	dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8) { flags <= 1 } cap_list:flags . 0?SmcCapList = DNSRecord; // wallet
//	dns_adnl_address#ad01 adnl_addr:bits256 flags:(## 8) { flags <= 1 } proto_list:flags . 0?ProtoList = DNSRecord;    // site
//	dns_storage_address#7473 bag_id:bits256 = DNSRecord;                                                            // storage
//	dns_next_resolver#ba93 resolver:MsgAddressInt = DNSRecord;                                                      // dns_next_resolver
//	dns_text#1eda _:Text = DNSRecord;                                                                               // text
//	text$_ chunks:(## 8) rest:(TextChunks chunks) = Text;
//	text_chunk$_ {n:#} len:(## 8) data:(bits (len * 8)) next:(TextChunkRef n) = TextChunks (n + 1);
//
// A domain counts when its item is a genuine NFT of a collection that is known to be a zone.
package dns
