package cocoon

import (
	"encoding/hex"

	"tonql/internal/action"
	"tonql/internal/contract"
)

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_client_change_secret_hash", Phase: 88,
		Match: action.Call(0xa9357034).Then(cocoonRest(), cocoonForward()),
		Build: cocoonRequest("", readCocoonClientChangeSecretHash),
	})
}

// CocoonClientChangeSecretHashData is the hash of a client's new secret.
type CocoonClientChangeSecretHashData struct {
	CocoonQuery

	NewSecretHash string `json:"new_secret_hash"` // hex
}

// Column implements [action.Payload].
func (*CocoonClientChangeSecretHashData) Column() string {
	return "cocoon_client_change_secret_hash_data"
}

func readCocoonClientChangeSecretHash(_ *action.Match, q CocoonQuery, l *contract.Loader, c *action.Columns) action.Payload {
	h := l.Hash()
	c.Source = action.AddressText(l.Address())
	return &CocoonClientChangeSecretHashData{q, hex.EncodeToString(h[:])}
}
