package v3

import (
	"tonql/internal/chain"
	"tonql/rest/handler"
)

func multisigWallets(c *call) (func() error, error) {
	f := chain.MultisigFilter{
		Addresses: c.q.Addresses("address"), Members: c.q.Addresses("wallet_address"), Orders: c.q.Bool("include_orders", true),
	}
	p := c.cursored(c.page(), chain.MultisigList)
	return func() error {
		rows, err := c.svc.Multisigs(c.ctx, f, p)
		return listing[chain.Multisig]{key: "multisigs", name: nameMultisig, print: appendMultisig}.write(c, rows, err)
	}, nil
}

func nameMultisig(named *addresses, m *chain.Multisig) {
	named.add(&m.Address)
	named.addAll(m.Signers)
	named.addAll(m.Proposers)
	for i := range m.Orders {
		nameOrder(named, &m.Orders[i])
	}
}

func multisigOrders(c *call) (func() error, error) {
	f := chain.OrderFilter{
		Addresses: c.q.Addresses("address"), Multisigs: c.q.Addresses("multisig_address"), Actions: c.q.Bool("parse_actions", false),
	}
	p := c.cursored(c.page(), chain.MultisigOrderList)
	return func() error {
		rows, err := c.svc.MultisigOrders(c.ctx, f, p)
		return listing[chain.MultisigOrder]{key: "orders", name: nameOrder, print: appendOrder}.write(c, rows, err)
	}, nil
}

func nameOrder(named *addresses, o *chain.MultisigOrder) {
	named.add(&o.Address)
	named.add(&o.Multisig)
	named.addAll(o.Signers)
	for i := range o.Actions {
		named.addAll(o.Actions[i].Addresses)
	}
}

func appendMultisig(b []byte, m *chain.Multisig) []byte {
	b = handler.AppendAddress(append(b, `{"address":`...), &m.Address)
	b = handler.AppendBig(append(b, `,"next_order_seqno":`...), m.NextOrderSeqno)
	b = handler.AppendInt(append(b, `,"threshold":`...), m.Threshold)
	b = appendAddresses(append(b, `,"signers":`...), m.Signers)
	b = appendAddresses(append(b, `,"proposers":`...), m.Proposers)
	b = appendReadFrom(b, m.LastTxLT, &m.CodeHash, &m.DataHash)
	b = append(b, `,"orders":[`...)
	for i := range m.Orders {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendOrder(b, &m.Orders[i])
	}
	return append(b, "]}"...)
}

func appendOrder(b []byte, o *chain.MultisigOrder) []byte {
	b = handler.AppendAddress(append(b, `{"address":`...), &o.Address)
	b = handler.AppendAddress(append(b, `,"multisig_address":`...), &o.Multisig)
	b = handler.AppendBig(append(b, `,"order_seqno":`...), o.Seqno)
	b = appendIntOrNull(append(b, `,"threshold":`...), o.Threshold)
	b = handler.AppendBoolOrNull(append(b, `,"sent_for_execution":`...), o.SentForExecution)
	b = handler.AppendBig(append(b, `,"approvals_mask":`...), o.ApprovalsMask)
	b = appendIntOrNull(append(b, `,"approvals_num":`...), o.ApprovalsNum)
	b = appendIntOrNull(append(b, `,"expiration_date":`...), o.Expiration)
	b = appendBOC(append(b, `,"order_boc":`...), o.Order, true)
	b = appendAddresses(append(b, `,"signers":`...), o.Signers)
	b = appendReadFrom(b, o.LastTxLT, &o.CodeHash, &o.DataHash)
	b = append(b, `,"actions":`...)
	if o.Actions == nil {
		return append(b, "null}"...)
	}
	b = append(b, '[')
	for i := range o.Actions {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendOrderAction(b, &o.Actions[i])
	}
	return append(b, "]}"...)
}

func appendOrderAction(b []byte, a *chain.OrderAction) []byte {
	b = handler.AppendAddress(append(b, `{"destination":`...), a.Destination)
	b = handler.AppendBig(append(b, `,"value":`...), a.Value)
	b = handler.AppendUint(append(b, `,"send_mode":`...), a.SendMode)
	b = appendBOC(append(b, `,"body_raw":`...), a.BodyRaw, true)
	b = handler.AppendBool(append(b, `,"parsed":`...), a.Parsed)
	b = append(b, `,"error":`...)
	if a.Error == "" {
		b = append(b, "null"...)
	} else {
		b = handler.AppendString(b, a.Error)
	}
	b = handler.AppendString(append(b, `,"parsed_body_type":`...), a.BodyType)
	b = append(b, `,"parsed_body":`...)
	if a.Body == nil {
		return append(b, "null}"...)
	}
	return append(append(b, a.Body...), '}')
}
