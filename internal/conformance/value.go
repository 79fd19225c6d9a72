package conformance

import (
	"encoding/json"
	"fmt"
	"math/big"
)

// value is a part of a response. Reading what is not there fails the check, and yields a value that is absent; reading on
// from an absent value yields absent values, so checks need no branches for errors.
type value struct {
	p    *probe
	v    any
	path string
	ok   bool
}

func (v value) present() bool { return v.ok }

// at returns a member of an object.
func (v value) at(names ...string) value {
	for _, name := range names {
		if !v.ok {
			return v
		}
		object, ok := v.v.(map[string]any)
		member, there := object[name]
		if !ok || !there {
			v.p.failf("%s has no member %q", v.path, name)
			return value{p: v.p, path: v.path + "." + name}
		}
		v = value{v.p, member, v.path + "." + name, true}
	}
	return v
}

// has reports whether an object has a member that is not null.
func (v value) has(name string) bool {
	object, _ := v.v.(map[string]any)
	return object[name] != nil
}

// null reports whether a value is null or absent.
func (v value) null() bool { return v.v == nil }

// rows returns the elements of an array.
func (v value) rows() []value {
	if !v.ok {
		return nil
	}
	list, ok := v.v.([]any)
	if !ok {
		v.p.failf("%s is %s, not an array", v.path, show(v.v))
		return nil
	}
	rows := make([]value, len(list))
	for i, e := range list {
		rows[i] = value{v.p, e, fmt.Sprintf("%s[%d]", v.path, i), true}
	}
	return rows
}

// members returns the values of an object, by name.
func (v value) members() []value {
	if !v.ok {
		return nil
	}
	object, ok := v.v.(map[string]any)
	if !ok {
		v.p.failf("%s is %s, not an object", v.path, show(v.v))
		return nil
	}
	var members []value
	for _, name := range sortedNames(object) {
		members = append(members, value{v.p, object[name], v.path + "." + cut(name, 80), true})
	}
	return members
}

// names returns the names of an object's members.
func (v value) names() []string {
	object, ok := v.v.(map[string]any)
	if v.ok && !ok {
		v.p.failf("%s is %s, not an object", v.path, show(v.v))
	}
	return sortedNames(object)
}

// text returns a string, also of a number: APIs differ in which of the two they use.
func (v value) text(names ...string) string {
	v = v.at(names...)
	if !v.ok {
		return ""
	}
	switch t := v.v.(type) {
	case string:
		return t
	case json.Number:
		return t.String()
	}
	v.p.failf("%s is %s, not a string", v.path, show(v.v))
	return ""
}

// integer returns a number, also of a decimal string.
func (v value) integer(names ...string) *big.Int {
	v = v.at(names...)
	if !v.ok {
		return new(big.Int)
	}
	text := fmt.Sprint(v.v)
	if _, boolean := v.v.(bool); !boolean && integer.MatchString(text) {
		n, _ := new(big.Int).SetString(text, 10) // the form was checked
		return n
	}
	v.p.failf("%s is %s, not an integer", v.path, show(v.v))
	return new(big.Int)
}

// small returns a number that fits into 63 bits; 0 otherwise.
func (v value) small(names ...string) int64 {
	n := v.integer(names...)
	if !n.IsInt64() {
		v.p.failf("%s is out of range", v.path)
		return 0
	}
	return n.Int64()
}

// truth returns a boolean.
func (v value) truth(names ...string) bool {
	v = v.at(names...)
	b, ok := v.v.(bool)
	if v.ok && !ok {
		v.p.failf("%s is %s, not a boolean", v.path, show(v.v))
	}
	return b
}
