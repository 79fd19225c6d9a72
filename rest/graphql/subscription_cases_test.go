package graphql_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"tonql/internal/chain"
	"tonql/internal/feed"
)

// filterCase is a filter of a subscription with the events that match, by the rows of the chain; nil where only the list is compared.
type filterCase struct {
	where   map[string]any
	matches func(*feed.Event) bool
}

// filterCases are the cases of each field.
type filterCases map[string][]filterCase

// rowsOf returns the rows of events.
func rowsOf[T any](events []*feed.Event) []T {
	rows := make([]T, len(events))
	for i, e := range events {
		rows[i] = e.Node.(T) //nolint:forcetypeassert // events of one kind
	}
	return rows
}

// several returns some different values that rows have: the least, the middle and the greatest.
func several[T any, V cmp.Ordered](rows []T, value func(T) (V, bool)) []V {
	var values []V
	for _, row := range rows {
		if v, ok := value(row); ok {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	if values = slices.Compact(values); len(values) > 3 {
		values = []V{values[0], values[len(values)/2], values[len(values)-1]}
	}
	return values
}

// add adds a case of a field.
func add[T any](c filterCases, field string, where map[string]any, matches func(T) bool) {
	c[field] = append(c[field], filterCase{where, func(e *feed.Event) bool { return matches(e.Node.(T)) }}) //nolint:forcetypeassert // as above
}

// equal adds a case for each of several values of a field, written as text prints them.
func equal[T any, V cmp.Ordered](c filterCases, rows []T, field string, text func(V) any, value func(T) (V, bool), with ...any) {
	for _, v := range several(rows, value) {
		where := map[string]any{field: text(v)}
		for i := 0; i < len(with); i += 2 {
			where[with[i].(string)] = with[i+1] //nolint:forcetypeassert // names
		}
		add(c, field, where, func(row T) bool { x, ok := value(row); return ok && x == v })
	}
}

// ranges adds cases of the two fields of a range, alone and together.
func ranges[T any, V cmp.Ordered](c filterCases, rows []T, least, most string, text func(V) any, value func(T) (V, bool)) {
	values := several(rows, value)
	for _, v := range values {
		add(c, least, map[string]any{least: text(v)}, func(row T) bool { x, ok := value(row); return ok && x >= v })
		add(c, most, map[string]any{most: text(v)}, func(row T) bool { x, ok := value(row); return ok && x <= v })
	}
	low, high := values[0], values[len(values)/2]
	add(c, least, map[string]any{least: text(low), most: text(high)}, func(row T) bool { x, ok := value(row); return ok && x >= low && x <= high })
	add(c, most, map[string]any{least: text(high), most: text(low)}, func(row T) bool { x, ok := value(row); return ok && x >= high && x <= low })
}

// either adds the cases of a Boolean.
func either[T any](c filterCases, field string, value func(T) bool) {
	for _, v := range []bool{true, false} {
		add(c, field, map[string]any{field: v}, func(row T) bool { return value(row) == v })
	}
}

func dateTime(utime uint32) any  { return time.Unix(int64(utime), 0).UTC().Format(time.RFC3339) }
func decimal(n uint64) any       { return chain.Coins(n).String() }
func integer(n int32) any        { return n }
func opcodeText(op uint32) any   { return chain.FormatOpcode(op) }
func enumText(name string) any   { return strings.ToUpper(name) }
func listOfOne(value string) any { return []string{value} }
func same(value string) any      { return value }

func present[V any](v *V) (value V, ok bool) {
	if v == nil {
		return value, false
	}
	return *v, true
}

// cases are those of the filter of a subscription.
func (f *filtered) cases(kind string, all []*feed.Event) filterCases {
	f.Helper()
	switch kind {
	case "blocks":
		return blockCases(rowsOf[*chain.Block](all))
	case "transactions":
		return transactionCases(rowsOf[*chain.Transaction](all), rowsOf[*chain.Message](f.events("messages", nil, "")))
	case "messages":
		return messageCases(rowsOf[*chain.Message](all))
	case "traces":
		return traceCases(rowsOf[*chain.Trace](all), rowsOf[*chain.Transaction](f.events("transactions", nil, "")))
	case "actions":
		return actionCases(rowsOf[*chain.Action](all))
	}
	return nil
}

func blockCases(rows []*chain.Block) filterCases {
	c := filterCases{}
	equal(c, rows, "workchain", integer, func(b *chain.Block) (int32, bool) { return b.Workchain, true })
	equal(c, rows, "shard", same, func(b *chain.Block) (string, bool) { return b.Shard.String(), b.Workchain == 0 }, "workchain", 0)
	either(c, "keyBlock", func(b *chain.Block) bool { return b.KeyBlock })
	ranges(c, rows, "startUtime", "endUtime", dateTime, func(b *chain.Block) (uint32, bool) { return b.GenUtime, true })
	return c
}

// linked are the messages of transactions.
type linked struct {
	received map[chain.TransactionKey]*chain.Message
	sent     map[chain.TransactionKey][]*chain.Message
}

func link(messages []*chain.Message) linked {
	l := linked{map[chain.TransactionKey]*chain.Message{}, map[chain.TransactionKey][]*chain.Message{}}
	for _, m := range messages {
		if m.ReceivedBy != nil && m.Destination != nil {
			l.received[chain.TransactionKey{Account: *m.Destination, LT: m.ReceivedBy.LT}] = m
		}
		if m.SentBy != nil && m.Source != nil {
			key := chain.TransactionKey{Account: *m.Source, LT: m.SentBy.LT}
			l.sent[key] = append(l.sent[key], m)
		}
	}
	return l
}

// any reports whether an internal message of a transaction, received or sent, matches. other is the account on the other side.
func (l linked) any(t *chain.Transaction, in, out bool, matches func(m *chain.Message, other chain.Address) bool) bool {
	if m := l.received[t.Key()]; in && m != nil && m.Kind == chain.InternalMessage && matches(m, *m.Source) {
		return true
	}
	return out && slices.ContainsFunc(l.sent[t.Key()], func(m *chain.Message) bool {
		return m.Kind == chain.InternalMessage && matches(m, *m.Destination)
	})
}

func transactionCases(rows []*chain.Transaction, messages []*chain.Message) filterCases {
	type tx = *chain.Transaction
	c, l := filterCases{}, link(messages)
	account := func(t tx) (string, bool) { return t.Account.String(), true }
	equal(c, rows, "accounts", listOfOne, account)
	accounts := several(rows, account)
	add(c, "accounts", map[string]any{"accounts": accounts}, func(t tx) bool { return slices.Contains(accounts, t.Account.String()) })
	add(c, "accounts", map[string]any{"accounts": accounts, "excludeAccounts": accounts[:1]}, func(t tx) bool { return slices.Contains(accounts[1:], t.Account.String()) })
	add(c, "excludeAccounts", map[string]any{"excludeAccounts": accounts}, func(t tx) bool { return !slices.Contains(accounts, t.Account.String()) })
	ranges(c, rows, "startUtime", "endUtime", dateTime, func(t tx) (uint32, bool) { return t.Now, true })
	ranges(c, rows, "startLt", "endLt", decimal, func(t tx) (uint64, bool) { return t.LT, true })
	equal(c, rows, "workchain", integer, func(t tx) (int32, bool) { return t.Account.Workchain, true })
	equal(c, rows, "kind", enumText, func(t tx) (string, bool) { return t.Description.Kind.String(), true })
	either(c, "aborted", func(t tx) bool { return t.Description.Aborted })
	either(c, "success", func(t tx) bool { return !t.Description.Aborted })
	outcomes := map[chain.TransactionOutcome]string{
		chain.OutcomeSuccess: "SUCCESS", chain.OutcomeCredited: "CREDITED", chain.OutcomeBounced: "BOUNCED", chain.OutcomeFailed: "FAILED",
	}
	for outcome, name := range outcomes {
		add(c, "outcomes", map[string]any{"outcomes": []string{name}}, func(t tx) bool { return t.Description.Outcome() == outcome })
	}
	equal(c, rows, "exitCode", integer, func(t tx) (int32, bool) {
		p := t.Description.Compute
		if p == nil || p.Skipped {
			return 0, false
		}
		return p.ExitCode, true
	})
	equal(c, rows, "opcode", opcodeText, func(t tx) (uint32, bool) {
		m := l.received[t.Key()]
		if m == nil {
			return 0, false
		}
		return present(m.Opcode)
	})
	every := func(*chain.Message, chain.Address) bool { return true }
	for direction, side := range map[string][2]bool{"IN": {true, false}, "OUT": {false, true}, "ANY": {true, true}} {
		restricted := direction != "ANY"
		add(c, "direction", map[string]any{"direction": direction}, func(t tx) bool { return !restricted || l.any(t, side[0], side[1], every) })
		for _, other := range accounts {
			with := func(_ *chain.Message, a chain.Address) bool { return a.String() == other }
			add(c, "counterparties", map[string]any{"counterparties": []string{other}, "direction": direction},
				func(t tx) bool { return l.any(t, side[0], side[1], with) })
		}
		for _, value := range several(messages, func(m *chain.Message) (uint64, bool) { v, ok := present(m.Value); return uint64(v), ok }) {
			least := func(m *chain.Message, _ chain.Address) bool { return uint64(*m.Value) >= value }
			most := func(m *chain.Message, _ chain.Address) bool { return uint64(*m.Value) <= value }
			add(c, "minValue", map[string]any{"minValue": decimal(value), "direction": direction}, func(t tx) bool { return l.any(t, side[0], side[1], least) })
			add(c, "maxValue", map[string]any{"maxValue": decimal(value), "direction": direction}, func(t tx) bool { return l.any(t, side[0], side[1], most) })
		}
	}
	return c
}

func messageCases(rows []*chain.Message) filterCases {
	type msg = *chain.Message
	c := filterCases{}
	source := func(m msg) (string, bool) { a, ok := present(m.Source); return a.String(), ok }
	destination := func(m msg) (string, bool) { a, ok := present(m.Destination); return a.String(), ok }
	equal(c, rows, "sources", listOfOne, source)
	equal(c, rows, "destinations", listOfOne, destination)
	accounts := several(rows, destination)
	of := func(side func(msg) (string, bool), m msg) bool {
		a, ok := side(m)
		return ok && slices.Contains(accounts, a)
	}
	add(c, "accounts", map[string]any{"accounts": accounts}, func(m msg) bool { return of(source, m) || of(destination, m) })
	add(c, "sources", map[string]any{"sources": accounts, "destinations": accounts}, func(m msg) bool { return of(source, m) && of(destination, m) })
	equal(c, rows, "workchain", integer, func(m msg) (int32, bool) {
		if m.Destination != nil {
			return m.Destination.Workchain, true
		}
		return m.Source.Workchain, true
	})
	equal(c, rows, "bodyHash", same, func(m msg) (string, bool) { return m.BodyHash.String(), true })
	equal(c, rows, "opcode", opcodeText, func(m msg) (uint32, bool) { return present(m.Opcode) })
	equal(c, rows, "kind", same, func(m msg) (string, bool) {
		return map[chain.MessageKind]string{chain.InternalMessage: "INTERNAL", chain.ExternalIn: "EXTERNAL_IN", chain.ExternalOut: "EXTERNAL_OUT"}[m.Kind], true
	})
	ranges(c, rows, "startUtime", "endUtime", dateTime, func(m msg) (uint32, bool) { return present(m.CreatedAt) })
	ranges(c, rows, "startLt", "endLt", decimal, func(m msg) (uint64, bool) { return present(m.CreatedLT) })
	ranges(c, rows, "minValue", "maxValue", decimal, func(m msg) (uint64, bool) { v, ok := present(m.Value); return uint64(v), ok })
	either(c, "bounced", func(m msg) bool { return m.Bounced != nil && *m.Bounced })
	return c
}

func traceCases(rows []*chain.Trace, transactions []*chain.Transaction) filterCases {
	c := filterCases{}
	parties := map[chain.Hash]map[string]bool{}
	for _, t := range transactions {
		if t.TraceID != nil {
			if parties[*t.TraceID] == nil {
				parties[*t.TraceID] = map[string]bool{}
			}
			parties[*t.TraceID][t.Account.String()] = true
		}
	}
	accounts := several(transactions, func(t *chain.Transaction) (string, bool) { return t.Account.String(), t.Account.Workchain == 0 })
	for _, a := range accounts {
		add(c, "accounts", map[string]any{"accounts": []string{a}}, func(t *chain.Trace) bool { return parties[t.ID][a] })
	}
	add(c, "accounts", map[string]any{"accounts": accounts}, func(t *chain.Trace) bool {
		return slices.ContainsFunc(accounts, func(a string) bool { return parties[t.ID][a] })
	})
	ranges(c, rows, "startUtime", "endUtime", dateTime, func(t *chain.Trace) (uint32, bool) { return t.EndUtime, true })
	ranges(c, rows, "startLt", "endLt", decimal, func(t *chain.Trace) (uint64, bool) { return t.EndLT, true })
	return c
}

func actionCases(rows []*chain.Action) filterCases {
	type act = *chain.Action
	c := filterCases{}
	takesPart := func(a act, account string) bool {
		return slices.ContainsFunc(a.Accounts, func(x chain.Address) bool { return x.String() == account })
	}
	types := func(a act) (string, bool) { return a.Type, true }
	equal(c, rows, "types", listOfOne, types)
	named := several(rows, types)
	add(c, "excludeTypes", map[string]any{"excludeTypes": named}, func(a act) bool { return !slices.Contains(named, a.Type) })
	ranges(c, rows, "startUtime", "endUtime", dateTime, func(a act) (uint32, bool) { return a.TraceEndUtime, true })
	ranges(c, rows, "startLt", "endLt", decimal, func(a act) (uint64, bool) { return a.TraceEndLT, true })
	either(c, "success", func(a act) bool { return a.Success })
	equal(c, rows, "opcode", opcodeText, func(a act) (uint32, bool) { return present(a.Opcode) })
	// Transfers of Jettons have accounts on both sides, an asset and an amount.
	var transfers []act
	for _, a := range rows {
		if a.Type == "jetton_transfer" {
			transfers = append(transfers, a)
		}
	}
	for i, account := range several(transfers, func(a act) (string, bool) { return a.Accounts[0].String(), true }) {
		add(c, "accounts", map[string]any{"accounts": []string{account}}, func(a act) bool { return takesPart(a, account) })
		for _, direction := range []string{"IN", "OUT"} {
			c["direction"] = append(c["direction"], filterCase{where: map[string]any{"accounts": []string{account}, "direction": direction}})
		}
		for _, other := range transfers[i].Accounts {
			add(c, "counterparties", map[string]any{"accounts": []string{account}, "counterparties": []string{other.String()}},
				func(a act) bool {
					return other.String() != account && takesPart(a, account) && takesPart(a, other.String())
				})
		}
	}
	assets := several(transfers, func(a act) (string, bool) {
		var d struct{ Asset string }
		ok := json.Unmarshal(a.Details, &d) == nil && d.Asset != ""
		return d.Asset, ok
	})
	for _, token := range assets {
		c["asset"] = append(c["asset"], filterCase{where: map[string]any{"asset": token}})
		for _, amount := range []string{"1", "1000000000", "1000000000000"} {
			c["minAmount"] = append(c["minAmount"], filterCase{where: map[string]any{"asset": token, "minAmount": amount}}, filterCase{where: map[string]any{"minAmount": amount}})
			c["maxAmount"] = append(c["maxAmount"], filterCase{where: map[string]any{"asset": token, "maxAmount": amount}}, filterCase{where: map[string]any{"maxAmount": amount}})
		}
	}
	for _, set := range [][]string{{"v1"}, named, {"latest"}} {
		c["supported"] = append(c["supported"], filterCase{where: map[string]any{"supported": set}})
	}
	return c
}
