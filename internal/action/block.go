package action

import (
	"cmp"
	"slices"

	"tonql/internal/chain"
)

// Internal names of basic blocks; they are part of ids.
const (
	TypeTonTransfer    = "ton_transfer"
	TypeCallContract   = "call_contract"
	typeContractDeploy = "contract_deploy"
	typeTickTock       = "tick_tock"
	typeUnknown        = "unknown"
)

// typeTop is what lies above the root of a trace, so that the root can be replaced like any other block.
const typeTop = "top"

// Block is a message with the transaction that received it, or several of them that a kind has recognised as one thing.
type Block struct {
	Type string   // the internal name, which enters ids
	Kind string   // the public name
	Msg  *Message // of the block the pattern starts at; nil for a tick or tock
	Tx   *Transaction

	Sender   *Transaction // that sent Msg; nil at the root
	Prev     *Block
	Next     []*Block
	Parts    []*Block // merged into this one, in the order of the tree; nil for a basic block
	within   *Block   // that this one was merged into; nil while it stands in the tree
	Deployed bool     // a basic block that deployed its account
	Columns  Columns
	Success  bool
	also     []chain.Address // accounts that belong to it beyond those of its transactions
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
	// A log counts with the transaction that wrote it.
	b.Deployed = tx != nil && tx.deploys() || tx == nil && sender != nil && sender.deploys()
	return b
}

// isPlain says that a message carries nothing but coins and perhaps a comment.
func isPlain(m *Message) bool {
	return m.Opcode == nil || *m.Opcode == 0 || *m.Opcode == opEncryptedComment
}

func (b *Block) adopt(next *Block) {
	next.Prev = b
	b.Next = append(b.Next, next)
}

func (b *Block) IsBasic() bool { return b.Parts == nil }
func (b *Block) IsFirst() bool { return b.Prev == nil || b.Prev.Type == typeTop }
func (b *Block) IsLog() bool   { return b.Tx == nil }
func (b *Block) Aborted() bool { return b != nil && b.Tx != nil && b.Tx.Aborted }

// Refused says that a request was not accepted: its transaction aborted, or it failed as the action it is.
func Refused(b *Block) bool {
	if b.IsBasic() {
		return b.Aborted()
	}
	return !b.Success
}

// Calls says that the block is one message with this opcode to a contract.
func (b *Block) Calls(op uint32) bool {
	return b.IsBasic() && !b.IsLog() && b.Msg != nil && b.Msg.Opcode != nil && *b.Msg.Opcode == op
}

// basics are the messages of the block: itself, or those of its parts.
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

// breadthFirst lists the tree below b.
func breadthFirst(b *Block) []*Block {
	all := []*Block{b}
	for i := 0; i < len(all); i++ {
		all = append(all, all[i].Next...)
	}
	return all
}

// merge replaces parts, which hang together, by one block in the tree.
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

// CompareCreated orders blocks by when their messages were created.
func CompareCreated(x, y *Block) int { return cmp.Compare(created(x.Msg), created(y.Msg)) }
