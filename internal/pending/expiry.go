package pending

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/contract"
)

// Lifetimes of external messages that are in no block, in seconds.
const (
	// DefaultLifetime applies to messages without an expiration time.
	DefaultLifetime = 300
	// MaxLifetime is the time after which networks have dropped every message.
	MaxLifetime = 600
)

const (
	signatureBytes   = 64
	opSignedExternal = 0x7369676e // wallet v5

	// Requests to Telegram's wallet: one message, several, another key.
	opSendOneExternal   = 0x63896e75
	opSendBulkExternal  = 0x73896e75
	opChangeKeyExternal = 0xfbba99c8
)

// Expiry returns the time from which on no block can hold a message with this body that was sent at the given time. Both are
// unix times of the chain.
func Expiry(body *cell.Cell, sent uint32) uint32 {
	if at, ok := ValidUntil(body); ok {
		return min(at, sent+MaxLifetime)
	}
	return sent + DefaultLifetime
}

// ValidUntil returns the time from which on a wallet rejects the body of an external message; false when the body is not a
// wallet request with an expiration time. The layouts differ in length, so at most one matches.
//
//	v2: signature:bits512 seqno:uint32 valid_until:uint32 …                       each …: mode:uint8 message:^Message
//	v3: signature:bits512 subwallet:uint32 valid_until:uint32 seqno:uint32 …
//	v4: signature:bits512 subwallet:uint32 valid_until:uint32 seqno:uint32 op:uint8 …
//	v5: op:uint32 wallet_id:uint32 valid_until:uint32 seqno:uint32 …
//	Telegram: signature:bits512 opcode:uint32 subwallet:uint32 valid_until:uint32 seqno:uint32 …
//	highload v2: signature:bits512 subwallet:uint32 valid_until:uint32 query:uint32 messages:(HashmapE 16 …)
//	highload v3: signature:bits512 ^[subwallet:uint32 message:^Message mode:uint8 query:uint23 created:uint64 timeout:uint22]
func ValidUntil(body *cell.Cell) (uint32, bool) {
	l := contract.Load(body)
	if l.Uint(32) == opSignedExternal {
		l.Uint(32)
		return validUntil(l)
	}
	l = contract.Load(body)
	l.Bytes(signatureBytes)
	bits, refs := l.BitsLeft(), l.RefsLeft()
	switch {
	case l.Err() != nil:
		return 0, false
	case bits == 0 && refs == 1:
		return highloadV3(contract.Load(l.Ref()))
	case bits == 64+8*refs, bits == 96+8*refs, bits == 104+8*refs, bits == 97 && refs <= 1: // v2, v3, v4, highload v2
		l.Uint(32)
		return validUntil(l)
	case bits == 136 && refs == 1, bits == 137 && refs == 1, bits == 384 && refs == 2:
		return telegram(l)
	default:
		return 0, false
	}
}

// telegram reads a request to Telegram's wallet behind its signature.
func telegram(l *contract.Loader) (uint32, bool) {
	switch l.Uint(32) {
	case opSendOneExternal, opSendBulkExternal, opChangeKeyExternal:
		l.Uint(32)
		return validUntil(l)
	default:
		return 0, false
	}
}

func validUntil(l *contract.Loader) (uint32, bool) {
	at := uint32(l.Uint(32))
	return at, l.Err() == nil
}

func highloadV3(l *contract.Loader) (uint32, bool) {
	l.Uint(32)
	l.Ref()
	l.Uint(8 + 23)
	created, timeout := l.Uint(64), l.Uint(22)
	if l.Err() != nil || created > 1<<32-1 {
		return 0, false
	}
	return uint32(min(created+timeout, 1<<32-1)), true
}
