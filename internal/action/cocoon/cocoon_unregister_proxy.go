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

// CocoonUnregisterProxyData is the removal of a proxy.
type CocoonUnregisterProxyData struct {
	CocoonQuery

	Seqno uint64 `json:"seqno"`
}

// Column implements [action.Payload].
func (*CocoonUnregisterProxyData) Column() string { return "cocoon_unregister_proxy_data" }

func readCocoonUnregisterProxy(_ *action.Match, q CocoonQuery, l *contract.Loader, _ *action.Columns) action.Payload {
	return &CocoonUnregisterProxyData{q, l.Uint(32)}
}
