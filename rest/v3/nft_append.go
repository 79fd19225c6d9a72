package v3

import (
	"tonql/internal/chain"
	"tonql/rest/handler"
)

func appendNFTCollection(b []byte, n *chain.NFTCollection) []byte {
	b = handler.AppendAddress(append(b, `{"address":`...), &n.Address)
	b = handler.AppendAddress(append(b, `,"owner_address":`...), n.Owner)
	b = handler.AppendBig(append(b, `,"next_item_index":`...), n.NextItemIndex)
	b = appendAttributes(append(b, `,"collection_content":`...), n.Content, "")
	return append(appendReadFrom(b, n.LastTxLT, &n.CodeHash, &n.DataHash), '}')
}

func appendNFTItem(b []byte, n *chain.NFTItem) []byte {
	b = handler.AppendAddress(append(b, `{"address":`...), &n.Address)
	b = handler.AppendBool(append(b, `,"init":`...), n.Init)
	b = handler.AppendBig(append(b, `,"index":`...), n.Index)
	b = handler.AppendAddress(append(b, `,"collection_address":`...), n.Collection)
	b = handler.AppendAddress(append(b, `,"owner_address":`...), n.Owner)
	b = appendAttributes(append(b, `,"content":`...), n.Content, n.Domain)
	b = appendReadFrom(b, n.LastTxLT, &n.CodeHash, &n.DataHash)
	b = append(b, `,"collection":`...)
	if n.CollectionInfo == nil {
		b = append(b, "null"...)
	} else {
		b = appendNFTCollection(b, n.CollectionInfo)
	}
	return append(appendHolder(b, n), '}')
}

// appendHolder appends the sale members of an item. If a recognized sale contract owns the item, real_owner is the account
// that put it on sale.
func appendHolder(b []byte, n *chain.NFTItem) []byte {
	s := n.Sale
	if s == nil || s.FixedPrice == nil && s.Auction == nil {
		return append(b, `,"on_sale":false`...)
	}
	b = append(b, `,"on_sale":true`...)
	if s.FixedPrice != nil {
		b = handler.AppendAddress(append(b, `,"sale_contract_address":`...), &s.Address)
	} else {
		b = handler.AppendAddress(append(b, `,"auction_contract_address":`...), &s.Address)
	}
	return appendAddressIf(b, `,"real_owner":`, s.NFTOwner)
}

func appendNFTTransfer(b []byte, t *chain.NFTTransfer) []byte {
	b = handler.AppendDecimal(append(b, `{"query_id":`...), t.QueryID)
	b = handler.AppendAddress(append(b, `,"nft_address":`...), &t.NFT)
	b = appendNone(append(b, `,"nft_collection":`...), t.Collection)
	b = appendOrderedBy(b, &t.TxHash, t.TxLT, t.TxNow, t.TxAborted)
	b = handler.AppendAddress(append(b, `,"old_owner":`...), &t.OldOwner)
	b = appendNone(append(b, `,"new_owner":`...), t.NewOwner)
	b = appendNone(append(b, `,"response_destination":`...), t.ResponseDestination)
	b = appendPayload(b, `,"custom_payload":`, `,"decoded_custom_payload":`, t.CustomPayload)
	b = handler.AppendBig(append(b, `,"forward_amount":`...), t.ForwardAmount)
	b = appendPayload(b, `,"forward_payload":`, `,"decoded_forward_payload":`, t.ForwardPayload)
	return append(handler.AppendHash(append(b, `,"trace_id":`...), t.TraceID), '}')
}
