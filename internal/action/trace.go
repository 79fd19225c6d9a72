package action

import (
	"cmp"
	"math/big"
	"slices"

	"tonql/internal/chain"
)

// MaxTransactions is the maximum number of transactions of a classified trace.
const MaxTransactions = 4000

// Trace is a complete tree of transactions, in any order.
type Trace struct {
	ID               chain.Hash  // of the root transaction
	ExternalHash     *chain.Hash // of the root's incoming message, whatever its kind; nil for a tick or tock
	ExternalHashNorm *chain.Hash
	McSeqnoEnd       uint32
	EndLT            uint64
	EndUtime         uint32
	Transactions     []*Transaction
}

// Transaction has the fields of a transaction that classification needs.
type Transaction struct {
	Hash       chain.Hash
	Account    chain.Address
	LT         uint64
	Now        uint32
	McSeqno    uint32
	OrigStatus string // active, uninit, frozen or nonexist
	EndStatus  string
	Aborted    bool
	Skipped    bool // no compute phase
	NoGas      bool // the compute phase was skipped for lack of gas
	TickTock   bool
	ExitCode   int32
	In         *Message // nil for a tick or tock
	Out        []*Message
}

// Message is a message, shared by its sender and its receiver.
type Message struct {
	Hash        chain.Hash
	Source      *chain.Address // nil: external-in
	Destination *chain.Address // nil: a log
	Value       *big.Int       // nanotons; nil when external
	Extra       map[string]*big.Int
	CreatedLT   *uint64 // nil when external-in
	CreatedAt   *uint32
	Opcode      *uint32 // nil when the body is shorter than 32 bits
	Bounce      bool
	Bounced     bool
	Body        Content
	Init        Content
}

// deploys reports whether the transaction deployed a contract on the account.
func (t *Transaction) deploys() bool {
	return t.EndStatus == "active" && t.OrigStatus != "active" && t.OrigStatus != "frozen"
}

// root returns the root transaction: the one whose hash is the trace id, otherwise the first.
func (t *Trace) root() *Transaction {
	for _, tx := range t.Transactions {
		if tx.Hash == t.ID {
			return tx
		}
	}
	return t.Transactions[0]
}

// grow builds the tree of basic blocks. It does not recurse, because the depth of a trace is untrusted.
func grow(t *Trace) (*Block, error) {
	if len(t.Transactions) == 0 || len(t.Transactions) > MaxTransactions {
		return nil, chain.Invalidf("a trace has %d transactions, want 1 to %d", len(t.Transactions), MaxTransactions)
	}
	first := t.root()
	receiver := make(map[chain.Hash]*Transaction, len(t.Transactions))
	for _, tx := range t.Transactions {
		if tx.In != nil && tx != first {
			receiver[tx.In.Hash] = tx
		}
	}
	root := basic(first.In, first, nil)
	todo := []*Block{root}
	for len(todo) > 0 {
		b := todo[0]
		todo = todo[1:]
		out := slices.Clone(b.Tx.Out)
		slices.SortStableFunc(out, func(a, b *Message) int { return cmp.Compare(created(a), created(b)) })
		for _, m := range out {
			if m.Destination == nil {
				b.adopt(basic(m, nil, b.Tx))
				continue
			}
			tx := receiver[m.Hash]
			if tx == nil {
				return nil, chain.Invalidf("message %s has no receiving transaction in the trace", m.Hash)
			}
			delete(receiver, m.Hash) // a message has one receiver; another one would make a cycle
			next := basic(tx.In, tx, b.Tx)
			b.adopt(next)
			todo = append(todo, next)
		}
	}
	return root, nil
}

func created(m *Message) uint64 {
	if m == nil || m.CreatedLT == nil {
		return 0
	}
	return *m.CreatedLT
}
