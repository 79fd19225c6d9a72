package cocoon

import (
	"tonql/internal/action"
	"tonql/internal/contract"
)

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_unregister_proxy", Phase: 86,
		Match: action.Call(0x6d49eaf2).Then(cocoonRest()),
		Build: cocoonRequest("", readCocoonUnregisterProxy),
	})
}

// UnregisterProxyData is the removal of a proxy.
type UnregisterProxyData struct {
	Query

	Seqno uint64 `json:"seqno"`
}

// Column implements [action.Payload].
func (*UnregisterProxyData) Column() string { return "cocoon_unregister_proxy_data" }

func readCocoonUnregisterProxy(_ *action.Match, q Query, l *contract.Loader, _ *action.Columns) action.Payload {
	return &UnregisterProxyData{q, l.Uint(32)}
}
