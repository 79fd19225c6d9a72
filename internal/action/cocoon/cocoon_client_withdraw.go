package cocoon

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/contract"
)

const opCocoonRefund = 0xc68ebc7b

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_client_withdraw", Phase: 92,
		Match: action.Call(0xda068e78).Then(cocoonForward().Then(cocoonPaid(), cocoonRest().Maybe())),
		Build: cocoonRequest("", readCocoonClientWithdraw),
	})
}

// ClientWithdrawData is the amount that the client's contract requested from the proxy, in nanotons; 0 without one. It is
// also the amount of the row, whatever the proxy paid.
type ClientWithdrawData struct {
	Query

	Amount *big.Int `json:"withdraw_amount"`
}

// Column implements [action.Payload].
func (*ClientWithdrawData) Column() string { return "cocoon_client_withdraw_data" }

func readCocoonClientWithdraw(m *action.Match, q Query, l *contract.Loader, c *action.Columns) action.Payload {
	c.Source = action.AddressText(l.Address())
	d := &ClientWithdrawData{q, new(big.Int)}
	proxy := m.Get(cocoonToProxy).Body()
	proxy.Uint(64)
	proxy.Address()
	proxy.Ref() // the state of the client
	request := contract.Load(proxy.MaybeRef())
	request.Opcode(opCocoonRefund)
	if n := request.Coins(); request.Err() == nil {
		d.Amount = n
	}
	c.Amount = d.Amount
	return d
}
