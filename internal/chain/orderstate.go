package chain

// OrderState is the step of its life that an order of a multisig wallet is in.
type OrderState uint8

// The states.
const (
	OrderUninitialized OrderState = iota // it has no list of actions yet
	OrderOpen                            // it collects approvals
	OrderExpired                         // its time passed before it had enough approvals
	OrderSent                            // the index does not hold the wallet's transaction that executes it
	OrderExecuted                        // the wallet executed it
	OrderFailed                          // the wallet refused it, or its actions failed
)

// OpOrderExecute is the opcode of the message by which an order requests its execution (multisig v2).
const OpOrderExecute = 0x75097f5d

// OrderKey names an order and the multisig wallet it belongs to.
type OrderKey struct {
	Order    Address
	Multisig Address
}

// OrderExecution is the transaction of a multisig wallet that an order's message to it caused.
type OrderExecution struct {
	OrderKey
	Aborted bool
}

// State follows from what the order says, its execution (nil: none is indexed) and the time of the newest block. An order
// can be executed up to and including the second it expires in.
func (o *MultisigOrder) State(execution *OrderExecution, now uint32) OrderState {
	switch {
	case o.SentForExecution == nil || o.Expiration == nil:
		return OrderUninitialized
	case *o.SentForExecution && execution == nil:
		return OrderSent
	case *o.SentForExecution && execution.Aborted:
		return OrderFailed
	case *o.SentForExecution:
		return OrderExecuted
	case *o.Expiration < int64(now):
		return OrderExpired
	default:
		return OrderOpen
	}
}

// Key names the order and its wallet.
func (o *MultisigOrder) Key() OrderKey { return OrderKey{Order: o.Address, Multisig: o.Multisig} }
