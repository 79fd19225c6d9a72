package transactions

import (
	"context"
	"fmt"
	"math"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// The LT by which messages are listed and filtered: that of their creation. External-in messages have none and stand
// where they were received. Only messages that no transaction sent (see [chain.SystemAddress]) have another LT in their
// key, so the key's column alone serves where those cannot be.
const (
	creationLT = "COALESCE(m.created_lt, m.lt)"
	keyLT      = "m.lt"
)

// messageOrder is the order of lists of messages: by lt, which is [creationLT] or [keyLT], then hash. The hash at a cursor
// is read from the row of its key.
func messageOrder(lt string, sort chain.Sort) sqlbuild.Order {
	desc := sort == chain.Descending
	return sqlbuild.Order{
		{Column: lt, Desc: desc, At: "?", Bind: sqlbuild.BindMajor},
		{Column: "m.hash", Desc: desc, At: "(SELECT c.hash FROM messages c WHERE c.account = ? AND c.lt = ?)", Bind: bindMessageKey},
		{Column: "m.account", Desc: desc, At: "?", Bind: bindMessageAccount},
	}
}

func bindMessageKey(c *chain.Cursor) []any {
	key := c.MessageKey()
	return []any{key.Account.Bytes(), int64(key.LT)}
}

func bindMessageAccount(c *chain.Cursor) []any { return []any{c.MessageKey().Account.Bytes()} }

// createdOrder is the order of lists restricted in time.
func createdOrder(sort chain.Sort) sqlbuild.Order {
	created := sqlbuild.Term{
		Column: "m.created_at", Desc: sort == chain.Descending,
		At: "(SELECT c.created_at FROM messages c WHERE c.account = ? AND c.lt = ?)", Bind: bindMessageKey,
	}
	return append(sqlbuild.Order{created}, messageOrder(creationLT, sort)[1:]...)
}

// Messages lists the messages that match f by the LT of their creation (external-in messages by that of the transaction
// that received them), then hash, both in the page's direction. Lists restricted in time go by time of creation first.
func (r *Reader) Messages(ctx context.Context, f chain.MessageFilter, p chain.Page) ([]chain.Message, error) {
	q := NewMessageQuery(&f)
	if q.impossible() {
		return nil, nil
	}
	if err := r.ChooseLead(ctx, q); err != nil {
		return nil, err
	}
	s, l := q.Statement(p)
	rule := sqlbuild.InOrder(&l, sqlbuild.Bounds{Span: q.Span}, 1, creation)
	if len(f.Hashes) > 0 {
		rule = eachHashFound(sqlbuild.Unique(f.Hashes))
	}
	reading := r.messages()
	rows, err := sqlbuild.Covered(ctx, r.pool, "messages", l.Limit, rule, reading.scan, s.Text.String(), s.Args...)
	if err == nil {
		err = r.finishMessages(ctx, reading, rows)
	}
	return sqlbuild.RestoreOrder(&l, rows), err
}

// eachHashFound is the rule of messages by hash: only one that came from outside can have the hash of another.
func eachHashFound(hashes []chain.Hash) sqlbuild.Rule[chain.Message] {
	return func(rows []chain.Message, _ sqlbuild.Moved) bool {
		found := map[chain.Hash]bool{}
		for i := range rows {
			if rows[i].Kind == chain.ExternalIn {
				return false
			}
			found[rows[i].Hash] = true
		}
		return len(found) >= len(hashes)
	}
}

// creation is the place of a message in lists.
func creation(m *chain.Message) (lt uint64, utime uint32) {
	lt, utime = m.Key.LT, math.MaxUint32 // lists by time have no message without one
	if m.CreatedLT != nil {
		lt = *m.CreatedLT
	}
	if m.CreatedAt != nil {
		utime = *m.CreatedAt
	}
	return lt, utime
}

// MessageQuery builds the statement of a filter.
type MessageQuery struct {
	*chain.MessageFilter
	sqlbuild.Span

	// leads are the conditions that could lead: each has an index in the order of LTs. The one chosen is written so that
	// the index serves it, the others so that none does.
	leads []lead
	lead  int  // index in leads; -1 for the list of all messages
	few   bool // fewer than probeDepth messages match the condition that leads
}

// lead is a condition with its value.
type lead struct {
	indexed, plain string
	values         []any // of the indexed form
	value          any   // of the plain form
	keyed          bool  // the index is in the order of keys' LTs, and no system message matches
}

// NewMessageQuery returns the query of a filter.
func NewMessageQuery(f *chain.MessageFilter) *MessageQuery {
	q := &MessageQuery{MessageFilter: f, Span: sqlbuild.Span{FromUtime: f.StartUtime, ToUtime: f.EndUtime, FromLT: f.StartLT, ToLT: f.EndLT}, lead: -1}
	if f.BodyHash != nil {
		q.leads = append(q.leads, lead{
			indexed: "substr(m.body_hash, 1, 7) = ? AND (m.body_hash = ?) IS TRUE", values: []any{f.BodyHash[:7], f.BodyHash[:]},
			plain: "(m.body_hash = ?) IS TRUE", value: f.BodyHash[:],
		})
	}
	if a := f.Source; a != nil {
		q.leads = append(q.leads, sentBy(a))
	}
	if a := f.Destination; a != nil {
		q.leads = append(q.leads, lead{
			indexed: "substr(sha256(m.destination), 1, 7) = substr(sha256(?::bytea), 1, 7) AND m.destination IS NOT NULL AND (m.destination = ?) IS TRUE",
			values:  []any{a.Bytes(), a.Bytes()},
			plain:   "(m.destination = ?) IS TRUE", value: a.Bytes(),
		})
	}
	if f.Opcode != nil {
		q.leads = append(q.leads, simple("m.opcode = ?", int64(*f.Opcode)))
	}
	if len(q.leads) > 0 {
		q.lead = 0
	}
	return q
}

func simple(condition string, value any) lead {
	return lead{indexed: condition, values: []any{value}, plain: "(" + condition + ") IS TRUE", value: value}
}

// sentBy is the condition on the source, by the index that has what this kind of account sent without others between.
func sentBy(a *chain.Address) lead {
	value := a.Bytes()
	switch {
	case *a == chain.SystemAddress:
		return simple("m.source = ?", value)
	case a.Workchain < 0:
		return lead{
			indexed: "m.account = ? AND " + fromMasterchain, values: []any{value},
			plain: "(m.account = ? AND m.source IS NULL AND m.kind <> 1) IS TRUE", value: value, keyed: true,
		}
	default:
		return lead{
			indexed: "m.account = ? AND (m.source IS NULL AND m.kind <> 1) IS TRUE", values: []any{value},
			plain: "(m.account = ? AND m.source IS NULL AND m.kind <> 1) IS TRUE", value: value, keyed: true,
		}
	}
}

// fromMasterchain is the condition of messages_masterchain_source.
const fromMasterchain = `m.account < '\x80' AND m.source IS NULL AND m.kind <> 1`

// impossible reports whether no message can match: ranges and sources leave external-in messages out, for instance.
func (q *MessageQuery) impossible() bool {
	externalIn := q.NoSource || q.OnlyExternals
	ranged := q.HasUtime() || q.FromLT != nil || q.ToLT != nil
	return externalIn && (ranged || q.ExcludeExternals || q.Source != nil || q.NoDestination) ||
		q.NoDestination && (q.Destination != nil || q.Direction == chain.In)
}

// probeDepth is how many rows of each lead are counted to find the rarest.
const probeDepth = 1000

// ChooseLead makes the rarest condition lead when there are several: a page of what a busy account sent to an idle one
// is found at once from the idle one's side.
func (r *Reader) ChooseLead(ctx context.Context, q *MessageQuery) error {
	if len(q.leads) < 2 || len(q.Hashes) > 0 {
		return nil
	}
	return r.probeLeads(ctx, q)
}

// probeLeads counts up to [probeDepth] rows of each lead, and makes the rarest lead.
func (r *Reader) probeLeads(ctx context.Context, q *MessageQuery) error {
	s := &sqlbuild.Statement{}
	for i, l := range q.leads {
		if i > 0 {
			s.Add(" UNION ALL ")
		}
		s.Add("SELECT ?::bigint, count(*) FROM (", int64(i)).From("SELECT 1 FROM messages m")
		s.And(l.indexed, l.values...).Add(" LIMIT 1000) p")
	}
	fewest := int64(probeDepth + 1)
	return sqlbuild.Each(sqlbuild.Checked(ctx), r.pool, "messages", func(r *sqlbuild.Row) { // the response does not depend on the choice
		if i, n := r.Int8(), r.Int8(); n < fewest {
			q.lead, fewest, q.few = int(i), n, n < probeDepth
		}
	}, s.Text.String(), s.Args...)
}

// lt is the column or expression by which the index that serves the query is ordered.
func (q *MessageQuery) lt() string {
	if q.lead >= 0 {
		if q.leads[q.lead].keyed {
			return keyLT
		}
		return creationLT
	}
	if len(q.Hashes) == 0 && q.externals() {
		return keyLT
	}
	return creationLT
}

// externals reports whether only messages from or to the outside match, whose indexes are in the order of keys.
func (q *MessageQuery) externals() bool {
	return q.NoSource || q.OnlyExternals || q.NoDestination || q.Kind != nil && *q.Kind != chain.InternalMessage
}

// Statement returns the statement of a page of messages.
func (q *MessageQuery) Statement(p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	o := messageOrder(q.lt(), p.Sort)
	if q.HasUtime() {
		o = createdOrder(p.Sort)
	}
	l := sqlbuild.NewList(o, p)
	s := &sqlbuild.Statement{}
	switch {
	case len(q.Hashes) > 0:
		s.Fence(messageColumns, "m", func() { q.among(s); s.Keyset(&l) })
	case q.HasUtime() && q.lead >= 0:
		q.edge(s, &l)
	default:
		s.From("SELECT " + messageColumns + " FROM messages m")
		q.conditions(s)
		if q.HasUtime() {
			q.BoundUtime(s, "m.created_at")
		}
		s.Keyset(&l)
	}
	s.OrderBy(l.Order).Window(&l)
	return s, l
}

// among starts from hashes, plain and normalised; a message that is found by both is taken by the plain one.
func (q *MessageQuery) among(s *sqlbuild.Statement) {
	hashes := sqlbuild.HashArray(sqlbuild.Unique(q.Hashes))
	s.From(`SELECT m.* FROM (SELECT n.* FROM unnest(?::bytea[]) h(hash) JOIN messages n ON `+sqlbuild.EqualHash("n.hash", "h.hash")+`
		UNION ALL SELECT n.* FROM unnest(?::bytea[]) h(hash) JOIN messages n ON `+sqlbuild.EqualHash("n.hash_norm", "h.hash")+` AND n.hash <> ALL(?)) m`,
		hashes, hashes, hashes)
	q.lead = -1
	q.conditions(s)
}

// edge serves a list by time whose index is in the order of LTs. As many rows as the page reaches are looked at by LT;
// the farthest time among them cannot lie before the page's end in the list, so the rows within it, put in order, hold
// the page.
func (q *MessageQuery) edge(s *sqlbuild.Statement, l *sqlbuild.List) {
	farthest, keep, bound := "max", " <= ", sqlbuild.LTToUtime
	slack, lt := " + 30", q.lt()
	none := "0" // no row at all: nothing within reach
	if l.Order[0].Desc {
		farthest, keep, bound, slack, none = "min", " >= ", sqlbuild.LTFromUtime, " - 30", "4294967295"
	}
	s.Add("WITH edge AS MATERIALIZED (SELECT COALESCE(" + farthest + "(h.created_at), " + none + ") AS at FROM (")
	s.From("SELECT m.created_at FROM messages m")
	q.conditions(s)
	q.BoundLT(s, lt)
	s.Keyset(l)
	s.OrderBy(sqlbuild.Order{{Column: lt, Desc: l.Order[0].Desc}}).Add(" LIMIT ?) h) ", l.Reach())
	s.Fence(messageColumns, "m", func() {
		s.From("SELECT m.* FROM messages m")
		q.conditions(s)
		q.BoundLT(s, lt)
		s.And("(m.created_at" + keep + "(SELECT at FROM edge)) IS TRUE")
		s.And(lt + sqlbuild.ReplaceMark(bound, "(SELECT at FROM edge)"+slack))
		s.Keyset(l)
	})
}

// conditions writes all conditions but those of the order.
func (q *MessageQuery) conditions(s *sqlbuild.Statement) {
	for i, l := range q.leads {
		if i == q.lead {
			s.And(l.indexed, l.values...)
		} else {
			s.And(l.plain, l.value)
		}
	}
	led := q.lead >= 0 || len(q.Hashes) > 0
	q.kindConditions(s, led)
	switch q.Direction {
	case chain.In:
		s.And("m.dst_tx_lt IS NOT NULL")
	case chain.Out:
		s.And("m.src_tx_lt IS NOT NULL")
	case chain.Both:
	}
	if led {
		q.Filter(s, "m.created_at", q.lt())
		if q.lead >= 0 && !q.HasUtime() { // the lead's index goes by LT
			sqlbuild.Present(s, q.FromLT, q.lt()+" >= ?", sqlbuild.AsLT)
			sqlbuild.Present(s, q.ToLT, q.lt()+" <= ?", sqlbuild.AsLT)
		}
		return
	}
	q.Restrict(s, "m.created_at", q.lt())
}

// kindConditions writes the conditions on the kind of messages. led is whether the rows are found by another condition.
func (q *MessageQuery) kindConditions(s *sqlbuild.Statement, led bool) {
	kind := ""
	switch {
	case q.NoSource || q.OnlyExternals:
		kind = "m.kind = 1"
	case q.NoDestination:
		kind = "m.kind = 2"
	case q.ExcludeExternals || q.HasUtime() || q.FromLT != nil || q.ToLT != nil:
		s.And("m.kind <> 1")
	}
	if q.Kind != nil {
		switch of := fmt.Sprintf("m.kind = %d", *q.Kind); {
		case kind == "" && *q.Kind != chain.InternalMessage:
			kind = of
		case kind != of:
			s.And("(" + of + ") IS TRUE")
		}
	}
	switch {
	case kind == "":
	case led:
		s.And("(" + kind + ") IS TRUE") // no reason to walk that kind's index
	default:
		s.And(kind)
	}
}
