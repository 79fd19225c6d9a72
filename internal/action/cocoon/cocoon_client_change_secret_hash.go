package cocoon

import (
	"math/big"

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

// ClientChangeSecretHashData is the hash of a client's new secret.
type ClientChangeSecretHashData struct {
	Query

	NewSecretHash string `json:"new_secret_hash"` // hex without leading zeros
}

// Column implements [action.Payload].
func (*ClientChangeSecretHashData) Column() string {
	return "cocoon_client_change_secret_hash_data"
}

func readCocoonClientChangeSecretHash(_ *action.Match, q Query, l *contract.Loader, c *action.Columns) action.Payload {
	h := l.Hash()
	c.Source = action.AddressText(l.Address())
	return &ClientChangeSecretHashData{q, new(big.Int).SetBytes(h[:]).Text(16)}
}
