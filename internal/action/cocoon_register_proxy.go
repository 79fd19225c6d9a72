package action

import "tonql/internal/contract"

func init() {
	Register(Spec{
		Kind: "cocoon_register_proxy", Phase: 85,
		Match: Call(0x927c7cb5).Then(cocoonRest()),
		Build: cocoonRequest("", readCocoonRegisterProxy),
	})
}

// CocoonRegisterProxyData is a proxy that joins.
type CocoonRegisterProxyData struct{ CocoonQuery }

// Column names the composite column.
func (*CocoonRegisterProxyData) Column() string { return "cocoon_register_proxy_data" }

func readCocoonRegisterProxy(_ *Match, q CocoonQuery, _ *contract.Loader, _ *Columns) Payload {
	return &CocoonRegisterProxyData{q}
}
