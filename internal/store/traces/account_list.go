package traces

import (
	"strings"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// AccountLists builds the statements of lists that may be restricted to accounts.
type AccountLists struct {
	keys     *AccountKeys
	replaced bool // the entries are not complete yet: rows are found through trace_accounts and action_accounts
}

// NewAccountLists returns lists that are read through entries, unless replaced.
func NewAccountLists(keys *AccountKeys, replaced bool) *AccountLists {
	return &AccountLists{keys: keys, replaced: replaced}
}

// traceRows and actionRows are the rows of walks for an account: k leads to t or a.
func (a *AccountLists) traceRows() string {
	if a.replaced {
		return "trace_accounts k JOIN traces t ON t.trace_id = k.trace_id"
	}
	return entryTraces
}

func (a *AccountLists) actionRows() string {
	if a.replaced {
		return "action_accounts k JOIN actions a ON a.trace_id = k.trace_id AND a.action_id = k.action_id"
	}
	return entryActions
}

// boundPrefix binds the beginning of the id of the trace that a cursor of traces or actions names.
func boundPrefix(c *chain.Cursor) []any {
	var id [8]byte
	copy(id[:], c.Minor)
	return []any{tracePrefix(id[:])}
}

// traceWalk and actionWalk are the orders of these walks, which equal those of the lists.
func (a *AccountLists) traceWalk(sort chain.Sort) sqlbuild.Order {
	if a.replaced {
		return traceOrder(sort, "k")
	}
	end, id := traceOrder(sort, "k")[0], traceOrder(sort, "t")[1]
	return sqlbuild.Order{end, {Column: "k.trace_prefix", Desc: end.Desc, At: "?", Bind: boundPrefix}, id}
}

func (a *AccountLists) actionWalk(sort chain.Sort) sqlbuild.Order {
	if a.replaced {
		return actionOrder(sort, "k")
	}
	end, own := actionOrder(sort, "k")[0], actionOrder(sort, "a")[1:]
	return append(sqlbuild.Order{end, {Column: "k.trace_prefix", Desc: end.Desc, At: "?", Bind: boundPrefix}}, own...)
}

// values are the accounts of walks.
func (a *AccountLists) values(accounts ...chain.Address) scanValues {
	if a.replaced {
		return scanValues{"unnest(?::bytea[]) v(value)", []any{sqlbuild.AddressArray(accounts)}}
	}
	keys := make([]int64, len(accounts))
	for i := range accounts {
		keys[i] = a.keys.Of(accounts[i])
	}
	return scanValues{"unnest(?::bytea[], ?::bigint[]) v(value, key)", []any{sqlbuild.AddressArray(accounts), keys}}
}

// ofTraces and ofActions restrict a walk to the rows of v's account.
func (a *AccountLists) ofTraces(s *sqlbuild.Statement) {
	if a.replaced {
		s.And("k.account = v.value")
		return
	}
	s.And("k.account_key = v.key").And(inTrace("v.value"))
}

func (a *AccountLists) ofActions(s *sqlbuild.Statement, q *actionQuery) {
	if a.replaced {
		s.And("k.account = v.value")
		q.types(s, "k.type")
	} else {
		s.And("k.account_key = v.key").And("k.types & ? <> 0", int64(chain.AnyActionTypeBits(q.wanted())))
		q.types(s, "a.type")
		s.And(inAction("v.value"))
	}
	q.hidden(s)
}

// ofOneTrace and ofOneAction are the same for a walk for a single account.
func (a *AccountLists) ofOneTrace(s *sqlbuild.Statement, account *chain.Address) {
	s.And("k.account_key = ?", a.keys.Of(*account))
	bindAccount(s, inTrace, account)
}

func (a *AccountLists) ofOneAction(s *sqlbuild.Statement, q *actionQuery, account *chain.Address) {
	s.And("k.account_key = ?", a.keys.Of(*account)).And("k.types & ? <> 0", int64(chain.AnyActionTypeBits(q.wanted())))
	q.types(s, "a.type")
	bindAccount(s, inAction, account)
	q.hidden(s)
}

// among restricts complete traces t to those of an account.
func (a *AccountLists) among(s *sqlbuild.Statement, account *chain.Address) {
	if a.replaced {
		s.And(`(EXISTS (SELECT 1 FROM trace_accounts k WHERE k.account = ? AND k.end_lt = t.end_lt AND k.trace_id = t.trace_id)) IS TRUE`, account.Bytes())
		return
	}
	bindAccount(s, inTrace, account)
}

// bindAccount adds a condition on an account as a value.
func bindAccount(s *sqlbuild.Statement, condition func(string) string, account *chain.Address) {
	piece := condition("?::bytea")
	values := make([]any, strings.Count(piece, "?"))
	for i := range values {
		values[i] = account.Bytes()
	}
	s.And(piece, values...)
}

// TracesOfEach returns the statement of [Reader.TracesOfAccounts], and its page.
func (a *AccountLists) TracesOfEach(accounts []chain.Address, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	l := sqlbuild.NewList(traceOrder(p.Sort, "t"), p)
	s := &sqlbuild.Statement{}
	a.each(s, &l, accounts, a.traceWalk(p.Sort), "SELECT "+TraceColumns+" FROM "+a.traceRows(), a.ofTraces)
	s.Add(") w").OrderBy(l.Order.On("w"))
	return s, l
}

// ActionsOfEach returns the statement of [Reader.ActionsOfAccounts], and its page.
func (a *AccountLists) ActionsOfEach(accounts []chain.Address, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	q := &actionQuery{ActionFilter: &chain.ActionFilter{}}
	l := sqlbuild.NewList(actionOrder(p.Sort, "a"), p)
	s := &sqlbuild.Statement{}
	s.Add("SELECT a.account, " + actionRowColumns + " FROM (")
	a.each(s, &l, accounts, a.actionWalk(p.Sort), "SELECT "+ownActionColumns+" FROM "+a.actionRows(), func(s *sqlbuild.Statement) { a.ofActions(s, q) })
	s.Add(") w) a" + withTrace).OrderBy(l.Order)
	return s, l
}

// each walks for each of several accounts and leaves the parenthesis of the walk open.
func (a *AccountLists) each(s *sqlbuild.Statement, l *sqlbuild.List, accounts []chain.Address, walk sqlbuild.Order, head string, conditions func(*sqlbuild.Statement)) {
	values := a.values(sqlbuild.Unique(accounts)...)
	s.Add("SELECT v.value AS account, w.* FROM "+values.from+" CROSS JOIN LATERAL (", values.args...)
	s.From(head)
	conditions(s)
	keys := *l
	keys.Order = walk
	if l.Backward {
		keys.Order = walk.Reversed()
	}
	s.Keyset(&keys)
	s.OrderBy(keys.Order).Window(l)
}
