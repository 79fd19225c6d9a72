package cocoon

import (
	"tonql/internal/action"
	"tonql/internal/contract"
)

const (
	opCocoonWorkerPayout     = 0xa040ad28
	opCocoonWorkerLastPayout = 0xf5f26a36
	opCocoonWorkerToProxy    = 0x4d725d2c
)

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_worker_payout", Phase: 81,
		Match: action.Call(opCocoonWorkerPayout, opCocoonWorkerLastPayout).Then(
			action.Call(opCocoonWorkerToProxy).As(cocoonToProxy).Then(cocoonPaid(), cocoonRest().Maybe())),
		Build: cocoonRequest(cocoonPayout, readCocoonWorkerPayout),
	})
}

// WorkerPayoutData is the payment of a worker. New tokens are read behind the query id, like [Tokens]. State and
// tokens of the worker are those in the worker's message to the proxy; nil without one.
type WorkerPayoutData struct {
	Query

	PayoutType   string  `json:"payout_type"` // regular or last
	NewTokens    uint64  `json:"new_tokens"`
	WorkerState  *uint64 `json:"worker_state"`
	WorkerTokens *uint64 `json:"worker_tokens"`
}

// Column implements [action.Payload].
func (*WorkerPayoutData) Column() string { return "cocoon_worker_payout_data" }

// readCocoonWorkerPayout also reads the message of the worker's contract to the proxy.
//
//	worker_proxy_request#4d725d2c query_id:uint64 owner:MsgAddress state:uint2 tokens:uint64 payload:(Maybe ^Cell)
//	  = InternalMsgBody;
func readCocoonWorkerPayout(m *action.Match, q Query, l *contract.Loader, c *action.Columns) action.Payload {
	d := &WorkerPayoutData{Query: q, PayoutType: "regular", NewTokens: l.Uint(64)}
	if m.Start.Calls(opCocoonWorkerLastPayout) {
		d.PayoutType = "last"
	}
	w := m.Get(cocoonToProxy).Body()
	w.Uint(64)
	w.Address()
	if state, tokens := w.Uint(2), w.Uint(64); w.Err() == nil {
		d.WorkerState, d.WorkerTokens = &state, &tokens
	}
	paid := m.Get(cocoonPayout)
	c.Source, c.SourceSecondary = action.AddressText(m.Start.From()), action.AddressText(m.Start.Account())
	c.Destination, c.Amount = action.AddressText(paid.Account()), paid.Msg.Value
	return d
}
