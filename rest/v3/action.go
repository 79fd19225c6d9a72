package v3

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/resolvers"
)

// actions lists actions. action_id overrides account, trace_id, tx_hash and msg_hash; trace_id overrides tx_hash and msg_hash.
func actions(c *call) (func() error, error) {
	f := chain.ActionFilter{
		Account: c.q.Address("account"), TxHashes: c.q.Hashes("tx_hash"), MsgHashes: c.q.Hashes("msg_hash"),
		IDs: c.q.Hashes("action_id"), TraceIDs: c.q.Hashes("trace_id"), McSeqno: seqno(c.q, "mc_seqno"),
		StartUtime: c.q.Utime("start_utime"), EndUtime: c.q.Utime("end_utime"),
		StartLT: c.q.Uint64("start_lt"), EndLT: c.q.Uint64("end_lt"),
		Types: c.actionTypes("action_type"), ExcludeTypes: c.actionTypes("exclude_action_type"), Supported: c.supported(),
	}
	if len(f.IDs) > 0 || len(f.TraceIDs) > 0 {
		f.TxHashes, f.MsgHashes = nil, nil
	}
	if len(f.IDs) > 0 {
		f.Account, f.TraceIDs = nil, nil
	}
	with := actionInclude{accounts: c.q.Bool("include_accounts", false), transactions: c.q.Bool("include_transactions", false)}
	p := c.cursored(c.page(), chain.ActionList)
	return func() error {
		if err := asWritten(f.McSeqno); err != nil {
			return err
		}
		rows, err := c.svc.Actions(c.ctx, f, p)
		return c.printActions(rows, with, err)
	}, nil
}

// actionInclude selects the optional members of actions.
type actionInclude struct{ accounts, transactions bool }

func (c *call) printActions(rows []chain.Action, with actionInclude, err error) error {
	if err != nil {
		return err
	}
	if !with.transactions {
		return actionList(with, nil).write(c, rows, nil)
	}
	var byHash map[chain.Hash]*chain.FullTransaction
	covering := func(i int) int { return len(rows[i].TxHashes) }
	parts := resolvers.PartsOf(rows, covering, func(ctx context.Context, first, end int) (_ []chain.Action, err error) {
		byHash, err = c.svc.ActionTransactions(ctx, rows[first:end])
		return rows[first:end], err
	})
	return actionList(with, func() map[chain.Hash]*chain.FullTransaction { return byHash }).writeParts(c, &parts, nil)
}

// actionList is a list of actions. transactions returns those to include, by hash, of the current part; it is nil if none are.
func actionList(with actionInclude, transactions func() map[chain.Hash]*chain.FullTransaction) listing[chain.Action] {
	covered := func(a *chain.Action) []*chain.FullTransaction {
		if transactions == nil {
			return nil
		}
		return covered(a, transactions())
	}
	name := func(named *addresses, a *chain.Action) {
		nameAction(named, a)
		for _, tx := range covered(a) {
			named.addTransaction(tx)
		}
	}
	show := func(b []byte, a *chain.Action) []byte {
		b = appendActionMembers(b, a)
		if with.accounts {
			b = appendAddresses(append(b, `,"accounts":`...), a.Accounts)
		}
		if with.transactions {
			b = appendTransactionList(append(b, `,"transactions_full":`...), covered(a))
		}
		return append(b, '}')
	}
	return listing[chain.Action]{key: "actions", name: name, print: show, metadata: true, cursor: true}
}

// covered returns the transactions of an action that byHash holds, ordered by LT, then account.
func covered(a *chain.Action, byHash map[chain.Hash]*chain.FullTransaction) []*chain.FullTransaction {
	if byHash == nil {
		return nil
	}
	txs := make([]*chain.FullTransaction, 0, len(a.TxHashes))
	for _, h := range a.TxHashes {
		if tx := byHash[h]; tx != nil {
			txs = append(txs, tx)
		}
	}
	slices.SortFunc(txs, func(x, y *chain.FullTransaction) int {
		return cmp.Or(cmp.Compare(x.LT, y.LT), x.Account.Compare(y.Account))
	})
	return txs
}

// supported returns the action types that the client supports, from the X-Actions-Version header or, without it, from
// the parameter.
func (c *call) supported() []string {
	names := c.actionTypes("supported_action_types")
	if c.actionsVersion != "" {
		names = []string{c.actionsVersion}
	}
	return chain.ExpandActionTypes(names)
}

// actionTypes reads an array of names and drops the empty ones.
func (c *call) actionTypes(name string) []string {
	return slices.DeleteFunc(c.q.Names(name), func(s string) bool { return s == "" })
}

// nameAction adds the addresses in an action's details: every string value that is a raw address, except in comments,
// which users write.
func nameAction(named *addresses, a *chain.Action) {
	text := a.Details
	for {
		at := bytes.IndexByte(text, '"')
		if at < 0 {
			return
		}
		end := closingQuote(text[at+1:])
		if end < 0 {
			return
		}
		value, rest := text[at+1:at+1+end], text[at+1+end+1:]
		text = rest
		if len(rest) > 0 && rest[0] == ':' { // the name of a member
			if string(value) == "comment" || string(value) == "payout_comment" {
				text = skipString(rest[1:])
			}
			continue
		}
		if address, ok := rawAddress(value); ok {
			named.add(&address)
		}
	}
}

// closingQuote returns the index of the quote that ends a JSON string, or -1.
func closingQuote(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// skipString returns what follows a JSON string value at the start of text. Other values are not skipped.
func skipString(text []byte) []byte {
	if len(text) == 0 || text[0] != '"' {
		return text
	}
	end := closingQuote(text[1:])
	if end < 0 {
		return nil
	}
	return text[end+2:]
}

// rawAddress parses an address in raw form only. Details contain other forms only as texts from contracts or users.
func rawAddress(text []byte) (chain.Address, bool) {
	if len(text) < 66 || len(text) > 69 || text[len(text)-65] != ':' {
		return chain.Address{}, false
	}
	a, err := chain.ParseAddress(string(text))
	return a, err == nil
}
