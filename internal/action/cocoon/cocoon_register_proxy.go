package cocoon

import (
	"tonql/internal/action"
	"tonql/internal/contract"
)

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_register_proxy", Phase: 85,
		Match: action.Call(0x927c7cb5).Then(cocoonRest()),
		Build: cocoonRequest("", readCocoonRegisterProxy),
	})
}

// RegisterProxyData is the registration of a proxy.
type RegisterProxyData struct{ Query }

// Column implements [action.Payload].
func (*RegisterProxyData) Column() string { return "cocoon_register_proxy_data" }

func readCocoonRegisterProxy(_ *action.Match, q Query, _ *contract.Loader, _ *action.Columns) action.Payload {
	return &RegisterProxyData{q}
}
