package action

import "tonql/internal/contract"

func init() {
	Register(Spec{
		Kind: "cocoon_client_top_up", Phase: 84,
		Match: Call(0xf172e6c2).Then(cocoonForward().Then(cocoonRest())),
		Build: cocoonRequest("", readCocoonClientTopUp),
	})
}

// CocoonClientTopUpData is coins for a client's account.
type CocoonClientTopUpData struct{ CocoonQuery }

// Column names the composite column.
func (*CocoonClientTopUpData) Column() string { return "cocoon_client_top_up_data" }

func readCocoonClientTopUp(m *Match, q CocoonQuery, l *contract.Loader, c *Columns) Payload {
	c.Amount, c.Source = l.Coins(), AddressText(m.Get(cocoonExcesses).Account())
	c.DestinationSecondary = AddressText(m.Get(cocoonToProxy).Account())
	return &CocoonClientTopUpData{q}
}
