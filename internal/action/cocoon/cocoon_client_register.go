package cocoon

import (
	"tonql/internal/action"
	"tonql/internal/contract"
)

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_client_register", Phase: 87,
		Match: action.Call(0xc45f9f3b).Then(cocoonRest(), cocoonForward()),
		Build: cocoonRequest("", readCocoonClientRegister),
	})
}

// ClientRegisterData is the registration of a client at its proxy.
type ClientRegisterData struct {
	Query

	Nonce uint64 `json:"nonce"`
}

// Column implements [action.Payload].
func (*ClientRegisterData) Column() string { return "cocoon_client_register_data" }

func readCocoonClientRegister(_ *action.Match, q Query, l *contract.Loader, c *action.Columns) action.Payload {
	d := &ClientRegisterData{q, l.Uint(64)}
	c.Source = action.AddressText(l.Address())
	return d
}
