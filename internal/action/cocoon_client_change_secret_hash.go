package action

import (
	"encoding/hex"

	"tonql/internal/contract"
)

func init() {
	Register(Spec{
		Kind: "cocoon_client_change_secret_hash", Phase: 88,
		Match: Call(0xa9357034).Then(cocoonRest(), cocoonForward()),
		Build: cocoonRequest("", readCocoonClientChangeSecretHash),
	})
}

// CocoonClientChangeSecretHashData is a client's new secret, of which only the hash is known.
type CocoonClientChangeSecretHashData struct {
	CocoonQuery

	NewSecretHash string `json:"new_secret_hash"` // hex
}

// Column names the composite column.
func (*CocoonClientChangeSecretHashData) Column() string {
	return "cocoon_client_change_secret_hash_data"
}

func readCocoonClientChangeSecretHash(_ *Match, q CocoonQuery, l *contract.Loader, c *Columns) Payload {
	h := l.Hash()
	c.Source = AddressText(l.Address())
	return &CocoonClientChangeSecretHashData{q, hex.EncodeToString(h[:])}
}
