package action

import "tonql/internal/contract"

// Opcodes of requests that the owner of a wallet has signed. The internal ones arrive in a message of another account, a
// relayer, which pays for the gas.
const (
	opSignedInternal = 0x73696e74 // wallet v5

	// Those of Telegram's wallet are behind the signature.
	opSendOneInternal    = 0x63896e74
	opSendOneExternal    = 0x63896e75
	opSendBulkInternal   = 0x73896e74
	opSendBulkExternal   = 0x73896e75
	opChangeKeyInternal  = 0xfbba99c7
	opChangeKeyExternal  = 0xfbba99c8
	signatureBytes       = 64
	signedRequestMinBits = 8*signatureBytes + 32 + 96 // up to the sequence number
)

// signedRequest returns the opcode behind the signature of a request to Telegram's wallet; 0 for other messages. The first bits
// of such a body, the opcode of the message, are a part of the signature.
//
//	signed_request$_ signature:bits512 opcode:uint32 subwallet:uint32 valid_until:uint32 seqno:uint32 …
func signedRequest(m *Message) uint32 {
	body := m.Body.Cell()
	if body == nil || body.IsSpecial() || body.BitsSize() < signedRequestMinBits {
		return 0
	}
	l := contract.Load(body)
	l.Bytes(signatureBytes)
	switch op := uint32(l.Uint(32)); op {
	case opSendOneInternal, opSendOneExternal, opSendBulkInternal, opSendBulkExternal, opChangeKeyInternal, opChangeKeyExternal:
		return op
	}
	return 0
}

// signedOpcode is [signedRequest] of a call, which reads its body once; 0 for other blocks.
func (b *Block) signedOpcode() uint32 {
	if b.Type != TypeCallContract || !b.IsBasic() || b.IsLog() || b.Msg == nil {
		return 0
	}
	if b.signed == nil {
		op := signedRequest(b.Msg)
		b.signed = &op
	}
	return *b.signed
}

// isRelayedV5 reports whether a block is a request to a wallet v5 that a relayer delivered.
func (b *Block) isRelayedV5() bool { return b.Calls(opSignedInternal) && b.Msg.Source != nil }

// isRelayedTelegram reports whether a block is a request to Telegram's wallet that a relayer delivered.
func (b *Block) isRelayedTelegram() bool {
	if b.From() == nil {
		return false
	}
	switch b.signedOpcode() {
	case opSendOneInternal, opSendBulkInternal, opChangeKeyInternal:
		return true
	}
	return false
}
