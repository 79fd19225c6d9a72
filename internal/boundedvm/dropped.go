package boundedvm

import (
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// Drop makes the next execution leave out actions of its list, by their places in the order in which opcodes install
// them. The opcodes do and cost the same. The library fails a transaction at a message that cannot be sent, where the node
// before global version 8 ignores the message when its mode says so; without the message the rest is the same.
func (r *Run) Drop(places []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dropped, r.installed = make(map[int]bool, len(places)), 0
	for _, p := range places {
		r.dropped[p] = true
	}
}

// installing wraps an opcode that installs an action.
func installing(library action) action {
	return func(s *vm.State) error {
		before := s.Reg.D[1]
		err := library(s)
		if err == nil && s.Reg.D[1] != before {
			r := runOf(s)
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.dropped[r.installed] {
				s.Reg.D[1] = before
			}
			r.installed++
		}
		return err
	}
}

var installPatches = map[string]patch{
	"fb02/16": installing, // RAWRESERVE
	"fb03/16": installing, // RAWRESERVEX
	"fb04/16": installing, // SETCODE
	"fb06/16": installing, // SETLIBCODE
	"fb07/16": installing, // CHANGELIB
}
