package cocoon

import (
	"fmt"
	"math/big"

	"tonql/internal/action"
	"tonql/internal/contract"
)

// Opcodes that several of Cocoon's contracts share.
const (
	opCocoonPayout   = 0xc59a7cd3
	opCocoonExcesses = 0x2565934c
	opCocoonToProxy  = 0x65448ff4
)

// Names of blocks in requests.
const (
	cocoonPayout   = "payout"
	cocoonExcesses = "excesses"
	cocoonToProxy  = "proxy"
)

// cocoonPaid matches a payment that must succeed for the request to succeed.
func cocoonPaid() *action.Pattern { return action.Call(opCocoonPayout).As(cocoonPayout) }

func cocoonRest() *action.Pattern { return action.Call(opCocoonExcesses).As(cocoonExcesses) }

// cocoonForward matches the message of a client's contract to the proxy.
//
//	client_proxy_request#65448ff4 query_id:uint64 owner:MsgAddress state:^Cell payload:(Maybe ^Cell) = InternalMsgBody;
func cocoonForward() *action.Pattern { return action.Call(opCocoonToProxy).As(cocoonToProxy) }

// Query is the query id of a request and its replies.
type Query struct {
	QueryID uint64 `json:"query_id"`
}

// cocoonRead fills row and payload from the body behind the query id; it returns nil when the body has another layout. The
// destination of the row is already set to the called account.
type cocoonRead func(m *action.Match, q Query, l *contract.Loader, c *action.Columns) action.Payload

// cocoonRequest returns a builder. A request succeeds unless its own transaction, or the block of the deciding name, aborts.
func cocoonRequest(deciding string, read cocoonRead) func(*action.Context, *action.Match) *action.Result {
	return func(_ *action.Context, m *action.Match) *action.Result {
		l := m.Start.Body()
		q := Query{QueryID: l.Uint(64)}
		c := action.Columns{Destination: action.AddressText(m.Start.Account())}
		d := read(m, q, l, &c)
		if d == nil || l.Err() != nil {
			return nil
		}
		c.Payloads = []action.Payload{d}
		failed := m.Start.Aborted()
		if deciding != "" {
			failed = m.Get(deciding).Aborted()
		}
		return &action.Result{Columns: c, Failed: failed}
	}
}

// Tokens are the tokens that a signed request charges, and the client. They are read directly behind the query id, as
// in the published rows, although current contracts have the address for excesses there; the signed tokens are in the
// reference of the request.
type Tokens struct {
	NewTokensUsed   uint64  `json:"new_tokens_used"`
	ExpectedAddress *string `json:"expected_address"` // raw, or length;hex for an external one
}

func readCocoonTokens(l *contract.Loader) Tokens {
	return Tokens{NewTokensUsed: l.Uint(64), ExpectedAddress: anyAddress(contract.LoadSlice(l.Slice()))}
}

// anyAddress formats an internal address, without its rewrite prefix, or an external one as its length in bits and its hexadecimal
// digits; nil for other forms.
func anyAddress(l *contract.Loader) *string {
	const external = 1
	if tag := contract.LoadSlice(l.Slice()).Uint(2); tag != external {
		if a := l.AddressWithoutRewrite(); a != nil {
			s := a.String()
			return &s
		}
		return nil
	}
	l.Uint(2)
	bits, number := l.Uint(9), new(big.Int)
	for left := uint(bits); left > 0; {
		piece := min(left, 64)
		number.Or(number.Lsh(number, piece), action.BigInt(l.Uint(piece)))
		left -= piece
	}
	if l.Err() != nil {
		return nil
	}
	s := fmt.Sprintf("%d;%x", bits, number)
	return &s
}
