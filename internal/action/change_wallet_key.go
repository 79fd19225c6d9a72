package action

import (
	"encoding/hex"

	"tonql/internal/contract"
)

const (
	typeChangeWalletKey = "change_wallet_key"
	// logKeyChanged is the log in which Telegram's wallet publishes the encrypted key that it no longer accepts.
	logKeyChanged = 0xeba19948

	publicKeyBytes    = 32
	encryptedKeyBytes = 32
)

func init() {
	Register(Spec{
		Kind: typeChangeWalletKey, Phase: 96,
		Match: Where(isKeyChange).Calling(logKeyChanged).Then(Log(logKeyChanged).As("log")),
		Build: buildChangeWalletKey,
	})
}

// ChangeWalletKeyData has the keys of a request, in hexadecimal.
type ChangeWalletKeyData struct {
	NewPublicKey           string `json:"new_public_key"`
	RotationSignature      string `json:"rotation_signature"` // of the wallet's address by the new key
	EncryptedOldPrivateKey string `json:"encrypted_old_private_key"`
}

// Column implements [Payload].
func (*ChangeWalletKeyData) Column() string { return "change_wallet_key_data" }

// isKeyChange reports whether a block is a request to replace the key of a wallet, by its owner or by a relayer. A request that
// the wallet rejects has no log.
func isKeyChange(b *Block) bool {
	if !b.IsBasic() || b.IsLog() || b.Msg == nil || b.Aborted() || b.NextLog(logKeyChanged) == nil {
		return false
	}
	if b.Msg.Source == nil {
		return b.signedOpcode() == opChangeKeyExternal
	}
	return b.signedOpcode() == opChangeKeyInternal
}

// buildChangeWalletKey reads the request and the log.
//
//	change_public_key#fbba99c8 subwallet:uint32 valid_until:uint32 seqno:uint32 new_public_key:bits256
//	  ^[ rotation_signature:bits512 ] ^[ encrypted_old_private_key:bits256 ]
//	key_changed#eba19948 encrypted_old_private_key:bits256
func buildChangeWalletKey(_ *Context, m *Match) *Result {
	l := contract.Load(m.Start.Msg.Body.Cell())
	l.Bytes(signatureBytes)
	l.Uint(32)
	l.Uint(32)
	l.Uint(64)
	key, proof := l.Bytes(publicKeyBytes), contract.Load(l.Ref())
	signature := proof.Bytes(signatureBytes)
	log := m.Get("log").Body()
	old := log.Bytes(encryptedKeyBytes)
	if l.Err() != nil || proof.Err() != nil || log.Err() != nil {
		return nil
	}
	c := callColumns(m.Start)
	c.Opcode, c.Extra = nil, nil
	c.Payloads = []Payload{&ChangeWalletKeyData{
		NewPublicKey: hex.EncodeToString(key), RotationSignature: hex.EncodeToString(signature), EncryptedOldPrivateKey: hex.EncodeToString(old),
	}}
	return &Result{Columns: c}
}
