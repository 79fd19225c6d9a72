package store

import (
	"context"
	"fmt"

	"tonql/internal/chain"
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
func messageOrder(lt string, sort chain.Sort) order {
	desc := sort == chain.Descending
	return order{
		{lt, desc, "?", bindMajor},
		{"m.hash", desc, "(SELECT c.hash FROM messages c WHERE c.account = ? AND c.lt = ?)", bindMessageKey},
		{"m.account", desc, "?", bindMessageAccount},
	}
}

func bindMessageKey(c *chain.Cursor) []any {
	key := c.MessageKey()
	return []any{key.Account.Bytes(), int64(key.LT)}
}

func bindMessageAccount(c *chain.Cursor) []any { return []any{c.MessageKey().Account.Bytes()} }

// createdOrder is the order of lists restricted in time.
func createdOrder(sort chain.Sort) order {
	created := term{
		"m.created_at", sort == chain.Descending,
		"(SELECT c.created_at FROM messages c WHERE c.account = ? AND c.lt = ?)", bindMessageKey,
	}
	return append(order{created}, messageOrder(creationLT, sort)[1:]...)
}

// Messages lists the messages that match f by the LT of their creation (external-in messages by that of the transaction
// that received them), then hash, both in the page's direction. Lists restricted in time go by time of creation first.
func (r *Reader) Messages(ctx context.Context, f chain.MessageFilter, p chain.Page) ([]chain.Message, error) {
	q := newMessageQuery(&f)
	if q.impossible() {
		return nil, nil
	}
	if err := r.chooseLead(ctx, q); err != nil {
		return nil, err
	}
	s, l := q.statement(p)
	rows, err := collect(ctx, r.pool, "messages", l.limit, scanMessage, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

// messageQuery is a filter on its way to a statement.
type messageQuery struct {
	*chain.MessageFilter
	span

	// leads are the conditions that could lead: each has an index in the order of LTs. The one chosen is written so that
	// the index serves it, the others so that none does.
	leads []lead
	lead  int // index in leads; -1 for the list of all messages
}

// lead is a condition with its value.
type lead struct {
	indexed, plain string
	values         []any // of the indexed form
	value          any   // of the plain form
	keyed          bool  // the index is in the order of keys' LTs, and no system message matches
}

func newMessageQuery(f *chain.MessageFilter) *messageQuery {
	q := &messageQuery{MessageFilter: f, span: span{f.StartUtime, f.EndUtime, f.StartLT, f.EndLT}, lead: -1}
	if f.BodyHash != nil {
		q.leads = append(q.leads, lead{
			indexed: "substr(m.body_hash, 1, 8) = ? AND (m.body_hash = ?) IS TRUE", values: []any{f.BodyHash[:8], f.BodyHash[:]},
			plain: "(m.body_hash = ?) IS TRUE", value: f.BodyHash[:],
		})
	}
	if a := f.Source; a != nil {
		q.leads = append(q.leads, sentBy(a))
	}
	if a := f.Destination; a != nil {
		q.leads = append(q.leads, lead{
			indexed: "substr(m.destination, 1, 9) = ? AND m.destination IS NOT NULL AND (m.destination = ?) IS TRUE",
			values:  []any{a.Bytes()[:9], a.Bytes()},
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

// impossible says that no message can match: ranges and sources leave external-in messages out, for instance.
func (q *messageQuery) impossible() bool {
	externalIn := q.NoSource || q.OnlyExternals
	ranged := q.hasUtime() || q.startLT != nil || q.endLT != nil
	return externalIn && (ranged || q.ExcludeExternals || q.Source != nil || q.NoDestination) ||
		q.NoDestination && (q.Destination != nil || q.Direction == chain.In)
}

// probeDepth is how many rows of each lead are counted to find the rarest.
const probeDepth = 1000

// chooseLead makes the rarest condition lead when there are several: a page of what a busy account sent to an idle one
// is found at once from the idle one's side.
func (r *Reader) chooseLead(ctx context.Context, q *messageQuery) error {
	if len(q.leads) < 2 || len(q.Hashes) > 0 {
		return nil
	}
	s := &statement{}
	for i, l := range q.leads {
		if i > 0 {
			s.add(" UNION ALL ")
		}
		s.add("SELECT ?::bigint, count(*) FROM (", int64(i)).from("SELECT 1 FROM messages m")
		s.and(l.indexed, l.values...).add(" LIMIT 1000) p")
	}
	fewest := int64(probeDepth + 1)
	return each(ctx, r.pool, "messages", func(r *row) {
		if i, n := r.int8(), r.int8(); n < fewest {
			q.lead, fewest = int(i), n
		}
	}, s.text.String(), s.args...)
}

// lt is the column or expression by which the index that serves the query is ordered.
func (q *messageQuery) lt() string {
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

// externals says that only messages from or to the outside match, whose indexes are in the order of keys.
func (q *messageQuery) externals() bool {
	return q.NoSource || q.OnlyExternals || q.NoDestination || q.Kind != nil && *q.Kind != chain.InternalMessage
}

func (q *messageQuery) statement(p chain.Page) (*statement, list) {
	o := messageOrder(q.lt(), p.Sort)
	if q.hasUtime() {
		o = createdOrder(p.Sort)
	}
	l := newList(o, p)
	s := &statement{}
	switch {
	case len(q.Hashes) > 0:
		s.fence(messageColumns, "m", func() { q.among(s); s.keyset(&l) })
	case q.hasUtime() && q.lead >= 0:
		q.edge(s, &l)
	default:
		s.from("SELECT " + messageColumns + " FROM messages m")
		q.conditions(s)
		if q.hasUtime() {
			q.boundUtime(s, "m.created_at")
		}
		s.keyset(&l)
	}
	s.orderBy(l.order).window(&l)
	return s, l
}

// among starts from hashes, plain and normalised; a message that is found by both is taken by the plain one.
func (q *messageQuery) among(s *statement) {
	hashes := hashArray(unique(q.Hashes))
	s.from(`SELECT m.* FROM (SELECT n.* FROM unnest(?::bytea[]) h(hash) JOIN messages n ON n.hash = h.hash
		UNION ALL SELECT n.* FROM unnest(?::bytea[]) h(hash) JOIN messages n ON n.hash_norm = h.hash AND n.hash <> ALL(?)) m`,
		hashes, hashes, hashes)
	q.lead = -1
	q.conditions(s)
}

// edge serves a list by time whose index is in the order of LTs. As many rows as the page reaches are looked at by LT;
// the farthest time among them cannot lie before the page's end in the list, so the rows within it, put in order, hold
// the page.
func (q *messageQuery) edge(s *statement, l *list) {
	farthest, keep, bound := "max", " <= ", ltToUtime
	slack, lt := " + 30", q.lt()
	none := "0" // no row at all: nothing within reach
	if l.order[0].desc {
		farthest, keep, bound, slack, none = "min", " >= ", ltFromUtime, " - 30", "4294967295"
	}
	s.add("WITH edge AS MATERIALIZED (SELECT COALESCE(" + farthest + "(h.created_at), " + none + ") AS at FROM (")
	s.from("SELECT m.created_at FROM messages m")
	q.conditions(s)
	q.boundLT(s, lt)
	s.keyset(l)
	s.orderBy(order{{column: lt, desc: l.order[0].desc}}).add(" LIMIT ?) h) ", l.reach())
	s.fence(messageColumns, "m", func() {
		s.from("SELECT m.* FROM messages m")
		q.conditions(s)
		q.boundLT(s, lt)
		s.and("(m.created_at" + keep + "(SELECT at FROM edge)) IS TRUE")
		s.and(lt + replaceMark(bound, "(SELECT at FROM edge)"+slack))
		s.keyset(l)
	})
}

// conditions writes everything but the order's business.
func (q *messageQuery) conditions(s *statement) {
	for i, l := range q.leads {
		if i == q.lead {
			s.and(l.indexed, l.values...)
		} else {
			s.and(l.plain, l.value)
		}
	}
	kind := ""
	switch {
	case q.NoSource || q.OnlyExternals:
		kind = "m.kind = 1"
	case q.NoDestination:
		kind = "m.kind = 2"
	case q.ExcludeExternals || q.hasUtime() || q.startLT != nil || q.endLT != nil:
		s.and("m.kind <> 1")
	}
	if q.Kind != nil {
		switch of := fmt.Sprintf("m.kind = %d", *q.Kind); {
		case kind == "" && *q.Kind != chain.InternalMessage:
			kind = of
		case kind != of:
			s.and("(" + of + ") IS TRUE")
		}
	}
	if kind != "" && (q.lead >= 0 || len(q.Hashes) > 0) {
		kind = "(" + kind + ") IS TRUE" // no reason to walk that kind's index
	}
	if kind != "" {
		s.and(kind)
	}
	switch q.Direction {
	case chain.In:
		s.and("m.dst_tx_lt IS NOT NULL")
	case chain.Out:
		s.and("m.src_tx_lt IS NOT NULL")
	case chain.Both:
	}
	if q.lead >= 0 || len(q.Hashes) > 0 {
		q.filter(s, "m.created_at", q.lt())
		if q.lead >= 0 && !q.hasUtime() { // the lead's index goes by LT
			present(s, q.startLT, q.lt()+" >= ?", asLT)
			present(s, q.endLT, q.lt()+" <= ?", asLT)
		}
		return
	}
	q.restrict(s, "m.created_at", q.lt())
}
