package replay

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/internal/cellparts"
	"tonql/internal/chain"
)

// collect converts the results of the lanes to rows, in the order of the transactions, and returns the states to the cache.
func (r *Replayer) collect(m *decode.Master, lanes []*lane) Stats {
	stats := Stats{Proven: map[string]int{}, Unverified: map[string]int{}, OldRules: map[string]int{}}
	owner := make([]*lane, len(m.Transactions))
	place := make([]int, len(m.Transactions))
	for _, l := range lanes {
		stats.Fetched += l.fetched
		for i := range l.steps {
			owner[l.steps[i].index], place[l.steps[i].index] = l, i
		}
	}
	m.States = slices.Grow(m.States, len(m.Transactions)+len(lanes)) // the states after, and those to begin with
	rows := &rowWriter{m: m.MasterBlock, codes: r.codes}
	for i := range m.Transactions {
		l, s := owner[i], &owner[i].steps[place[i]]
		m.Transactions[i].Verification = s.verification
		switch s.verification {
		case chain.Replayed:
			stats.Replayed++
		case chain.Mismatch:
			stats.Mismatched++
			m.Mismatches = append(m.Mismatches, *s.mismatch)
		case chain.Unverified:
			stats.Unverified[s.unverified.Reason]++
			m.Unverified = append(m.Unverified, *s.unverified)
		case chain.OldRules:
			stats.OldRules[s.why]++
		case chain.Proven:
			stats.Proven[s.why]++
		}
		if place[i] == 0 && l.base != nil {
			rows.add(l.base, nil)
		}
		if s.after != nil {
			rows.add(s.after, l.data(place[i]))
		}
	}
	for _, l := range lanes {
		if last := l.steps[len(l.steps)-1].after; last != nil {
			m.Final[l.account] = last
		}
		l.settle()
		r.states.put(l.account, l.state)
	}
	r.states.endRound()
	m.Libraries, m.LibraryFacts = r.codes.commit()
	return stats
}

// data returns the hash of the data before step i according to the last row; nil without such a row.
func (l *lane) data(i int) *chain.Hash {
	for i--; i >= 0; i-- {
		if after := l.steps[i].after; after != nil {
			return after.Row.DataHash
		}
	}
	if l.base != nil {
		return l.base.Row.DataHash
	}
	if l.state != nil {
		return l.state.data
	}
	return nil
}

// settle copies the hashes of code and data from the last row to the final state.
func (l *lane) settle() {
	if l.state == nil {
		return
	}
	if after := l.steps[len(l.steps)-1].after; after != nil {
		l.state.code, l.state.data = after.Row.CodeHash, after.Row.DataHash
	}
}

// rowWriter appends account states and their cells to a masterchain block.
type rowWriter struct {
	m     *chain.MasterBlock
	codes *codeRegistry
}

// add appends one state. It omits the data when the previous state, which was written already, has the same data.
func (w *rowWriter) add(s *decode.State, before *chain.Hash) {
	w.m.States = append(w.m.States, s.Row)
	if s.Code != nil && w.codes.first(*s.Row.CodeHash) {
		w.cells(s.Code)
	}
	if s.Data != nil && (before == nil || *before != *s.Row.DataHash) && s.Row.UsedCells <= decode.MaxStoredCells {
		if _, written := w.m.Cells[*s.Row.DataHash]; !written {
			w.cells(s.Data)
		}
	}
	if s.Libraries != nil && s.Row.UsedCells <= decode.MaxStoredCells {
		if hash := chain.Hash(s.Libraries.HashKey()); w.codes.first(hash) {
			w.cells(s.Libraries)
		}
	}
	if s.Libraries != nil && s.Row.Account.Workchain == chain.MasterchainID {
		w.codes.publish(publicLibraries(s))
	}
}

// cells adds a tree and those of its parts that no block of this run has yet. A tree that cannot be split is one part.
func (w *rowWriter) cells(root *cell.Cell) {
	split := cellparts.Splitter{Stored: w.codes.parts.get, Emit: func(hash chain.Hash, part *cell.Cell, cells int) {
		w.codes.parts.put(hash, cells)
		w.m.Cells[hash] = decode.StateBOC(part)
	}}
	part, err := split.Split(root)
	if err != nil {
		part = root
	}
	w.m.Cells[chain.Hash(root.HashKey())] = decode.StateBOC(part)
}

// publicLibraries returns the libraries that an account publishes.
func publicLibraries(s *decode.State) []*cell.Cell {
	libs, err := decode.PublicLibraries(s.Libraries)
	if err != nil {
		return nil
	}
	return libs
}

// codeRegistry records which code and library cells this run has added to a block, and which libraries a code references.
// Additions of a block count only when the block is complete, so that a repeated attempt adds them again.
type codeRegistry struct {
	mu      sync.Mutex
	given   *generations[struct{}]
	parts   *generations[int]          // of code, data and libraries, with their numbers of cells (internal/cellparts)
	refs    *generations[[]chain.Hash] // guarded by mu
	pending map[chain.Hash]struct{}
	noted   map[chain.Hash]*cell.Cell // guarded by mu
	written *generations[struct{}]
	facts   map[chain.LibraryFact]struct{} // of this block; guarded by mu
	emitted map[chain.LibraryFact]struct{} // of earlier blocks of this run
}

// maxEmittedFacts is the number of facts after which the registry forgets them and adds them to blocks again.
const maxEmittedFacts = 1 << 16

func newCodeRegistry() *codeRegistry {
	return &codeRegistry{
		given: newGenerations[struct{}](), parts: newGenerations[int](), refs: newGenerations[[]chain.Hash](), written: newGenerations[struct{}](),
		pending: map[chain.Hash]struct{}{}, noted: map[chain.Hash]*cell.Cell{},
		facts: map[chain.LibraryFact]struct{}{}, emitted: map[chain.LibraryFact]struct{}{},
	}
}

// first reports whether no block of this run has the code yet, and records it for the present block.
func (b *codeRegistry) first(code chain.Hash) bool {
	if _, ok := b.given.get(code); ok {
		return false
	}
	if _, ok := b.pending[code]; ok {
		return false
	}
	b.pending[code] = struct{}{}
	return true
}

// libraries returns the libraries that the code of an account references.
func (b *codeRegistry) libraries(s *state) []chain.Hash {
	st := s.prepared.State()
	if st == nil || st.StateInit == nil || st.StateInit.Code == nil {
		return nil
	}
	return b.named(st.StateInit.Code)
}

// named returns the libraries that a code references. It is safe for concurrent use.
func (b *codeRegistry) named(code *cell.Cell) []chain.Hash {
	hash := chain.Hash(code.HashKey())
	b.mu.Lock()
	refs, ok := b.refs.get(hash)
	b.mu.Unlock()
	if !ok {
		refs = libraryRefs(code, maxNamed)
		b.mu.Lock()
		b.refs.put(hash, refs)
		b.mu.Unlock()
	}
	return refs
}

// note records libraries at a block for the rows of the block. It is safe for concurrent use.
func (b *codeRegistry) note(view *LibraryView, hashes []chain.Hash) {
	facts := view.facts(hashes)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range facts {
		b.facts[f] = struct{}{}
	}
	for _, h := range hashes {
		if lib, ok := view.Library(h); ok {
			b.noted[h] = lib
		}
	}
}

// publish records libraries that an account of the masterchain publishes.
func (b *codeRegistry) publish(libs []*cell.Cell) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, lib := range libs {
		b.noted[chain.Hash(lib.HashKey())] = lib
	}
}

// commit ends a block. It returns the libraries to write with the block, sorted by hash, and the facts about them.
func (b *codeRegistry) commit() ([]chain.Library, []chain.LibraryFact) {
	for code := range b.pending {
		b.given.put(code, struct{}{})
	}
	clear(b.pending)
	var libs []chain.Library
	for h, lib := range b.noted {
		if _, ok := b.written.get(h); !ok {
			b.written.put(h, struct{}{})
			libs = append(libs, chain.Library{Hash: h, BOC: decode.StateBOC(lib)})
		}
	}
	clear(b.noted)
	return sortLibraries(libs), b.commitFacts()
}

func (b *codeRegistry) commitFacts() []chain.LibraryFact {
	if len(b.emitted) > maxEmittedFacts {
		clear(b.emitted)
	}
	var facts []chain.LibraryFact
	for f := range b.facts {
		if _, ok := b.emitted[f]; !ok {
			b.emitted[f] = struct{}{}
			facts = append(facts, f)
		}
	}
	clear(b.facts)
	slices.SortFunc(facts, func(x, y chain.LibraryFact) int {
		return cmp.Or(bytes.Compare(x.Root[:], y.Root[:]), bytes.Compare(x.Hash[:], y.Hash[:]))
	})
	return facts
}
