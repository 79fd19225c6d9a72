package v3

import (
	"tonql/internal/chain"
	"tonql/rest/handler"
)

func appendJettonMaster(b []byte, m *chain.JettonMaster) []byte {
	b = handler.AppendAddress(append(b, `{"address":`...), &m.Address)
	b = handler.AppendBig(append(b, `,"total_supply":`...), m.TotalSupply)
	b = handler.AppendBool(append(b, `,"mintable":`...), m.Mintable)
	b = handler.AppendAddress(append(b, `,"admin_address":`...), m.Admin)
	b = appendAttributes(append(b, `,"jetton_content":`...), m.Content, "")
	b = handler.AppendHash(append(b, `,"jetton_wallet_code_hash":`...), &m.WalletCodeHash)
	return append(appendReadFrom(b, m.LastTxLT, &m.CodeHash, &m.DataHash), '}')
}

func appendJettonWallet(b []byte, w *chain.JettonWallet) []byte {
	b = handler.AppendAddress(append(b, `{"address":`...), &w.Address)
	b = handler.AppendBig(append(b, `,"balance":`...), w.Balance)
	b = handler.AppendAddress(append(b, `,"owner":`...), &w.Owner)
	b = handler.AppendAddress(append(b, `,"jetton":`...), &w.Jetton)
	b = appendReadFrom(b, w.LastTxLT, w.CodeHash, w.DataHash)
	if w.Mintless != nil {
		b = appendMintless(append(b, `,"mintless_info":`...), w.Mintless)
	}
	return append(b, '}')
}

func appendMintless(b []byte, m *chain.MintlessInfo) []byte {
	b = handler.AppendBig(append(b, `{"amount":`...), m.Amount)
	b = appendUnixOrNull(append(b, `,"start_from":`...), m.StartFrom)
	b = appendUnixOrNull(append(b, `,"expire_at":`...), m.ExpireAt)
	return append(appendStrings(append(b, `,"custom_payload_api_uri":`...), m.CustomPayloadAPIs), '}')
}

func appendJettonTransfer(b []byte, t *chain.JettonTransfer) []byte {
	b = handler.AppendDecimal(append(b, `{"query_id":`...), t.QueryID)
	b = handler.AppendAddress(append(b, `,"source":`...), &t.Source)
	b = appendNone(append(b, `,"destination":`...), t.Destination)
	b = handler.AppendBig(append(b, `,"amount":`...), t.Amount)
	b = handler.AppendAddress(append(b, `,"source_wallet":`...), &t.SourceWallet)
	b = handler.AppendAddress(append(b, `,"jetton_master":`...), &t.Jetton)
	b = appendOrderedBy(b, &t.TxHash, t.TxLT, t.TxNow, t.TxAborted)
	b = appendNone(append(b, `,"response_destination":`...), t.ResponseDestination)
	b = appendPayload(b, `,"custom_payload":`, `,"decoded_custom_payload":`, t.CustomPayload)
	b = handler.AppendBig(append(b, `,"forward_ton_amount":`...), t.ForwardAmount)
	b = appendPayload(b, `,"forward_payload":`, `,"decoded_forward_payload":`, t.ForwardPayload)
	return append(handler.AppendHash(append(b, `,"trace_id":`...), t.TraceID), '}')
}

func appendJettonBurn(b []byte, burn *chain.JettonBurn) []byte {
	b = handler.AppendDecimal(append(b, `{"query_id":`...), burn.QueryID)
	b = handler.AppendAddress(append(b, `,"owner":`...), &burn.Owner)
	b = handler.AppendAddress(append(b, `,"jetton_wallet":`...), &burn.JettonWallet)
	b = handler.AppendAddress(append(b, `,"jetton_master":`...), &burn.Jetton)
	b = appendOrderedBy(b, &burn.TxHash, burn.TxLT, burn.TxNow, burn.TxAborted)
	b = handler.AppendBig(append(b, `,"amount":`...), burn.Amount)
	b = appendNone(append(b, `,"response_destination":`...), burn.ResponseDestination)
	b = appendPayload(b, `,"custom_payload":`, `,"decoded_custom_payload":`, burn.CustomPayload)
	return append(handler.AppendHash(append(b, `,"trace_id":`...), burn.TraceID), '}')
}
