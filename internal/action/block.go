package action

import (
	"cmp"
	"slices"

	"tonql/internal/chain"
)

// Internal names of basic blocks; they are part of ids.
const (
	typeTonTransfer    = "ton_transfer"
	typeCallContract   = "call_contract"
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

	sender  *Transaction // that sent Msg; nil at the root
	prev    *Block
	next    []*Block
	parts   []*Block // merged into this one, in the order of the tree; nil for a basic block
	within  *Block   // that this one was merged into; nil while it stands in the tree
	deploy  bool     // a basic block that deployed its account
	columns Columns
	success bool
	also    []chain.Address // accounts that belong to it beyond those of its transactions
}

func basic(m *Message, tx, sender *Transaction) *Block {
	b := &Block{Type: typeCallContract, Msg: m, Tx: tx, sender: sender}
	switch {
	case tx != nil && tx.TickTock:
		b.Type = typeTickTock
	case m != nil && m.Source != nil && m.Destination != nil && isPlain(m):
		b.Type = typeTonTransfer
	}
	b.Kind = b.Type
	// A log counts with the transaction that wrote it.
	b.deploy = tx != nil && tx.deploys() || tx == nil && sender != nil && sender.deploys()
	return b
}

// isPlain says that a message carries nothing but coins and perhaps a comment.
func isPlain(m *Message) bool {
	return m.Opcode == nil || *m.Opcode == 0 || *m.Opcode == opEncryptedComment
}

func (b *Block) adopt(next *Block) {
	next.prev = b
	b.next = append(b.next, next)
}

func (b *Block) isBasic() bool { return b.parts == nil }
func (b *Block) isFirst() bool { return b.prev == nil || b.prev.Type == typeTop }
func (b *Block) isLog() bool   { return b.Tx == nil }
func (b *Block) aborted() bool { return b != nil && b.Tx != nil && b.Tx.Aborted }

// refused says that a request was not accepted: its transaction aborted, or it failed as the action it is.
func refused(b *Block) bool {
	if b.isBasic() {
		return b.aborted()
	}
	return !b.success
}

// calls says that the block is one message with this opcode to a contract.
func (b *Block) calls(op uint32) bool {
	return b.isBasic() && !b.isLog() && b.Msg != nil && b.Msg.Opcode != nil && *b.Msg.Opcode == op
}

// basics are the messages of the block: itself, or those of its parts.
func (b *Block) basics() []*Block {
	if b.isBasic() {
		return []*Block{b}
	}
	var all []*Block
	for _, p := range b.parts {
		all = append(all, p.basics()...)
	}
	return all
}

// breadthFirst lists the tree below b.
func breadthFirst(b *Block) []*Block {
	all := []*Block{b}
	for i := 0; i < len(all); i++ {
		all = append(all, all[i].next...)
	}
	return all
}

// merge replaces parts, which hang together, by one block in the tree.
func merge(parts []*Block) *Block {
	b := &Block{parts: parts}
	for _, p := range parts {
		p.within = b
	}
	for _, p := range parts {
		if p.prev != nil && p.prev.within != b {
			if i := slices.Index(p.prev.next, p); i >= 0 && b.prev == nil {
				b.prev, b.sender = p.prev, p.sender
				p.prev.next[i] = b
			} else if i >= 0 {
				p.prev.next = slices.Delete(p.prev.next, i, i+1)
			}
		}
		for _, n := range p.next {
			if n.within != b {
				n.prev = b
				b.next = append(b.next, n)
			}
		}
	}
	slices.SortStableFunc(b.next, compareCreated)
	return b
}

// compareCreated orders blocks by when their messages were created.
func compareCreated(x, y *Block) int { return cmp.Compare(created(x.Msg), created(y.Msg)) }
