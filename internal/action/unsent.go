package action

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

// unsent appends the messages that a wallet was requested to send in a trace in which it sent none, because the request
// failed.
func (e *emitter) unsent(ctx *Context) {
	tx := e.trace.Transactions[0]
	messages := unsentMessages(e.trace)
	if slices.ContainsFunc(messages, isDamaged) {
		return
	}
	for i, message := range messages {
		w, err := parseRequested(message)
		if err != nil {
			continue
		}
		a := e.blank()
		a.Type, a.Columns = w.columns(ctx, tx.Account)
		// The message was not sent, so the hash of its cell and its position replace the message hash.
		place := message.HashKey()
		name := chain.Hash(place).String() + strconv.Itoa(i)
		a.ID = actionID(base64.StdEncoding.EncodeToString([]byte(name)), a.Type)
		a.StartLT, a.StartUtc, a.EndLT, a.EndUtc, a.McSeqnoEnd = tx.LT, tx.Now, tx.LT, tx.Now, tx.McSeqno
		a.add(tx)
		// The message did not reach its destination, so the action does not belong to that account.
		if wallet, err := chain.ParseAddress(a.SourceSecondary); err == nil {
			a.Accounts = append(a.Accounts, wallet)
		}
		a.sortSets()
		e.actions = append(e.actions, a)
	}
}

// isDamaged reports whether an internal message cannot be read. One without a destination can. Published rows have none of the messages
// of a request with a damaged one.
func isDamaged(message *cell.Cell) bool {
	if _, err := parseRequested(message); err == nil {
		return false
	}
	l := contract.Load(message)
	if external := l.Bool(); external {
		return l.Err() != nil
	}
	l.Uint(3)
	l.Address()
	to := l.Address()
	l.Coins()
	l.MaybeRef()
	l.Coins()
	l.Coins()
	l.Bytes((64 + 32) / 8)
	return l.Err() != nil || to != nil
}

// unsentMessages returns the messages that the trace's only transaction was requested to send and did not send.
func unsentMessages(t *Trace) []*cell.Cell {
	if len(t.Transactions) != 1 {
		return nil
	}
	tx := t.Transactions[0]
	if len(tx.Out) > 0 || tx.In == nil || tx.In.Source != nil {
		return nil
	}
	return affordable(walletRequest(tx.In.Body.Cell()))
}

// maxRequestVisits bounds the cells that the messages of one request can make the index store: all 255 messages can share
// one body of 60 KB. The largest external message has fewer cells.
const maxRequestVisits = 32_768

// affordable returns the first messages within the bound.
func affordable(messages []*cell.Cell) []*cell.Cell {
	left := maxRequestVisits
	for i, m := range messages {
		n := cellgraph.Visits(m, left)
		if n > left {
			return messages[:i]
		}
		left -= n
	}
	return messages
}

// unsentDestinations returns the destinations of the unsent messages.
func unsentDestinations(t *Trace) []chain.Address {
	var to []chain.Address
	for _, message := range unsentMessages(t) {
		if w, err := parseRequested(message); err == nil {
			to = append(to, w.to)
		}
	}
	return to
}

// columns returns the type and the columns that the message would have had.
func (w *requestedMessage) columns(ctx *Context, from chain.Address) (string, Columns) {
	m := &Message{
		Source: &from, Destination: &w.to, Value: w.value, Extra: maps.Clone(w.extra), Body: Parsed(w.body),
	}
	l := contract.Load(w.body)
	if op := uint32(l.Uint(32)); l.Err() == nil {
		m.Opcode = &op
	}
	b := basic(m, &Transaction{Account: w.to}, nil)
	if !b.Calls(jetton.OpTransfer) {
		return b.Kind, basicColumns(b)
	}
	t, err := jetton.ParseTransfer(w.body)
	if err != nil {
		return b.Kind, basicColumns(b)
	}
	c := Columns{
		Source: from.String(), SourceSecondary: w.to.String(), Destination: AddressText(t.Destination), Amount: t.Amount,
		Payloads: []Payload{newJettonTransferData(t)},
	}
	if wallet := ctx.Records.JettonWallet(w.to); wallet != nil {
		c.Asset = wallet.Jetton.String()
	}
	return "jetton_transfer", c
}
