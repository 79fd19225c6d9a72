package store

// clockSlack is by how many seconds the clocks of shards may disagree with the order of their LTs. A block made this
// much later than another has larger LTs: by then the masterchain has seen the one and is referred to by the other.
const clockSlack = 30

// Ranges of time as conditions on an LT column, and the reverse, each a little wider than asked; the exact condition
// stays beside them. Where the blocks do not reach far enough they do not restrict.
const (
	ltFromUtime = ` >= COALESCE((SELECT e.start_lt FROM blocks e WHERE e.gen_utime < ? ORDER BY e.gen_utime DESC LIMIT 1), 0)`
	ltToUtime   = ` <= COALESCE((SELECT e.end_lt FROM blocks e WHERE e.gen_utime > ? ORDER BY e.gen_utime LIMIT 1), 9223372036854775807)`
	utimeFromLT = ` >= COALESCE((SELECT e.gen_utime FROM blocks e WHERE e.start_lt <= ? ORDER BY e.start_lt DESC LIMIT 1), 0) - 30`
	utimeToLT   = ` <= COALESCE((SELECT e.gen_utime FROM blocks e WHERE e.start_lt >= ? ORDER BY e.start_lt LIMIT 1), 4294967295) + 30`
)

// span is an optional range of times and one of LTs, both inclusive.
type span struct {
	startUtime, endUtime *uint32
	startLT, endLT       *uint64
}

func (p *span) hasUtime() bool { return p.startUtime != nil || p.endUtime != nil }

// restrict writes the ranges as they were asked.
func (p *span) restrict(s *statement, utime, lt string) {
	present(s, p.startUtime, utime+" >= ?", asInt8[uint32])
	present(s, p.endUtime, utime+" <= ?", asInt8[uint32])
	present(s, p.startLT, lt+" >= ?", asLT)
	present(s, p.endLT, lt+" <= ?", asLT)
}

// filter is restrict without a claim to an index.
func (p *span) filter(s *statement, utime, lt string) {
	present(s, p.startUtime, "("+utime+" >= ?) IS TRUE", asInt8[uint32])
	present(s, p.endUtime, "("+utime+" <= ?) IS TRUE", asInt8[uint32])
	present(s, p.startLT, "("+lt+" >= ?) IS TRUE", asLT)
	present(s, p.endLT, "("+lt+" <= ?) IS TRUE", asLT)
}

// boundLT helps a scan in the order of LTs: the range of times as a range of LTs.
func (p *span) boundLT(s *statement, lt string) {
	if p.startUtime != nil {
		s.and(lt+ltFromUtime, int64(*p.startUtime)-clockSlack)
	}
	if p.endUtime != nil {
		s.and(lt+ltToUtime, int64(*p.endUtime)+clockSlack)
	}
}

// boundUtime helps a scan in the order of times: the range of LTs as a range of times.
func (p *span) boundUtime(s *statement, utime string) {
	if p.startLT != nil {
		s.and(utime+utimeFromLT, asLT(*p.startLT))
	}
	if p.endLT != nil {
		s.and(utime+utimeToLT, asLT(*p.endLT))
	}
}

// holds says whether the end of a trace lies in the span.
func (p *span) holds(utime uint32, lt uint64) bool {
	return (p.startUtime == nil || utime >= *p.startUtime) && (p.endUtime == nil || utime <= *p.endUtime) &&
		(p.startLT == nil || lt >= *p.startLT) && (p.endLT == nil || lt <= *p.endLT)
}
