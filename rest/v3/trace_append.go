package v3

import (
	"tonql/internal/chain"
	"tonql/rest/handler"
)

// streamTrace writes a Trace in pieces: it can have thousands of transactions. A trace that is too large has neither tree
// nor transactions.
func (c *call) streamTrace(t *chain.FullTrace) error { return c.streamTraceWith(t, appendTraceActions) }

// streamPendingTrace writes a pending trace. As published, its actions have their accounts.
func (c *call) streamPendingTrace(t *chain.FullTrace) error {
	return c.streamTraceWith(t, appendPendingActions)
}

func (c *call) streamTraceWith(t *chain.FullTrace, appendActions func(b []byte, actions []chain.Action) []byte) error {
	c.out.B = appendTraceMembers(c.out.B, t)
	if t.Actions != nil {
		c.out.B = appendActions(append(c.out.B, `,"actions":`...), t.Actions)
	}
	if t.Tree != nil {
		c.out.B = appendTransactionsOrder(appendTraceNode(append(c.out.B, `,"trace":`...), t.Tree), t.Transactions)
		c.out.B = append(c.out.B, `,"transactions":`...)
		if err := c.streamTransactionsByHash(t.Transactions); err != nil {
			return err
		}
	}
	c.out.B = append(c.out.B, '}')
	return nil
}

// streamTransactionsByHash appends the transactions of a trace as an object, hash to Transaction.
func (c *call) streamTransactionsByHash(txs []chain.FullTransaction) error {
	c.out.B = append(c.out.B, '{')
	for i := range txs {
		if err := c.ctx.Err(); err != nil {
			return err //nolint:wrapcheck // the request's own
		}
		if i > 0 {
			c.out.B = append(c.out.B, ',')
		}
		c.out.B = append(handler.AppendHash(c.out.B, &txs[i].Hash), ':')
		c.out.B = appendTransaction(c.out.B, &txs[i])
		if err := c.out.Spill(); err != nil {
			return err
		}
	}
	c.out.B = append(c.out.B, '}')
	return nil
}

// appendTraceActions appends an array of the actions of a trace.
func appendTraceActions(b []byte, actions []chain.Action) []byte {
	b = append(b, '[')
	for i := range actions {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendActionMembers(b, &actions[i]), '}')
	}
	return append(b, ']')
}

// appendPendingActions appends an array of emulated actions, with their accounts.
func appendPendingActions(b []byte, actions []chain.Action) []byte {
	b = append(b, '[')
	for i := range actions {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendActionMembers(b, &actions[i])
		b = append(appendAddresses(append(b, `,"accounts":`...), actions[i].Accounts), '}')
	}
	return append(b, ']')
}

// appendTraceMembers appends the members of a Trace without its actions, tree and transactions.
func appendTraceMembers(b []byte, t *chain.FullTrace) []byte {
	b = handler.AppendHash(append(b, `{"trace_id":`...), &t.ID)
	b = handler.AppendHash(append(b, `,"external_hash":`...), t.ExternalHash)
	b = handler.AppendDecimal(append(b, `,"mc_seqno_start":`...), t.McSeqnoStart)
	b = handler.AppendDecimal(append(b, `,"mc_seqno_end":`...), t.McSeqnoEnd)
	b = handler.AppendDecimal(append(b, `,"start_lt":`...), t.StartLT)
	b = handler.AppendUint(append(b, `,"start_utime":`...), t.StartUtime)
	b = handler.AppendDecimal(append(b, `,"end_lt":`...), t.EndLT)
	b = handler.AppendUint(append(b, `,"end_utime":`...), t.EndUtime)
	b = append(append(b, `,"trace_info":{"trace_state":"`...), t.State.String()...)
	b = handler.AppendInt(append(b, `","messages":`...), t.Messages)
	b = handler.AppendInt(append(b, `,"transactions":`...), t.Trace.Transactions)
	b = handler.AppendInt(append(b, `,"pending_messages":`...), t.PendingMessages)
	b = append(append(b, `,"classification_state":"`...), t.Classification.String()...)
	b = handler.AppendBool(append(b, `"},"is_incomplete":`...), t.Incomplete())
	return appendTextIf(b, `,"warning":`, t.Warning())
}

func appendTransactionsOrder(b []byte, txs []chain.FullTransaction) []byte {
	b = append(b, `,"transactions_order":[`...)
	for i := range txs {
		if i > 0 {
			b = append(b, ',')
		}
		b = handler.AppendHash(b, &txs[i].Hash)
	}
	return append(b, ']')
}

// appendTraceNode appends a TraceNode. Its children are null if it sent messages and none was received.
func appendTraceNode(b []byte, n *chain.TraceNode) []byte {
	b = handler.AppendHash(append(b, `{"tx_hash":`...), &n.Transaction.Hash)
	if in := n.Transaction.InMessage; in != nil {
		b = handler.AppendHash(append(b, `,"in_msg_hash":`...), &in.Hash)
	}
	b = append(b, `,"children":`...)
	if len(n.Children) == 0 && len(n.Transaction.OutMessages) > 0 {
		return append(b, "null}"...)
	}
	b = append(b, '[')
	for i, child := range n.Children {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendTraceNode(b, child)
	}
	return append(b, "]}"...)
}
