package action

import (
	"bytes"
	"encoding/hex"

	"tonql/internal/contract"
)

const (
	typeChangeWalletKey = "change_wallet_key"

	publicKeyBytes    = 32
	encryptedKeyBytes = 32
	keyLogBits        = 32 + 8*encryptedKeyBytes
)

func init() {
	Register(Spec{Kind: typeChangeWalletKey, Phase: 96, Match: Where(isKeyChange).Of(TypeCallContract), Build: buildChangeWalletKey})
}

// ChangeWalletKeyData has the keys of a request, in hexadecimal.
type ChangeWalletKeyData struct {
	NewPublicKey           string `json:"new_public_key"`
	RotationSignature      string `json:"rotation_signature"` // of the wallet's address by the new key
	EncryptedOldPrivateKey string `json:"encrypted_old_private_key"`
}

// Column implements [Payload].
func (*ChangeWalletKeyData) Column() string { return "change_wallet_key_data" }

// isKeyChange reports whether a block is a request to replace the key of a wallet, by its owner or by a relayer.
func isKeyChange(b *Block) bool {
	switch {
	case !b.IsBasic() || b.IsLog() || b.Msg == nil || b.Aborted():
		return false
	case b.Msg.Source == nil:
		return b.signedOpcode() == opChangeKeyExternal
	}
	return b.signedOpcode() == opChangeKeyInternal
}

// buildChangeWalletKey reads the request. The wallet publishes the encrypted key in a log whose opcode depends on the version of
// its code, which the network's configuration replaces. A request that the wallet rejects has no such log.
//
//	change_public_key#fbba99c8 subwallet:uint32 valid_until:uint32 seqno:uint32 new_public_key:bits256
//	  ^[ rotation_signature:bits512 ] ^[ encrypted_old_private_key:bits256 ]
//	key_changed#_ op:uint32 encrypted_old_private_key:bits256
func buildChangeWalletKey(_ *Context, m *Match) *Result {
	l := contract.Load(m.Start.Msg.Body.Cell())
	l.Bytes(signatureBytes)
	l.Uint(32)
	l.Uint(32)
	l.Uint(64)
	key, proof, replaced := l.Bytes(publicKeyBytes), contract.Load(l.Ref()), contract.Load(l.Ref())
	signature, old := proof.Bytes(signatureBytes), replaced.Bytes(encryptedKeyBytes)
	if l.Err() != nil || proof.Err() != nil || replaced.Err() != nil {
		return nil
	}
	log := keyLog(m.Start, old)
	if log == nil {
		return nil
	}
	m.Take(log)
	c := callColumns(m.Start)
	c.Opcode, c.Extra = nil, nil
	c.Payloads = []Payload{&ChangeWalletKeyData{
		NewPublicKey: hex.EncodeToString(key), RotationSignature: hex.EncodeToString(signature), EncryptedOldPrivateKey: hex.EncodeToString(old),
	}}
	return &Result{Columns: c}
}

// keyLog returns the log in which a wallet publishes the encrypted key that it no longer accepts; nil without one.
func keyLog(b *Block, key []byte) *Block {
	for _, n := range b.Next {
		if !n.IsBasic() || !n.IsLog() {
			continue
		}
		body := n.Msg.Body.Cell()
		if body == nil || body.IsSpecial() || body.BitsSize() != keyLogBits {
			continue
		}
		if l := n.Body(); bytes.Equal(l.Bytes(encryptedKeyBytes), key) && l.Err() == nil {
			return n
		}
	}
	return nil
}
