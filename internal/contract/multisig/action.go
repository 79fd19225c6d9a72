package multisig

import (
	"encoding/json"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Opcodes of multisig v2.
const (
	OpNewOrder        = 0xf718510f
	OpOrderInit       = 0x9c73fba2
	OpApprove         = 0xa762230f
	OpApproveAccepted = 0x82609bf6
	OpApproveRejected = 0xafaf283e
	OpExecute         = 0x75097f5d
	OpExecuteInternal = 0xa32c59bf

	opSendMessage  = 0xf1381e5b
	opUpdateParams = 0x1d0cfbd3
)

// unknown is the parsed_body_type of what is not understood.
const unknown = "unknown"

// ParseOrder lists an order's actions in the order they are carried out. An action that cannot be read is listed with
// its error; an order that is no dictionary of actions is an error.
func ParseOrder(order *cell.Cell) ([]chain.OrderAction, error) {
	if order == nil || order.IsSpecial() {
		return nil, chain.Invalidf("an order is a dictionary of actions")
	}
	it, err := order.AsDict(8).Iterator(false, false)
	if err != nil {
		return nil, chain.Invalidf("an order is a dictionary of actions")
	}
	actions := []chain.OrderAction{}
	left := maxOrderVisits
	for it.Next() { // at most 256: the key has 8 bits
		var a chain.OrderAction
		a, left = parseAction(it.Item().Value, left)
		actions = append(actions, a)
	}
	if it.Err() != nil {
		return nil, chain.Invalidf("an order is a dictionary of actions")
	}
	return actions, nil
}

// maxOrderVisits bounds what the actions of an order make us print: all of them may share one body, and one dictionary of
// members, whose entries share theirs. An order without shared cells has at most [maxOrderCells].
const maxOrderVisits = 4 * maxOrderCells

// parseAction reads one action, and returns how much of left it leaves.
func parseAction(leaf *cell.Slice, left int) (chain.OrderAction, int) {
	c := contract.LoadSlice(leaf).Ref()
	visits := cellgraph.Visits(c, left)
	if visits > left {
		return chain.OrderAction{Error: "an action of an order that is too large", BodyType: unknown}, left
	}
	return readAction(contract.Load(c)), left - visits
}

func readAction(l *contract.Loader) chain.OrderAction {
	var a chain.OrderAction
	switch op := l.Uint(32); {
	case l.Err() != nil:
	case op == opSendMessage:
		a = parseSend(l)
	case op == opUpdateParams:
		a = parseUpdate(l)
	default:
		l.Failf("an action of the unknown kind %#08x", op)
	}
	if err := l.Err(); err != nil {
		return chain.OrderAction{Error: chain.PublicMessage(err), BodyType: unknown}
	}
	a.Parsed = true
	return a
}

func parseSend(l *contract.Loader) chain.OrderAction {
	a := chain.OrderAction{SendMode: uint8(l.Uint(8))}
	msg, err := contract.ParseRelaxed(l.Ref())
	if err != nil {
		l.Failf("%s", chain.PublicMessage(err))
		return a
	}
	boc, ok := contract.Serialize(msg.Body, maxOrderCells)
	if !ok {
		l.Failf("a message that is too large")
		return a
	}
	a.Destination, a.Value, a.BodyRaw = &msg.Destination, msg.Value, boc
	p := parseBody(msg.Body)
	a.BodyType, a.Body, a.Addresses = p.kind, p.json, append([]chain.Address{msg.Destination}, p.addresses...)
	return a
}

// updateParams is the parsed_body of multisig_update_params.
type updateParams struct {
	NewThreshold int             `json:"new_threshold"`
	NewSigners   []chain.Address `json:"new_signers"`
	NewProposers []chain.Address `json:"new_proposers"`
}

func parseUpdate(l *contract.Loader) chain.OrderAction {
	u := updateParams{NewThreshold: int(l.Uint(8))}
	var ok [2]bool
	u.NewSigners, ok[0] = Members(l.Ref())
	u.NewProposers, ok[1] = Members(l.MaybeRef())
	if !ok[0] || !ok[1] {
		l.Failf("members that are no dictionary of addresses")
	}
	return chain.OrderAction{
		BodyType: "multisig_update_params", Body: encode(u), Addresses: append(u.NewSigners[:len(u.NewSigners):len(u.NewSigners)], u.NewProposers...),
	}
}

// encode prints one of our own structs, which cannot fail.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Errorf("body of an order: %w", err)) //nolint:forbidigo // our own structs always print
	}
	return b
}
