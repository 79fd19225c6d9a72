package action

import (
	"encoding/base64"
	"maps"
	"strconv"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

// wishes writes what a wallet was asked to send in a trace in which it sent nothing: the request reached it, and failed.
func (e *emitter) wishes(ctx *Context) {
	tx := e.trace.Transactions[0]
	if len(e.trace.Transactions) > 1 || len(tx.Out) > 0 || tx.In == nil || tx.In.Source != nil {
		return
	}
	for i, message := range walletRequest(tx.In.Body) {
		w, err := parseWish(message)
		if err != nil {
			continue
		}
		a := e.blank()
		a.Type, a.Columns = w.columns(ctx, tx.Account)
		// Nothing of the message exists but its cell, so that and its place take the part of a message's hash.
		place := message.HashKey()
		name := chain.Hash(place).String() + strconv.Itoa(i)
		a.ID = actionID(base64.StdEncoding.EncodeToString([]byte(name)), a.Type)
		a.StartLT, a.StartUtc, a.EndLT, a.EndUtc, a.McSeqnoEnd = tx.LT, tx.Now, tx.LT, tx.Now, tx.McSeqno
		a.add(tx)
		// Whom it was for was not reached: the action does not belong to that account.
		if wallet, err := chain.ParseAddress(a.SourceSecondary); err == nil {
			a.Accounts = append(a.Accounts, wallet)
		}
		a.sortSets()
		e.actions = append(e.actions, a)
	}
}

// columns says what the message would have been.
func (w *wish) columns(ctx *Context, from chain.Address) (string, Columns) {
	m := &Message{
		Source: &from, Destination: &w.to, Value: w.value, Extra: maps.Clone(w.extra), Body: w.body,
	}
	l := contract.Load(w.body)
	if op := uint32(l.Uint(32)); l.Err() == nil {
		m.Opcode = &op
	}
	b := basic(m, &Transaction{Account: w.to}, nil)
	if !b.calls(jetton.OpTransfer) {
		return b.Kind, basicColumns(b)
	}
	t, err := jetton.ParseTransfer(w.body)
	if err != nil {
		return b.Kind, basicColumns(b)
	}
	c := Columns{
		Source: addr(from), SourceSecondary: addr(w.to), Destination: text(t.Destination), Amount: t.Amount,
		Payloads: []Payload{newJettonTransferData(t)},
	}
	if wallet := ctx.Records.JettonWallet(w.to); wallet != nil {
		c.Asset = addr(wallet.Jetton)
	}
	return "jetton_transfer", c
}
