package action

import "slices"

// starts are the blocks at which a pattern can start. Most kinds start at a few opcodes that most traces do not have.
type starts struct {
	ops   []uint32
	types []string
	any   bool
}

// add adds the starts of p.
func (s *starts) add(p *Pattern) {
	s.ops, s.types = append(s.ops, p.first.ops...), append(s.types, p.first.types...)
	s.any = s.any || p.first.any
	for _, e := range p.either {
		s.add(e)
	}
}

// tree are the blocks of a trace while kinds run.
type tree struct {
	top    *Block
	blocks []*Block // blocks in the tree, breadth first; nil after a change
	ops    []uint32 // of all messages, ascending
	types  []string // of all current and replaced blocks
}

func newTree(root *Block) *tree {
	t := &tree{top: &Block{Type: typeTop}}
	t.top.adopt(root)
	for _, b := range t.list() {
		if b.Msg != nil && b.Msg.Opcode != nil {
			t.ops = append(t.ops, *b.Msg.Opcode)
		}
		t.note(b.Type)
	}
	slices.Sort(t.ops)
	t.ops = slices.Compact(t.ops)
	return t
}

// list returns the blocks of the tree breadth first.
func (t *tree) list() []*Block {
	if t.blocks == nil {
		t.blocks = breadthFirst(t.top)[1:]
	}
	return t.blocks
}

func (t *tree) note(kind string) {
	if !slices.Contains(t.types, kind) {
		t.types = append(t.types, kind)
	}
}

// mayHold reports whether a block of the tree can be a start.
func (t *tree) mayHold(s starts) bool {
	if s.any {
		return true
	}
	for _, op := range s.ops {
		if _, ok := slices.BinarySearch(t.ops, op); ok {
			return true
		}
	}
	for _, kind := range s.types {
		if slices.Contains(t.types, kind) {
			return true
		}
	}
	return false
}

// run replaces the matches of one kind, breadth first.
func (t *tree) run(ctx *Context, s *Spec) {
	if !t.mayHold(s.first) {
		return
	}
	var all []*Match
	for _, b := range t.list() {
		if b.within != nil {
			continue
		}
		m := s.Match.find(b)
		if m == nil || m.has(t.top) {
			continue
		}
		if s.Join != nil {
			all = append(all, m)
			continue
		}
		r := s.Build(ctx, m)
		if r == nil {
			continue
		}
		m.swallow(s)
		t.replace(m, s, r)
	}
	if len(all) == 0 {
		return
	}
	for _, j := range s.Join(ctx, all) {
		t.replace(&Match{Start: j.Parts[0], taken: j.Parts}, s, j.Result)
	}
}

// replace replaces the blocks of the match by one.
func (t *tree) replace(m *Match, s *Spec, r *Result) {
	made := merge(m.taken)
	made.Type, made.Kind, made.Msg, made.Tx = s.Type, s.Kind, m.Start.Msg, m.Start.Tx
	if r.Kind != "" {
		made.Kind = r.Kind
	}
	made.Columns, made.Success, made.also, made.alone = r.Columns, !r.Failed, r.Also, r.WithoutSender
	t.note(made.Type)
	t.blocks = nil
}
