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

// CocoonClientRegisterData is the registration of a client at its proxy.
type CocoonClientRegisterData struct {
	CocoonQuery

	Nonce uint64 `json:"nonce"`
}

// Column implements [action.Payload].
func (*CocoonClientRegisterData) Column() string { return "cocoon_client_register_data" }

func readCocoonClientRegister(_ *action.Match, q CocoonQuery, l *contract.Loader, c *action.Columns) action.Payload {
	d := &CocoonClientRegisterData{q, l.Uint(64)}
	c.Source = action.AddressText(l.Address())
	return d
}
