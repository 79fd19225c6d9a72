package action

import (
	"slices"

	"tonql/internal/contract"
)

// OpExcesses returns the coins that a request did not use.
const OpExcesses = 0xd53276db

// Pattern describes a block and the blocks around it. Build it once, with the functions and methods below; matching does not
// change it.
type Pattern struct {
	test     func(*Block) bool
	name     string
	optional bool
	many     bool
	untaken  bool
	before   *Pattern
	then     []*Pattern
	among    func(*Block) []*Block
	either   []*Pattern
	first    starts
}

// Call matches a message to a contract with one of these opcodes.
func Call(ops ...uint32) *Pattern {
	p := Where(func(b *Block) bool {
		return b.IsBasic() && !b.IsLog() && b.Msg != nil && b.Msg.Opcode != nil && slices.Contains(ops, *b.Msg.Opcode)
	})
	p.first = starts{ops: ops}
	return p
}

// Bounced matches a bounced message, see [Block.Bounced].
func Bounced() *Pattern {
	return Where((*Block).Bounced).Calling(contract.OpBounce, contract.OpNewBounce)
}

// Log matches an external outgoing message with one of these opcodes.
func Log(ops ...uint32) *Pattern {
	p := Where(func(b *Block) bool {
		return b.IsBasic() && b.IsLog() && b.Msg.Opcode != nil && slices.Contains(ops, *b.Msg.Opcode)
	})
	p.first = starts{ops: ops}
	return p
}

// Is matches a block of one of these internal types.
func Is(types ...string) *Pattern {
	p := Where(func(b *Block) bool { return slices.Contains(types, b.Type) && !b.IsLog() })
	p.first = starts{types: types}
	return p
}

// Where matches a block that passes a test.
func Where(test func(*Block) bool) *Pattern { return &Pattern{test: test, first: starts{any: true}} }

// Either matches the first of several patterns that fits.
func Either(ps ...*Pattern) *Pattern { return &Pattern{either: ps} }

// Calling limits a Where to messages with one of these opcodes. Traces without them are skipped.
func (p *Pattern) Calling(ops ...uint32) *Pattern { p.first = starts{ops: ops}; return p }

// Of limits a Where to blocks of these internal types. Traces without them are skipped.
func (p *Pattern) Of(types ...string) *Pattern { p.first = starts{types: types}; return p }

// As names the block for the builder, see [Match.Get].
func (p *Pattern) As(name string) *Pattern { p.name = name; return p }

// Then adds patterns of blocks that must follow, each a different block.
func (p *Pattern) Then(ps ...*Pattern) *Pattern { p.then = append(p.then, ps...); return p }

// After sets the pattern of the block directly before.
func (p *Pattern) After(before *Pattern) *Pattern { p.before = before; return p }

// Among limits the block to those of the following ones that a function returns, which are tried in its order. The function is called
// once for a block before: what it reads is read once, however many blocks follow.
func (p *Pattern) Among(among func(before *Block) []*Block) *Pattern { p.among = among; return p }

// Maybe makes the block optional.
func (p *Pattern) Maybe() *Pattern { p.optional = true; return p }

// Every matches all blocks that fit: at least one, unless the pattern is optional.
func (p *Pattern) Every() *Pattern { p.many = true; return p }

// Untaken requires the block without adding it to the match.
func (p *Pattern) Untaken() *Pattern { p.untaken = true; return p }

// Match is the set of blocks that a pattern matched.
type Match struct {
	Start *Block // where the pattern starts
	named []namedBlock
	taken []*Block
	only  []*Block // taken without the excesses and bounces behind them
}

type namedBlock struct {
	name  string
	block *Block
}

// Get returns the first block of a name; nil without one.
func (m *Match) Get(name string) *Block {
	for _, n := range m.named {
		if n.name == name {
			return n.block
		}
	}
	return nil
}

// All returns the blocks of a name.
func (m *Match) All(name string) []*Block {
	var all []*Block
	for _, n := range m.named {
		if n.name == name {
			all = append(all, n.block)
		}
	}
	return all
}

// Take adds blocks that the pattern cannot name, such as neighbors that only the builder finds.
func (m *Match) Take(blocks ...*Block) {
	for _, b := range blocks {
		if !m.has(b) {
			m.taken = append(m.taken, b)
		}
	}
}

// TakeOnly adds blocks without the excesses and bounces that follow them.
func (m *Match) TakeOnly(blocks ...*Block) {
	m.Take(blocks...)
	m.only = append(m.only, blocks...)
}

func (m *Match) has(b *Block) bool { return slices.Contains(m.taken, b) }

// find matches the pattern with b as its start; nil without a match.
func (p *Pattern) find(b *Block) *Match {
	if p.test != nil && !p.test(b) {
		return nil // most blocks: no allocation
	}
	m := &Match{Start: b}
	if !p.at(b, m) {
		return nil
	}
	return m
}

// at adds b and the blocks around it to the match. Without a match it leaves m unchanged.
func (p *Pattern) at(b *Block, m *Match) bool {
	for _, e := range p.either {
		if e.at(b, m) {
			if p.name != "" {
				m.note(p.name, b)
			}
			return true
		}
	}
	if p.test == nil || m.has(b) || !p.test(b) {
		return false
	}
	taken, named := len(m.taken), len(m.named)
	if !p.untaken {
		m.taken = append(m.taken, b)
	}
	if p.name != "" {
		m.note(p.name, b)
	}
	if p.around(b, m) {
		return true
	}
	m.taken, m.named = m.taken[:taken], m.named[:named]
	return false
}

func (p *Pattern) around(b *Block, m *Match) bool {
	if p.before != nil && (b.IsFirst() || !p.before.at(b.Prev, m)) && !p.before.optional {
		return false
	}
	for _, t := range p.then {
		found, following := false, b.Next
		if t.among != nil {
			following = t.among(b)
		}
		for _, n := range following {
			if m.has(n) || !t.at(n, m) {
				continue
			}
			if found = true; !t.many {
				break
			}
		}
		if !found && !t.optional {
			return false
		}
	}
	return true
}

func (m *Match) note(name string, b *Block) { m.named = append(m.named, namedBlock{name, b}) }

// swallow adds the excesses and bounces that directly follow the blocks of the match. Those of the request return to its sender, so they
// are added only if the kind has all of them.
func (m *Match) swallow(s *Spec) {
	if s.OnlyPattern {
		return
	}
	request := m.Start
	if s.Request != "" {
		request = m.Get(s.Request)
	}
	for _, b := range slices.Clone(m.taken) {
		if b == request && !s.AllExcesses || slices.Contains(m.only, b) {
			continue
		}
		for _, n := range b.Next {
			if n.Calls(OpExcesses) || n.Bounced() {
				m.Take(n)
			}
		}
	}
}
