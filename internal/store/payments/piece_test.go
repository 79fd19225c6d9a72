package payments_test

import (
	"encoding/json"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// story applies masterchain blocks whose transactions send messages across blocks.
type story struct {
	t     *testing.T
	db    *store.DB
	seqno uint32
	mb    *chain.MasterBlock
	// begun are the transactions of the block with their messages, which end adds.
	begun []*chain.Transaction
	sent  []*chain.Message
}

func newStory(t *testing.T, db *store.DB) *story {
	t.Helper()
	s := &story{t: t, db: db}
	s.next()
	return s
}

func (s *story) next() {
	s.seqno++
	s.mb, s.begun, s.sent = testdb.Master(s.seqno), nil, nil
}

// end applies the block and begins the next one.
func (s *story) end() {
	s.t.Helper()
	for _, tx := range s.begun {
		testdb.AddTransaction(s.mb, tx)
	}
	for _, m := range s.sent {
		s.mb.Messages = append(s.mb.Messages, *m)
	}
	require.NoError(s.t, s.db.Writer().Apply(s.t.Context(), s.mb))
	s.next()
}

func (s *story) begin(account chain.Address) *chain.Transaction {
	tx := testdb.NewTransaction(s.mb, account)
	tx.LT = s.mb.Block.StartLT + uint64(len(s.begun)+1)*100
	s.begun = append(s.begun, &tx)
	return &tx
}

// external begins a trace: a wallet receives a message from outside.
func (s *story) external(wallet chain.Address) *chain.Transaction {
	tx := s.begin(wallet)
	m := testdb.NewMessage(s.mb, wallet, wallet)
	m.Kind, m.Source, m.Value, m.CreatedLT, m.CreatedAt, m.Bounce, m.Bounced = chain.ExternalIn, nil, nil, nil, nil, nil, nil
	m.FwdFee, m.IHRFee, m.IHRDisabled = nil, nil, nil
	m.Key = chain.MessageKey{Account: wallet, LT: tx.LT}
	testdb.Receive(tx, &m)
	s.sent = append(s.sent, &m)
	return tx
}

// send lets a transaction of this block send a message.
func (s *story) send(tx *chain.Transaction, to chain.Address, value chain.Coins, body *cell.Cell) *chain.Message {
	m := testdb.NewSent(s.mb, tx, to)
	m.Value, m.Body, m.BodyHash = &value, body.ToBOC(), chain.Hash(body.HashKey())
	if l, err := body.BeginParse(); err == nil && l.BitsLeft() >= 32 {
		m.Opcode = new(uint32(l.MustLoadUInt(32)))
	}
	s.sent = append(s.sent, &m)
	return &m
}

// receive lets the destination receive a message of this block or an earlier one.
func (s *story) receive(m *chain.Message) *chain.Transaction {
	tx := s.begin(*m.Destination)
	if m.Key.LT < s.mb.Block.StartLT { // the other half of the message
		half := *m
		half.SentBy = nil
		m = &half
		s.sent = append(s.sent, m)
	}
	testdb.Receive(tx, m)
	return tx
}

// wide lets a transaction send messages to n accounts, which receive them: more than fit in memory.
func (s *story) wide(tx *chain.Transaction, n int) {
	var list []*chain.Message
	for range n {
		list = append(list, s.send(tx, testdb.Address(), 1, cell.BeginCell().EndCell()))
	}
	for _, m := range list {
		s.receive(m)
	}
}

func comment(text string) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0, 32).MustStoreStringSnake(text).EndCell()
}

func (s *shop) status(reference string) payment.Status {
	s.t.Helper()
	r, err := s.p.Payment(s.t.Context(), reference)
	require.NoError(s.t, err)
	return r.Status
}

// A payment is final with its block. Whoever received another message of the trace, such as another customer of an exchange that pays many at
// once, can neither delay it by messages to oneself for ever, nor hide it in a trace that is too large.
func TestSettle_RestOfTheTraceDelaysNoPayment(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"in memory": 0, "too large for the memory": 300, "too large to be read": chain.MaxTraceTransactions + 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := testdb.New(t)
			s, c, hostile := newShop(t, db, "shop"), newStory(t, db), testdb.Address()
			first, second := s.open(1000), s.open(1000)
			exchange := c.external(testdb.Address())
			c.wide(exchange, size)
			c.receive(c.send(exchange, first.Recipient, 1000, comment(first.Reference)))
			loop := c.send(exchange, hostile, 1, comment("x"))
			late := c.send(exchange, testdb.Address(), 2000, comment("pay on"))
			c.end()
			require.Equal(t, payment.Success, s.status(first.Reference))
			require.Len(t, s.deliveries(), 1)
			for range 3 { // the trace stays open
				loop = c.send(c.receive(loop), hostile, 1, comment("x"))
				c.end()
			}
			loop = c.send(c.receive(loop), hostile, 1, comment("x"))
			c.receive(c.send(c.receive(late), second.Recipient, 1000, comment(second.Reference)))
			c.end()
			require.Equal(t, payment.Success, s.status(second.Reference))
			c.receive(loop) // the trace is complete: nothing counts twice
			c.end()
			require.Len(t, s.deliveries(), 2)
			for _, tr := range []*payment.Transfer{first, second} {
				r, err := s.p.Payment(t.Context(), tr.Reference)
				require.NoError(t, err)
				require.Equal(t, payment.Success, r.Status)
				require.Nil(t, r.Further)
				require.Equal(t, exchange.Hash, *r.TraceID)
			}
		})
	}
}

func wire(a chain.Address) *address.Address { return address.NewAddress(0, byte(a.Workchain), a.ID[:]) }

// ofJettons are the messages of a transfer of Jettons, each of which is received in another block.
type ofJettons struct {
	from, to             chain.Address
	fromWallet, toWallet chain.Address
	order                *cell.Cell
	amount               int64
	payload              *cell.Cell
}

func (j *ofJettons) message(op uint64, rest func(*cell.Builder)) *cell.Cell {
	b := cell.BeginCell().MustStoreUInt(op, 32).MustStoreUInt(7, 64).MustStoreCoins(uint64(j.amount)).MustStoreAddr(wire(j.from))
	rest(b)
	return b.MustStoreBoolBit(true).MustStoreRef(j.payload).EndCell()
}

// transfer applies the transfer, one block for each transaction; check is called after each.
func (j *ofJettons) transfer(c *story, size int, check func(block int)) {
	wallet := c.external(j.from)
	c.wide(wallet, size)
	m := c.send(wallet, j.fromWallet, 1e8, j.order)
	c.end()
	check(0)
	m = c.send(c.receive(m), j.toWallet, 5e7, j.message(jetton.OpInternalTransfer, func(b *cell.Builder) { b.MustStoreUInt(0, 2).MustStoreCoins(1) }))
	c.end()
	check(1)
	m = c.send(c.receive(m), j.to, 1, j.message(jetton.OpTransferNotification, func(*cell.Builder) {}))
	c.end()
	check(2)
	c.receive(m)
	c.end()
	check(3)
}

// The transactions of a transfer of Jettons are in different blocks, as on a chain with many shards. It is recognised by its body with the
// block that notifies the recipient, and so is its refund.
func TestSettle_JettonsAcrossBlocks(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"in memory": 0, "too large for the memory": 300} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := testdb.New(t)
			s, c, master := newShop(t, db, "shop"), newStory(t, db), testdb.Address()
			tr := &payment.Transfer{
				Asset: payment.Asset{Master: &master, Ticker: "TST", Decimals: 6}, Amount: big.NewInt(1000), Sender: testdb.Address(), Recipient: testdb.Address(),
				Wallets: &payment.Wallets{Sender: testdb.Address(), Recipient: testdb.Address()}, CommentToRecipient: "Order 7",
				SenderText: "from", RecipientText: "to", AssetText: "TST", CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
			}
			message, err := payment.Prepare(tr)
			require.NoError(t, err)
			require.NoError(t, s.p.RegisterPayment(t.Context(), s.ID, tr))
			order, err := jetton.ParseTransfer(message.Body)
			require.NoError(t, err)
			pay := &ofJettons{
				from: tr.Sender, to: tr.Recipient, fromWallet: tr.Wallets.Sender, toWallet: tr.Wallets.Recipient, order: message.Body, amount: 1000, payload: order.ForwardPayload,
			}
			pay.transfer(c, size, func(block int) {
				want := payment.Pending
				if block == 3 {
					want = payment.Success
				}
				require.Equal(t, want, s.status(tr.Reference), block)
			})
			r, err := s.p.Payment(t.Context(), tr.Reference)
			require.NoError(t, err)
			require.Equal(t, payment.ByBody, r.By)
			require.Equal(t, "Order 7", r.Shown(false).CommentToRecipient)

			back := &ofJettons{
				from: tr.Recipient, to: tr.Sender, fromWallet: tr.Wallets.Recipient, toWallet: tr.Wallets.Sender, amount: 400, payload: comment(tr.Reference),
				order: cell.BeginCell().MustStoreUInt(jetton.OpTransfer, 32).MustStoreUInt(7, 64).MustStoreCoins(400).MustStoreAddr(wire(tr.Sender)).MustStoreUInt(0, 2).
					MustStoreBoolBit(false).MustStoreCoins(1).MustStoreBoolBit(true).MustStoreRef(comment(tr.Reference)).EndCell(),
			}
			back.transfer(c, size, func(int) {})
			refunds, err := s.p.Refunds(t.Context(), tr.Reference)
			require.NoError(t, err)
			require.Len(t, refunds, 1)
			require.Equal(t, int64(400), refunds[0].Amount.Int64())
		})
	}
}

// A transfer whose payload was replaced is found by the query id that was drawn for it, with its sender.
func TestSettle_JettonsByQueryID(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, c, master := newShop(t, db, "shop"), newStory(t, db), testdb.Address()
	var registered []*payment.Transfer
	for range 3 {
		tr := &payment.Transfer{
			Asset: payment.Asset{Master: &master, Ticker: "TST", Decimals: 6}, Amount: big.NewInt(1000), Sender: testdb.Address(), Recipient: testdb.Address(),
			Wallets:    &payment.Wallets{Sender: testdb.Address(), Recipient: testdb.Address()},
			SenderText: "from", RecipientText: "to", AssetText: "TST", CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
		}
		_, err := payment.Prepare(tr)
		require.NoError(t, err)
		require.NoError(t, s.p.RegisterPayment(t.Context(), s.ID, tr))
		registered = append(registered, tr)
	}
	credit := func(queryID uint64, tr *payment.Transfer) {
		body := func(op uint64) *cell.Builder {
			return cell.BeginCell().MustStoreUInt(op, 32).MustStoreUInt(queryID, 64).MustStoreCoins(1000).MustStoreAddr(wire(tr.Sender))
		}
		wallet := c.receive(c.send(c.external(tr.Sender), tr.Wallets.Sender, 1e8, cell.BeginCell().MustStoreUInt(jetton.OpTransfer, 32).MustStoreUInt(queryID, 64).
			MustStoreCoins(1000).MustStoreAddr(wire(tr.Recipient)).MustStoreUInt(0, 2).MustStoreBoolBit(false).MustStoreCoins(1).MustStoreBoolBit(false).EndCell()))
		credited := c.receive(c.send(wallet, tr.Wallets.Recipient, 5e7,
			body(jetton.OpInternalTransfer).MustStoreUInt(0, 2).MustStoreCoins(1).MustStoreBoolBit(false).EndCell()))
		c.receive(c.send(credited, tr.Recipient, 1, body(jetton.OpTransferNotification).MustStoreBoolBit(false).EndCell()))
		c.end()
	}
	credit(registered[1].QueryID, registered[0])
	credit(7, registered[0])
	require.Empty(t, s.deliveries(), "the query id of another transfer, and one that was counted")
	credit(registered[1].QueryID, registered[1])
	require.Equal(t, payment.Pending, s.status(registered[0].Reference))
	require.Equal(t, payment.Success, s.status(registered[1].Reference))
	require.Equal(t, payment.Pending, s.status(registered[2].Reference))
	r, err := s.p.Payment(t.Context(), registered[1].Reference)
	require.NoError(t, err)
	require.Equal(t, payment.ByQuery, r.By)
	require.Equal(t, master, *r.Asset.Master, "a Jetton is stored with its master")
}

// Without a reference, the exact amount refunds the newest payment of the two wallets, also within one block, and each payment once.
func TestSettle_RefundsOfOneBlockAreOfDistinctPayments(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, c, buyer := newShop(t, db, "shop"), newStory(t, db), testdb.Address()
	var paid []*payment.Transfer
	for range 6 {
		paid = append(paid, s.open(1000))
	}
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err := handle.ExecContext(t.Context(), `UPDATE payments SET recipient = (SELECT recipient FROM payments WHERE reference = $1)`, paid[0].Reference)
	require.NoError(t, err)
	shop := paid[0].Recipient
	for _, tr := range paid {
		c.receive(c.send(c.external(buyer), shop, 1000, comment(tr.Reference)))
		c.end()
	}
	counts := func() (list []int) {
		for _, tr := range paid {
			refunds, err := s.p.Refunds(t.Context(), tr.Reference)
			require.NoError(t, err)
			list = append(list, len(refunds))
		}
		return list
	}
	c.receive(c.send(c.external(shop), buyer, 1000, cell.BeginCell().EndCell()))
	c.end()
	require.Equal(t, []int{0, 0, 0, 0, 0, 1}, counts())
	for range 2 { // two traces of one block
		c.receive(c.send(c.external(shop), buyer, 1000, cell.BeginCell().EndCell()))
	}
	c.end()
	require.Equal(t, []int{0, 0, 0, 1, 1, 1}, counts())
}

// Without a reference, the 20 newest payments between two wallets are refunded; older ones are with it.
func TestSettle_OldPaymentsAreRefundedWithTheReference(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, c, buyer := newShop(t, db, "shop"), newStory(t, db), testdb.Address()
	var paid []*payment.Transfer
	for i := range 21 {
		paid = append(paid, s.open(1000+int64(i)))
	}
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err := handle.ExecContext(t.Context(), `UPDATE payments SET recipient = (SELECT recipient FROM payments WHERE reference = $1)`, paid[0].Reference)
	require.NoError(t, err)
	shop := paid[0].Recipient
	for i, tr := range paid {
		c.receive(c.send(c.external(buyer), shop, chain.Coins(1000+i), comment(tr.Reference)))
	}
	c.end()
	refunds := func(of *payment.Transfer) int {
		list, err := s.p.Refunds(t.Context(), of.Reference)
		require.NoError(t, err)
		return len(list)
	}
	for i := range 2 {
		c.receive(c.send(c.external(shop), buyer, chain.Coins(1000+i), cell.BeginCell().EndCell()))
		c.end()
	}
	require.Equal(t, []int{0, 1}, []int{refunds(paid[0]), refunds(paid[1])})
	c.receive(c.send(c.external(shop), buyer, 1000, comment(paid[0].Reference)))
	c.end()
	require.Equal(t, 1, refunds(paid[0]))
}

// A payment that failed is found again when its trace continues, and counts once.
func TestSettle_FailureOfATraceThatContinuesCountsOnce(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, c := newShop(t, db, "shop"), newStory(t, db)
	tr, m := s.register()
	wallet := c.external(tr.Sender)
	coins, later := c.send(wallet, tr.Recipient, 400, m.Body), c.send(wallet, testdb.Address(), 1, cell.BeginCell().EndCell())
	c.receive(coins)
	c.end()
	require.Equal(t, payment.Failed, s.status(tr.Reference))
	c.receive(later)
	c.end()
	r, err := s.p.Payment(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Equal(t, payment.Amounts{Requested: "0.000001", Received: "0.0000004", Missing: "0.0000006"}, r.Amounts())
	require.Len(t, s.deliveries(), 1)
}

// The fees that a wallet deducted from what it was requested to send are stored with the payment that is too small for them.
func TestSettle_DeductedFeesAreStored(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, c := newShop(t, db, "shop"), newStory(t, db)
	tr, m := s.register()
	order := cell.BeginCell().MustStoreUInt(0, 6).MustStoreAddr(address.NewAddress(0, 0, tr.Recipient.ID[:])).MustStoreCoins(1000).MustStoreBoolBit(false).
		MustStoreCoins(0).MustStoreCoins(0).MustStoreUInt(0, 96).MustStoreBoolBit(false).MustStoreBoolBit(true).MustStoreRef(m.Body).EndCell()
	wallet := c.external(tr.Sender)
	c.sent[0].Body = cell.BeginCell().MustStoreSlice(make([]byte, 64), 512).MustStoreUInt(0, 8).MustStoreRef(order).EndCell().ToBOC()
	coins := c.send(wallet, tr.Recipient, 970, m.Body)
	coins.FwdFee = new(chain.Coins(20)) // two thirds of the fee
	c.receive(coins)
	c.end()
	r, err := s.p.Payment(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Equal(t, payment.Failed, r.Status)
	require.Equal(t, payment.Amounts{Requested: "0.000001", Received: "0.00000097", Missing: "0.00000003", Deducted: "0.00000003"}, r.Amounts())
}

// A block may have a payment and its refund, whose event describes the payment.
func TestSettle_RefundInTheBlockOfItsPayment(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, c, buyer := newShop(t, db, "shop"), newStory(t, db), testdb.Address()
	require.NoError(t, s.p.SetEventTypes(t.Context(), s.ID, s.to, []payment.Status{payment.Refunded}))
	tr := s.open(1000)
	c.receive(c.send(c.external(buyer), tr.Recipient, 1000, comment("thanks "+tr.Reference)))
	c.receive(c.send(c.external(tr.Recipient), buyer, 400, comment("back "+tr.Reference)))
	c.end()
	list := s.deliveries()
	require.Len(t, list, 1)
	var body struct {
		Event string
		Data  struct{ RawAmount, Status, Reference, CommentToRecipient string }
	}
	require.NoError(t, json.Unmarshal(list[0].Body, &body))
	require.Equal(t, "transfer.refunded", body.Event)
	require.Equal(t, "400", body.Data.RawAmount)
	require.Equal(t, tr.Reference, body.Data.Reference)
	require.Equal(t, "thanks "+tr.Reference, body.Data.CommentToRecipient)
}

// What bounced has arrived nowhere, so it is no surplus, before the payment or after it.
func TestSettle_BouncedPaymentIsNoSurplus(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, c := newShop(t, db, "shop"), newStory(t, db)
	tr, m := s.register()
	bounce := func() {
		tx := c.receive(c.send(c.external(tr.Sender), tr.Recipient, 1000, m.Body))
		back := c.send(tx, tr.Sender, 900, cell.BeginCell().MustStoreUInt(0xffffffff, 32).EndCell())
		back.Bounced = new(true)
		c.receive(back)
		c.end()
	}
	bounce()
	require.Equal(t, payment.Failed, s.status(tr.Reference))
	bounce()
	c.receive(c.send(c.external(tr.Sender), tr.Recipient, 1000, m.Body))
	c.end()
	require.Equal(t, payment.Success, s.status(tr.Reference))
	bounce()
	surplus, err := s.p.Surplus(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Empty(t, surplus)
}
