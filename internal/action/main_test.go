package action_test

import (
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	_ "tonql/internal/action/all"
	"tonql/internal/chain"
)

// account returns one of a few accounts in the hand-built traces.
func account(n byte) chain.Address { return chain.Address{ID: chain.Hash{n}} }

func std(n byte) *address.Address {
	id := chain.Hash{n}
	return address.NewAddress(0, 0, id[:])
}

// builder builds a trace in which every message is received at once.
type builder struct {
	trace *action.Trace
	lt    uint64
}

// external starts a trace with an external message to an account.
func external(to byte) (*builder, *action.Transaction) {
	b := &builder{trace: &action.Trace{McSeqnoEnd: 7}, lt: 100}
	tx := b.receive(&action.Message{Destination: new(account(to)), Body: action.Parsed(cell.BeginCell().EndCell())})
	b.trace.ID = tx.Hash
	return b, tx
}

// send adds a message that from sends, and returns the transaction that received it.
func (b *builder) send(from *action.Transaction, to byte, value int64, body *cell.Cell) *action.Transaction {
	b.lt++
	m := &action.Message{
		Source: new(from.Account), Destination: new(account(to)), Value: big.NewInt(value), CreatedLT: new(b.lt),
		CreatedAt: new(uint32(1000)), Body: action.Parsed(body), Bounce: true,
	}
	if s, err := body.BeginParse(); err == nil && s.BitsLeft() >= 32 {
		if op, err := s.LoadUInt(32); err == nil {
			m.Opcode = new(uint32(op))
		}
	}
	from.Out = append(from.Out, m)
	return b.receive(m)
}

func (b *builder) receive(m *action.Message) *action.Transaction {
	b.lt++
	m.Hash = chain.Hash{0xee, byte(b.lt >> 8), byte(b.lt)}
	tx := &action.Transaction{
		Hash: chain.Hash{0xaa, byte(b.lt >> 8), byte(b.lt)}, Account: *m.Destination, LT: b.lt, Now: 1000, McSeqno: 7,
		OrigStatus: "active", EndStatus: "active", In: m,
	}
	b.trace.EndLT, b.trace.EndUtime = b.lt, 1000
	b.trace.Transactions = append(b.trace.Transactions, tx)
	return tx
}

// records implements [action.Records] with maps.
type records struct {
	wallets  map[chain.Address]*action.JettonWallet
	items    map[chain.Address]*action.NFTItem
	sales    map[chain.Address]*action.NFTSale
	auctions map[chain.Address]*action.NFTAuction
	orders   map[chain.Address]*action.MultisigOrder
	pools    map[chain.Address]*action.DedustPool
}

func (r records) JettonWallet(a chain.Address) *action.JettonWallet   { return r.wallets[a] }
func (r records) NFTItem(a chain.Address) *action.NFTItem             { return r.items[a] }
func (r records) NFTSale(a chain.Address) *action.NFTSale             { return r.sales[a] }
func (r records) NFTAuction(a chain.Address) *action.NFTAuction       { return r.auctions[a] }
func (r records) MultisigOrder(a chain.Address) *action.MultisigOrder { return r.orders[a] }
func (r records) NominatorPool(chain.Address) bool                    { return false }
func (r records) JVaultPool(chain.Address) *chain.Address             { return nil }
func (r records) JVaultLockWallet(chain.Address) *chain.Address       { return nil }
func (r records) DedustPool(a chain.Address) *action.DedustPool       { return r.pools[a] }
