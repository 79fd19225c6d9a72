package cocoon

import (
	"tonql/internal/action"
	"tonql/internal/contract"
)

// opCocoonWalletSend orders a client's wallet to send a message.
const opCocoonWalletSend = 0x9c69f376

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_client_request_refund", Phase: 89,
		Match: action.Call(0xfafa6cc1).After(action.Call(opCocoonWalletSend).As("wallet").Maybe()).Then(cocoonRest(), cocoonForward()),
		Build: cocoonRequest("", readCocoonClientRequestRefund),
	})
}

// ClientRequestRefundData is a request for a refund. ViaWallet is set when it was sent through the client's wallet.
type ClientRequestRefundData struct {
	Query

	ViaWallet bool `json:"via_wallet"`
}

// Column implements [action.Payload].
func (*ClientRequestRefundData) Column() string { return "cocoon_client_request_refund_data" }

func readCocoonClientRequestRefund(m *action.Match, q Query, l *contract.Loader, c *action.Columns) action.Payload {
	c.Source = action.AddressText(l.Address())
	return &ClientRequestRefundData{q, m.Get("wallet") != nil}
}
