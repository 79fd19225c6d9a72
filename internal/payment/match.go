package payment

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

func at(unix uint32) time.Time { return time.Unix(int64(unix), 0).UTC() }

// Register is the registered transfers that a trace may pay, looked up by its [MatchKeys].
type Register struct {
	byBody      map[chain.Hash]*Transfer
	byReference map[string]*Transfer
	byQuery     map[Query]*Transfer
}

// NewRegister returns a register of transfers.
func NewRegister(transfers []*Transfer) *Register {
	r := &Register{
		byBody: map[chain.Hash]*Transfer{}, byReference: map[string]*Transfer{}, byQuery: map[Query]*Transfer{},
	}
	for _, t := range transfers {
		r.byBody[t.BodyHash], r.byReference[t.Reference] = t, t
		if t.QueryID >= drawnQueryID {
			r.byQuery[Query{ID: t.QueryID, Sender: t.Sender}] = t
		}
	}
	return r
}

// Recognise returns the outcomes of a trace for registered transfers, ordered by LT. A transfer can have several
// outcomes: paid twice, or failed and then paid. Of a trace that is not complete it returns what is final whatever follows; an outcome
// that depends on a transaction which t lacks is missing.
func (r *Register) Recognise(t *chain.TraceContent) []Outcome {
	v := &visit{register: r, trace: t, senders: sendersOf(t), receivers: map[chain.MessageKey]int{}}
	for i := range t.Transactions {
		if in := t.Transactions[i].In; in != nil {
			v.receivers[in.Key] = i
		}
	}
	for i := range t.Transactions {
		v.transaction(&t.Transactions[i])
	}
	slices.SortStableFunc(v.found, func(a, b Outcome) int { return cmp.Compare(a.LT, b.LT) })
	return v.found
}

// visit matches one trace.
type visit struct {
	register  *Register
	trace     *chain.TraceContent
	senders   map[chain.MessageKey]int // of each message the transaction that sent it
	receivers map[chain.MessageKey]int
	found     []Outcome
}

func (v *visit) transaction(tx *chain.TraceTransaction) {
	if tx.In == nil {
		return
	}
	v.request(tx)
	switch {
	case tx.In.Source == nil || isBounced(tx.In) || tx.In.Opcode == nil:
	case *tx.In.Opcode == jetton.OpTransfer:
		v.ordered(tx)
	case *tx.In.Opcode == jetton.OpInternalTransfer:
		v.credited(tx)
	default:
		v.native(tx)
	}
}

// start returns an outcome of a transfer, decided by a transaction.
func (v *visit) start(t *Transfer, by Match, sender chain.Address, amount *big.Int, tx *chain.TraceTransaction) Outcome {
	return Outcome{
		Transfer: t, Status: Success, By: by, Sender: sender, OtherSender: sender != t.Sender, Amount: amount,
		Received: amount,
		TraceID:  v.trace.ID, TxHash: tx.Hash, LT: tx.LT, Now: tx.Now,
	}
}

// keep records an outcome, unless it is a failure that was not caused by the registered sender. Without a registered sender, whoever
// names the reference is the sender.
func (v *visit) keep(f Outcome) {
	if f.Status == Success && f.Amount.Cmp(f.Transfer.Amount) < 0 {
		f.tooLittle()
	}
	if f.Status == Failed && f.OtherSender && !f.Transfer.IsOpen() {
		return
	}
	v.found = append(v.found, f)
}

// named returns the transfer whose reference a payload contains.
func (r *Register) named(payload *cell.Cell) (*Transfer, Match) {
	t := r.byReference[named(payload)]
	if t == nil {
		return nil, NoMatch
	}
	if l := contract.Load(payload); l.Uint(32) == opInvoice {
		return t, ByInvoice
	}
	return t, ByComment
}

// native matches native coins that reached the recipient.
func (v *visit) native(tx *chain.TraceTransaction) {
	m := tx.In
	body := parse(m.BodyBOC())
	t, by := v.register.byBody[m.BodyHash], ByBody
	if t == nil {
		t, by = v.register.named(body)
	}
	if t == nil || t.Wallets != nil || t.Recipient != tx.Account || m.Value == nil {
		return
	}
	f := v.start(t, by, *m.Source, new(big.Int).SetUint64(uint64(*m.Value)), tx)
	f.Comment = comment(body)
	if v.wasReturned(tx) {
		f.failed(tx, bounced)
	} else if f.Amount.Cmp(t.Amount) < 0 {
		f.Deducted = v.deducted(m)
	}
	v.keep(f)
}

// deducted is what a wallet took from the value of a message that it was requested to send, nil for nothing. The modes of
// sending without 1 pay the forward fee out of the value. Both must agree: the signed request, and the part
// of the fee that the message still carries, which is two thirds of it.
func (v *visit) deducted(m *chain.Message) *big.Int {
	tx := v.sender(m)
	if tx == nil || tx.In == nil || m.FwdFee == nil {
		return nil
	}
	value, rest := new(big.Int).SetUint64(uint64(*m.Value)), new(big.Int).SetUint64(uint64(*m.FwdFee))
	for _, a := range requestedMessages(requestOf(tx), tx.Account) {
		if a.to != *m.Destination || a.body != m.BodyHash {
			continue
		}
		fee := new(big.Int).Sub(a.value, value)
		if fee.Sign() > 0 && fee.Cmp(rest) >= 0 && fee.Cmp(new(big.Int).Lsh(rest, 1)) <= 0 {
			return fee
		}
	}
	return nil
}

// wasReturned reports whether a transaction bounced its in-message.
func (v *visit) wasReturned(tx *chain.TraceTransaction) bool {
	return slices.ContainsFunc(tx.Out, isBounced)
}

// credit is the message by which a Jetton wallet or a master credits a Jetton wallet.
//
//	internal_transfer#178d4519 query_id:uint64 amount:(VarUInteger 16) from:MsgAddress response_address:MsgAddress
//	  forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell) = InternalMsgBody;
type credit struct {
	queryID uint64
	amount  *big.Int
	from    *chain.Address
	forward *big.Int // nanotons; a notification is sent when positive
	payload *cell.Cell
}

func parseCredit(body *cell.Cell) (*credit, error) {
	l := contract.Load(body)
	l.Opcode(jetton.OpInternalTransfer)
	c := &credit{queryID: l.Uint(64), amount: l.Coins(), from: l.Address()}
	l.Address()
	c.forward = l.Coins()
	c.payload, _ = l.Either()
	return c, l.Err()
}

// credited matches Jettons that the recipient's genuine wallet accepted.
func (v *visit) credited(tx *chain.TraceTransaction) {
	c, err := parseCredit(parse(tx.In.BodyBOC()))
	if err != nil || tx.Description.Aborted {
		return
	}
	t, by := v.creditFor(tx, c)
	if t == nil {
		return
	}
	amount, ok := v.notified(tx, c, t)
	if !ok {
		return
	}
	sender := t.Sender
	if c.from != nil {
		sender = *c.from
	}
	f := v.start(t, by, sender, amount, tx)
	f.Comment = comment(c.payload)
	v.keep(f)
}

// jettonNotification is the message by which a Jetton wallet notifies its owner of a credit.
//
//	transfer_notification#7362d09c query_id:uint64 amount:(VarUInteger 16) sender:MsgAddress
//	  forward_payload:(Either Cell ^Cell) = InternalMsgBody;
type jettonNotification struct {
	queryID uint64
	amount  *big.Int
	sender  *chain.Address
	payload *cell.Cell // nil when it cannot be read, which the amount does not depend on
}

func parseNotification(body *cell.Cell) (*jettonNotification, error) {
	l := contract.Load(body)
	l.Opcode(jetton.OpTransferNotification)
	n := &jettonNotification{queryID: l.Uint(64), amount: l.Coins()}
	if l.Err() != nil {
		return nil, l.Err()
	}
	sender := l.Address()
	if payload, _ := l.Either(); l.Err() == nil {
		n.sender, n.payload = sender, payload
	}
	return n, nil
}

// notified returns the amount in the notification that a credited wallet sends to the recipient. A requested notification must
// have been sent, and the recipient must not have sent further messages, which may have returned the amount. A bounce of the notification
// is none: the recipient has no contract, or it refused the notification, and the Jettons stay in its wallet.
func (v *visit) notified(tx *chain.TraceTransaction, c *credit, t *Transfer) (amount *big.Int, ok bool) {
	if c.forward.Sign() == 0 {
		return c.amount, true
	}
	for _, m := range tx.Out {
		if m.Opcode == nil || *m.Opcode != jetton.OpTransferNotification || m.Destination == nil || *m.Destination != t.Recipient {
			continue
		}
		n, err := parseNotification(parse(m.BodyBOC()))
		if err != nil {
			return nil, false
		}
		if amount = n.amount; amount.Cmp(c.amount) > 0 {
			amount = c.amount
		}
		i, received := v.receivers[m.Key]
		return amount, received && !slices.ContainsFunc(v.trace.Transactions[i].Out, isSent)
	}
	return nil, false
}

func isSent(m *chain.Message) bool { return m.Kind == chain.InternalMessage && !isBounced(m) }

// creditFor returns the transfer that a credit pays. Only the wallet that the master named for the recipient counts.
func (v *visit) creditFor(tx *chain.TraceTransaction, c *credit) (*Transfer, Match) {
	r := v.register
	genuine := func(t *Transfer) bool {
		return t != nil && t.Wallets != nil && t.Wallets.Recipient == tx.Account
	}
	if order := v.sender(tx.In); order != nil && order.In != nil {
		if t := r.byBody[order.In.BodyHash]; genuine(t) {
			return t, ByBody
		}
	}
	if t, by := r.named(c.payload); genuine(t) {
		return t, by
	}
	if c.from != nil {
		if t := r.byQuery[Query{ID: c.queryID, Sender: *c.from}]; genuine(t) {
			return t, ByQuery
		}
	}
	return nil, NoMatch
}

// sender returns the transaction that sent a message; nil when it is not in the trace.
func (v *visit) sender(m *chain.Message) *chain.TraceTransaction {
	i, ok := v.senders[m.Key]
	if !ok || m.Source == nil {
		return nil
	}
	return &v.trace.Transactions[i]
}

// sendersOf indexes the transactions of a trace by the messages that they sent. A message that was received in a later block than it was
// sent in does not name its sender.
func sendersOf(t *chain.TraceContent) map[chain.MessageKey]int {
	senders := map[chain.MessageKey]int{}
	for i := range t.Transactions {
		for _, m := range t.Transactions[i].Out {
			senders[m.Key] = i
		}
	}
	return senders
}

// ordered matches failed transfers from the genuine Jetton wallet of the registered sender.
func (v *visit) ordered(tx *chain.TraceTransaction) {
	order, err := jetton.ParseTransfer(parse(tx.In.BodyBOC()))
	if err != nil {
		return
	}
	t, by := v.register.byBody[tx.In.BodyHash], ByBody
	if t == nil {
		t, by = v.register.named(order.ForwardPayload)
	}
	if t == nil {
		t, by = v.register.byQuery[Query{ID: order.QueryID, Sender: *tx.In.Source}], ByQuery
	}
	if t == nil || t.Wallets == nil || t.Wallets.Sender != tx.Account {
		return
	}
	if failure := v.failure(tx, t); failure != nil {
		f := v.start(t, by, *tx.In.Source, order.Amount, tx)
		f.failed(failure, bounced)
		v.keep(f)
	}
}

// failure returns the first failed transaction of an order; nil when the recipient's wallet credited it, or when it went to
// another wallet.
func (v *visit) failure(order *chain.TraceTransaction, t *Transfer) *chain.TraceTransaction {
	if order.Description.Aborted {
		return order
	}
	for _, m := range order.Out {
		if m.Opcode == nil || *m.Opcode != jetton.OpInternalTransfer || isBounced(m) {
			continue
		}
		i, ok := v.receivers[m.Key]
		if !ok {
			continue
		}
		to := &v.trace.Transactions[i]
		if to.Account == t.Wallets.Recipient && !to.Description.Aborted {
			return nil
		}
		if to.Description.Aborted {
			return to
		}
	}
	return nil
}

// request looks for a message that the registered sender's wallet was requested to send, and did not.
func (v *visit) request(tx *chain.TraceTransaction) {
	sent := func(body chain.Hash) bool {
		return slices.ContainsFunc(tx.Out, func(o *chain.Message) bool { return o.BodyHash == body })
	}
	for _, m := range requestedMessages(requestOf(tx), tx.Account) {
		t := v.register.byBody[m.body]
		if t == nil || t.Sender != tx.Account || m.to != t.to() {
			continue
		}
		// A request wrapped in a message to the wallet itself is examined when that message is received.
		if sent(m.body) || m.via != nil && sent(*m.via) {
			continue
		}
		f := v.start(t, ByBody, t.Sender, t.Amount, tx)
		f.failed(tx, notEnough)
		if d := &tx.Description; !d.Aborted && (d.Action == nil || d.Action.ResultCode == 0) {
			f.Message = leftOut
		}
		v.keep(f)
	}
}

// to returns the destination of the message of a transfer.
func (t *Transfer) to() chain.Address {
	if t.Wallets != nil {
		return t.Wallets.Sender
	}
	return t.Recipient
}
