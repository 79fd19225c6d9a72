package action

import (
	"cmp"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Internal types of basic blocks. They are part of ids.
const (
	TypeTonTransfer    = "ton_transfer"
	TypeCallContract   = "call_contract"
	typeContractDeploy = "contract_deploy"
	typeTickTock       = "tick_tock"
	typeUnknown        = "unknown"
)

// typeTop is the type of the block above the root of a trace. It allows to replace the root like any other block.
const typeTop = "top"

// Block is a message with the transaction that received it, or several blocks that a kind has merged into one.
type Block struct {
	Type string   // the internal type, a part of ids
	Kind string   // the public type
	Msg  *Message // of the block at which the pattern starts; nil for a tick or tock
	Tx   *Transaction

	Sender   *Transaction // sender of Msg; nil at the root
	Prev     *Block
	Next     []*Block
	Parts    []*Block // blocks merged into this one, in the order of the tree; nil for a basic block
	within   *Block   // the block that this one was merged into; nil while it is in the tree
	signed   *uint32  // see signedOpcode; nil before it is read
	Deployed bool     // the transaction of a basic block deployed its account
	Columns  Columns
	Success  bool
	also     []chain.Address // additional accounts, besides those of its transactions
	alone    bool            // without the transaction that sent the first message
}

func basic(m *Message, tx, sender *Transaction) *Block {
	b := &Block{Type: TypeCallContract, Msg: m, Tx: tx, Sender: sender}
	switch {
	case tx != nil && tx.TickTock:
		b.Type = typeTickTock
	case m != nil && m.Source != nil && m.Destination != nil && isPlain(m):
		b.Type = TypeTonTransfer
	}
	b.Kind = b.Type
	// A log belongs to the transaction that wrote it.
	b.Deployed = tx != nil && tx.deploys() || tx == nil && sender != nil && sender.deploys()
	return b
}

// isPlain reports whether a message has nothing but coins and an optional comment.
func isPlain(m *Message) bool {
	return m.Opcode == nil || *m.Opcode == 0 || *m.Opcode == opEncryptedComment
}

func (b *Block) adopt(next *Block) {
	next.Prev = b
	b.Next = append(b.Next, next)
}

// IsBasic reports whether the block is a single message, not a merged block.
func (b *Block) IsBasic() bool { return b.Parts == nil }

// IsFirst reports whether the block is the first of its trace.
func (b *Block) IsFirst() bool { return b.Prev == nil || b.Prev.Type == typeTop }

// IsLog reports whether the block is an external outgoing message.
func (b *Block) IsLog() bool { return b.Tx == nil }

// Aborted reports whether the transaction of the block aborted. It is false for a nil block and for a log.
func (b *Block) Aborted() bool { return b != nil && b.Tx != nil && b.Tx.Aborted }

// Refused reports whether a request was rejected: its transaction aborted, or its action failed.
func Refused(b *Block) bool {
	if b.IsBasic() {
		return b.Aborted()
	}
	return !b.Success
}

// Calls reports whether the block is one message with this opcode to a contract.
func (b *Block) Calls(op uint32) bool {
	return b.IsBasic() && !b.IsLog() && b.Msg != nil && b.Msg.Opcode != nil && *b.Msg.Opcode == op
}

// Bounced reports whether the block is one bounced message. In the old form the opcode suffices, because contracts also return
// coins with such a body of their own. The new form needs the flag of the message: its body only comes from the protocol.
func (b *Block) Bounced() bool {
	return b.Calls(contract.OpBounce) || b.Calls(contract.OpNewBounce) && b.Msg.Bounced
}

// basics returns the messages of the block: the block itself, or those of its parts.
func (b *Block) basics() []*Block {
	if b.IsBasic() {
		return []*Block{b}
	}
	var all []*Block
	for _, p := range b.Parts {
		all = append(all, p.basics()...)
	}
	return all
}

// breadthFirst returns b and the tree below it.
func breadthFirst(b *Block) []*Block {
	all := []*Block{b}
	for i := 0; i < len(all); i++ {
		all = append(all, all[i].Next...)
	}
	return all
}

// merge replaces connected parts by one block in the tree.
func merge(parts []*Block) *Block {
	b := &Block{Parts: parts}
	for _, p := range parts {
		p.within = b
	}
	for _, p := range parts {
		if p.Prev != nil && p.Prev.within != b {
			if i := slices.Index(p.Prev.Next, p); i >= 0 && b.Prev == nil {
				b.Prev, b.Sender = p.Prev, p.Sender
				p.Prev.Next[i] = b
			} else if i >= 0 {
				p.Prev.Next = slices.Delete(p.Prev.Next, i, i+1)
			}
		}
		for _, n := range p.Next {
			if n.within != b {
				n.Prev = b
				b.Next = append(b.Next, n)
			}
		}
	}
	slices.SortStableFunc(b.Next, CompareCreated)
	return b
}

// CompareCreated orders blocks by the logical time of their messages.
func CompareCreated(x, y *Block) int { return cmp.Compare(created(x.Msg), created(y.Msg)) }
