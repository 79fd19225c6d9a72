package conformance

import (
	"strconv"
)

// facts are what checks have read from the server to compare with, by name. They are read once in a run.
type facts map[string]any

// has reports whether the run includes a section that the server has.
func (f facts) has(section Section) bool { return f["section "+string(section)] == true }

// offers reports whether the server has a section, which the run need not include.
func (p *probe) offers(section Section) bool {
	name := "section " + string(section)
	if _, tried := (*p.facts)[name]; !tried {
		(*p.facts)[name] = detect(p.ctx, p.client, section) == ""
	}
	return p.facts.has(section)
}

// fact returns a fact, and loads it if no check has read it before.
func (p *probe) fact(name string, load func() value) value {
	if v, ok := (*p.facts)[name]; ok {
		return value{p, v, name, true}
	}
	v := load()
	if !v.ok || p.over() {
		return value{p: p, path: name}
	}
	(*p.facts)[name] = v.v
	v.path = name
	return v
}

// settledBlocks is how far before the newest block a block counts as settled: shards have committed what is older.
const settledBlocks = 8

// settled is a masterchain block whose past no longer changes in lists.
func (p *probe) settled() value {
	return p.fact("settled block", func() value {
		info := p.v3("masterchainInfo")
		seqno := max(info.small("first", "seqno"), info.small("last", "seqno")-settledBlocks)
		return p.first(p.v3("blocks", "workchain", "-1", "seqno", strconv.FormatInt(seqno, 10), "limit", "1").at("blocks"), "masterchain blocks")
	})
}

// first returns the first row of a list, and skips the check when the list is empty.
func (p *probe) first(list value, what string) value {
	if rows := list.rows(); p.someRows(rows, 1, what) {
		return rows[0]
	}
	return value{p: p, path: what}
}

// endLT is the LT up to which lists no longer change.
func (p *probe) endLT() string { return p.settled().text("start_lt") }

// sample is a page of settled transactions of the basechain.
func (p *probe) sample() value {
	return p.fact("sample of transactions", func() value {
		return p.v3("transactions", "workchain", "0", "end_lt", p.endLT(), "limit", "100").at("transactions")
	})
}

// find returns the first transaction of the sample that has a property.
func (p *probe) find(what string, holds func(value) bool) value {
	for _, tx := range p.sample().rows() {
		if holds(tx) {
			return tx
		}
	}
	p.skipf("no transaction of the sample is %s", what)
	return value{p: p, path: what}
}

// received is a transaction that another account's message caused.
func (p *probe) received() value {
	return p.find("caused by a message of an account", func(tx value) bool {
		in := tx.at("in_msg")
		return in.has("source") && in.has("out_msg_tx_hash") && in.has("opcode") && in.text("source") != tx.text("account")
	})
}

// sent is a transaction that sent a message to another account, which is received.
func (p *probe) sent() value {
	return p.find("one that sends a message", func(tx value) bool {
		out := tx.at("out_msgs").rows()
		return len(out) > 0 && out[0].has("destination") && out[0].has("in_msg_tx_hash")
	})
}

// external is a transaction that an external message caused.
func (p *probe) external() value {
	return p.find("caused by an external message", func(tx value) bool {
		in := tx.at("in_msg")
		return !in.null() && !in.has("source")
	})
}

// busiest is the account of most transactions of the sample.
func (p *probe) busiest() string {
	counts, best := map[string]int{}, ""
	for _, tx := range p.sample().rows() {
		account := tx.text("account")
		counts[account]++
		if n := counts[account]; n > counts[best] || n == counts[best] && account < best {
			best = account
		}
	}
	p.requiref(best != "" || p.over(), "the sample of transactions is empty")
	return best
}

// owned returns a row of a list of contracts.
func (p *probe) owned(path, key string, pairs ...string) value {
	return p.fact(path, func() value { return p.first(p.v3(path, append(pairs, "limit", "1")...).at(key), path) })
}
