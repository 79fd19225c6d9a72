package handler

import (
	"math"
	"strconv"
	"strings"

	"tonql/internal/chain"
)

// read converts the last value of name. It returns nil if the name was not sent or the value is invalid, which [Query.Err]
// reports.
func read[T any](q *Query, name string, as Form, convert func(string) (T, error)) *T {
	q.record(Param{Name: name, Form: as})
	return value(q, name, convert)
}

func value[T any](q *Query, name string, convert func(string) (T, error)) *T {
	p := q.last(name)
	if p == nil {
		return nil
	}
	v, err := convert(p.value)
	if err != nil {
		q.unreadable(p, -1, err)
		return nil
	}
	return &v
}

// readAll converts all values of name. A value that cannot be converted is split at commas. Empty values are skipped.
func readAll[T any](q *Query, name string, as Form, convert func(string) (T, error)) []T {
	q.record(Param{Name: name, Form: as, Many: true})
	var values []T
	for i, p := range q.all(name) {
		if p.value == "" {
			continue
		}
		v, err := convert(p.value)
		if err == nil {
			values = append(values, v)
			continue
		}
		if !strings.Contains(p.value, ",") {
			q.unreadable(p, i, err)
			continue
		}
		for part := range strings.SplitSeq(p.value, ",") {
			if part == "" {
				continue
			}
			v, err := convert(part)
			if err != nil {
				q.unreadable(p, i, err)
				break
			}
			values = append(values, v)
		}
	}
	return values
}

// Address reads an address in any form.
func (q *Query) Address(name string) *chain.Address {
	return read(q, name, AddressForm, ParseAddress)
}

// Addresses reads an array of addresses.
func (q *Query) Addresses(name string) []chain.Address {
	return readAll(q, name, AddressForm, ParseAddress)
}

// ParseAddress reads an address in any form. Space around it, which copying adds, is ignored.
func ParseAddress(text string) (chain.Address, error) {
	return chain.ParseAddress(strings.TrimSpace(text))
}

// NullableAddress reads an address, or one of the literals null and addr_none, which select rows without an address.
func (q *Query) NullableAddress(name string) (address *chain.Address, null bool) {
	q.record(Param{Name: name, Form: NullableAddressForm})
	if p := q.last(name); p != nil && (p.value == "null" || p.value == "addr_none") {
		return nil, true
	}
	return value(q, name, ParseAddress), false
}

// Hash reads a hash in any form.
func (q *Query) Hash(name string) *chain.Hash { return read(q, name, HashForm, chain.ParseHash) }

// Hashes reads an array of hashes.
func (q *Query) Hashes(name string) []chain.Hash { return readAll(q, name, HashForm, chain.ParseHash) }

// Shard reads a shard in hex or signed decimal.
func (q *Query) Shard(name string) *chain.Shard { return read(q, name, ShardForm, chain.ParseShard) }

// Opcode reads an opcode in hex or signed decimal.
func (q *Query) Opcode(name string) *uint32 { return read(q, name, OpcodeForm, parseOpcode) }

// parseOpcode reads up to eight hex digits with or without 0x, else a signed 32-bit decimal number.
func parseOpcode(s string) (uint32, error) {
	digits := strings.TrimPrefix(strings.TrimPrefix(s, "0x"), "0X")
	if len(digits) <= 8 {
		if v, err := strconv.ParseUint(digits, 16, 32); err == nil {
			return uint32(v), nil
		}
	}
	if v, err := strconv.ParseInt(s, 10, 32); err == nil {
		return uint32(v), nil
	}
	return 0, chain.Invalidf("an opcode is up to 8 hex digits or a signed 32-bit decimal number, not %s", chain.Quote(s))
}

// Int32 reads a signed decimal number; an empty value is 0.
func (q *Query) Int32(name string) *int32 { return read(q, name, Int32Form, parseInt32) }

func parseInt32(s string) (int32, error) {
	if s == "" {
		return 0, nil
	}
	v, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0, chain.Invalidf("expected a whole number from -2147483648 to 2147483647, not %s", chain.Quote(s))
	}
	return int32(v), nil
}

// Uint64 reads an unsigned decimal number; an empty value is 0.
func (q *Query) Uint64(name string) *uint64 { return read(q, name, Uint64Form, parseUint64) }

func parseUint64(s string) (uint64, error) {
	if s == "" {
		return 0, nil
	}
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, chain.Invalidf("expected a whole number from 0 to 18446744073709551615, not %s", chain.Quote(s))
	}
	return v, nil
}

// Utime reads Unix seconds, also in the form 1.7e+09 in which clients may print floating-point numbers. A fraction is truncated, and
// times that exceed 32 bits count as the maximum.
func (q *Query) Utime(name string) *uint32 { return read(q, name, UtimeForm, parseUtime) }

func parseUtime(s string) (uint32, error) {
	if s == "" {
		return 0, nil
	}
	if exponent := strings.IndexAny(s, "eE"); exponent > 0 && strings.Trim(s[:exponent], "0123456789.") == "" {
		if v, err := strconv.ParseFloat(s, 64); err == nil {
			return uint32(min(v, math.MaxUint32)), nil
		}
	}
	seconds, fraction, _ := strings.Cut(s, ".")
	v, err := strconv.ParseUint(seconds, 10, 64)
	if err != nil || strings.Trim(fraction, "0123456789") != "" {
		return 0, chain.Invalidf("expected Unix seconds, such as 1700000000, not %s", chain.Quote(s))
	}
	return uint32(min(v, math.MaxUint32)), nil
}

// Bool reads a boolean. It returns fallback if the name was not sent, and false for an empty value.
func (q *Query) Bool(name string, fallback bool) bool {
	q.record(Param{Name: name, Form: BoolForm, Default: fallback})
	if v := value(q, name, parseBool); v != nil {
		return *v
	}
	return fallback
}

func parseBool(s string) (bool, error) {
	switch s {
	case "":
		return false, nil
	case "on":
		return true, nil
	}
	v, err := strconv.ParseBool(s)
	if err != nil {
		return false, chain.Invalidf("expected true or false, not %s", chain.Quote(s))
	}
	return v, nil
}

// BoolIf reads a boolean; nil if the name was not sent.
func (q *Query) BoolIf(name string) *bool { return read(q, name, BoolForm, parseBool) }

// Text reads a string. sent reports whether the name was sent.
func (q *Query) Text(name string) (value string, sent bool) {
	q.record(Param{Name: name, Form: TextForm})
	if p := q.last(name); p != nil {
		return p.value, true
	}
	return "", false
}

// Texts reads an array of strings. Values are not split at commas.
func (q *Query) Texts(name string) []string {
	q.record(Param{Name: name, Form: TextForm, Many: true})
	var values []string
	for _, p := range q.all(name) {
		values = append(values, p.value)
	}
	return values
}

// Names reads an array of names, which contain no commas: one value may hold several, separated by commas.
func (q *Query) Names(name string) []string {
	var names []string
	for _, value := range q.Texts(name) {
		names = append(names, strings.Split(value, ",")...)
	}
	if len(names) > maxPairs {
		q.Refuse(chain.Invalidf("%d values of %s are too many: at most %d are allowed in one request", len(names), name, maxPairs))
		return nil
	}
	return names
}

// Lenient reads a 32-bit number. Absent and invalid values count as 0.
func (q *Query) Lenient(name string) int32 {
	q.record(Param{Name: name, Form: Int32Form})
	p := q.last(name)
	if p == nil {
		return 0
	}
	v, err := strconv.ParseInt(p.value, 10, 32)
	if err != nil {
		return 0
	}
	return int32(v)
}

// Direction reads a direction: in or out. If it is absent, it is both.
func (q *Query) Direction(name string) chain.Direction {
	text := q.Enum(name, "in", "out")
	d, err := chain.ParseDirection(text)
	q.Refuse(err)
	return d
}

// Limit reads limit. Values below 1 count as 1.
func (q *Query) Limit(fallback int) int {
	q.record(Param{Name: "limit", Form: LimitForm, Default: fallback})
	if v := value(q, "limit", parseInt32); v != nil {
		return max(1, int(*v))
	}
	return fallback
}

// Offset reads offset. Values below 0 count as 0.
func (q *Query) Offset() int {
	q.record(Param{Name: "offset", Form: OffsetForm, Default: 0})
	if v := value(q, "offset", parseInt32); v != nil {
		return max(0, int(*v))
	}
	return 0
}

// Sort reads sort. It returns fallback if sort was not sent.
func (q *Query) Sort(fallback chain.Sort) chain.Sort {
	def := "desc"
	if fallback == chain.Ascending {
		def = "asc"
	}
	q.record(Param{Name: "sort", Form: EnumForm, Values: sortValues, Default: def})
	s, _ := q.sort(fallback)
	return s
}

// SortIf reads sort for a list that has another order if sort was not sent. sent reports whether it was.
func (q *Query) SortIf(fallback chain.Sort) (s chain.Sort, sent bool) {
	q.record(Param{Name: "sort", Form: EnumForm, Values: sortValues})
	return q.sort(fallback)
}

var sortValues = []string{"asc", "desc"}

func (q *Query) sort(fallback chain.Sort) (s chain.Sort, sent bool) {
	p := q.last("sort")
	if p == nil || p.value == "" {
		return fallback, false
	}
	s, err := chain.ParseSort(strings.ToLower(p.value), fallback)
	q.Refuse(err)
	return s, true
}

// Enum reads a string that should be one of values. It returns other strings unchanged; the caller decides about them.
func (q *Query) Enum(name string, values ...string) string {
	q.record(Param{Name: name, Form: EnumForm, Values: values})
	if p := q.last(name); p != nil {
		return p.value
	}
	return ""
}
