package disassembly

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

const (
	maxMethods  = 1024 // entries of a method table that are written; no compiler writes more
	maxKeyWidth = 32   // bits of the ids of a method table
)

// Receivers have small ids.
var receivers = map[int32]string{0: "recv_internal", -1: "recv_external", -2: "run_ticktock", -3: "split_prepare", -4: "split_install"}

// dispatch is a dictionary of methods.
type dispatch struct {
	dict  *cell.Dictionary
	width uint
	name  string // of the instruction that calls a method
}

// jumps are the instructions that run an entry of a dictionary.
var jumps = map[uint64]string{
	0xF4A0: "DICTIGETJMP", 0xF4A1: "DICTUGETJMP", 0xF4A2: "DICTIGETEXEC", 0xF4A3: "DICTUGETEXEC",
	0xF4BC: "DICTIGETJMPZ", 0xF4BD: "DICTUGETJMPZ", 0xF4BE: "DICTIGETEXECZ", 0xF4BF: "DICTUGETEXECZ",
}

// methodTable reads a table of methods: DICTPUSHCONST and the instruction that runs one of them. It takes nothing where the
// code has another form.
func methodTable(code *cell.Slice) (d dispatch, ok bool) {
	s := code.Copy()
	if p, err := s.LoadUInt(14); err != nil || p != 0xF4A400>>10|1 {
		return d, false
	}
	width, err := s.LoadUInt(10)
	if err != nil || width == 0 || width > maxKeyWidth {
		return d, false
	}
	jump, err := s.LoadUInt(16)
	if err != nil || jumps[jump] == "" {
		return d, false
	}
	root, err := s.PeekRefCell()
	if err != nil || root.IsSpecial() || code.SkipBitsAndRefs(14+10+16, 1) != nil {
		return d, false
	}
	return dispatch{root.AsDict(uint(width)), uint(width), jumps[jump]}, true
}

// table writes the methods of a dictionary.
func (w *writer) table(d dispatch, depth int) {
	w.linef(depth, "{")
	it, err := d.dict.Iterator(false, true)
	for n := 0; err == nil && it.Next(); n++ {
		if n == maxMethods || w.exceeded {
			w.exceeded = true
			return
		}
		item := it.Item()
		key, err := item.Key.BeginParse()
		if err != nil {
			break
		}
		id, err := key.LoadInt(d.width)
		if err != nil {
			break
		}
		w.methods = append(w.methods, int32(id))
		w.linef(depth+1, "%s", w.title(int32(id)))
		w.linef(depth+1, "<{")
		w.code(item.Value, depth+2)
		w.linef(depth+1, "}>")
	}
	if err == nil {
		err = it.Err()
	}
	if err != nil {
		w.linef(depth+1, "// the rest of the dictionary cannot be read")
	}
	w.linef(depth, "} %d DICTPUSHCONST", d.width)
	w.linef(depth, "%s", d.name)
}

// title names a method.
func (w *writer) title(id int32) string {
	name := receivers[id]
	if name == "" && w.nameOf != nil {
		name = w.nameOf(id)
	}
	if name == "" {
		return fmt.Sprintf("%d =>", id)
	}
	return fmt.Sprintf("%d => // %s", id, name)
}
