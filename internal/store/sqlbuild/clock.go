package sqlbuild

// clockSlack is by how many seconds the clocks of shards may disagree with the order of their LTs. A block made this
// much later than another has larger LTs: by then the masterchain has seen the one and is referred to by the other.
const clockSlack = 30

// Ranges of time as conditions on an LT column, and the reverse, each a little wider than requested; the exact condition
// stays beside them. Where the blocks do not reach far enough they do not restrict.
const (
	// LTFromUtime holds for LTs of blocks at or after a time.
	LTFromUtime = ` >= COALESCE((SELECT e.start_lt FROM blocks e WHERE e.gen_utime < ? ORDER BY e.gen_utime DESC LIMIT 1), 0)`
	// LTToUtime holds for LTs of blocks at or before a time.
	LTToUtime   = ` <= COALESCE((SELECT e.end_lt FROM blocks e WHERE e.gen_utime > ? ORDER BY e.gen_utime LIMIT 1), 9223372036854775807)`
	utimeFromLT = ` >= COALESCE((SELECT e.gen_utime FROM blocks e WHERE e.start_lt <= ? ORDER BY e.start_lt DESC LIMIT 1), 0) - 30`
	utimeToLT   = ` <= COALESCE((SELECT e.gen_utime FROM blocks e WHERE e.start_lt >= ? ORDER BY e.start_lt LIMIT 1), 4294967295) + 30`
)

// Span is an optional range of times and one of LTs, both inclusive.
type Span struct {
	FromUtime, ToUtime *uint32
	FromLT, ToLT       *uint64
}

// HasUtime reports whether the span restricts times.
func (p *Span) HasUtime() bool { return p.FromUtime != nil || p.ToUtime != nil }

// Restrict writes the exact ranges as conditions on the columns utime and lt.
func (p *Span) Restrict(s *Statement, utime, lt string) {
	Present(s, p.FromUtime, utime+" >= ?", AsInt8[uint32])
	Present(s, p.ToUtime, utime+" <= ?", AsInt8[uint32])
	Present(s, p.FromLT, lt+" >= ?", AsLT)
	Present(s, p.ToLT, lt+" <= ?", AsLT)
}

// Filter writes the exact ranges as Restrict does, in a form that uses no index.
func (p *Span) Filter(s *Statement, utime, lt string) {
	Present(s, p.FromUtime, "("+utime+" >= ?) IS TRUE", AsInt8[uint32])
	Present(s, p.ToUtime, "("+utime+" <= ?) IS TRUE", AsInt8[uint32])
	Present(s, p.FromLT, "("+lt+" >= ?) IS TRUE", AsLT)
	Present(s, p.ToLT, "("+lt+" <= ?) IS TRUE", AsLT)
}

// BoundLT helps a scan in the order of LTs: the range of times as a range of LTs.
func (p *Span) BoundLT(s *Statement, lt string) {
	if p.FromUtime != nil {
		s.And(lt+LTFromUtime, int64(*p.FromUtime)-clockSlack)
	}
	if p.ToUtime != nil {
		s.And(lt+LTToUtime, int64(*p.ToUtime)+clockSlack)
	}
}

// BoundUtime helps a scan in the order of times: the range of LTs as a range of times.
func (p *Span) BoundUtime(s *Statement, utime string) {
	if p.FromLT != nil {
		s.And(utime+utimeFromLT, AsLT(*p.FromLT))
	}
	if p.ToLT != nil {
		s.And(utime+utimeToLT, AsLT(*p.ToLT))
	}
}

// Holds reports whether the end of a trace lies in the span.
func (p *Span) Holds(utime uint32, lt uint64) bool {
	return (p.FromUtime == nil || utime >= *p.FromUtime) && (p.ToUtime == nil || utime <= *p.ToUtime) &&
		(p.FromLT == nil || lt >= *p.FromLT) && (p.ToLT == nil || lt <= *p.ToLT)
}
