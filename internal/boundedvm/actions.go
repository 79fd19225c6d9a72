package boundedvm

import (
	"strconv"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/cellgraph"
)

// After the code has ended, the library prices its messages and walks each as a tree. A message of shared cells is cheap
// for the code and for validators, who count distinct cells, and takes for ever here. So the opcodes that can put a
// message into c5 count the visits of that walk first.

// maxListVisits bounds the walks of all messages of one action list: ten times what one message may take. 255 messages
// of the largest size that the network accepts are below it when their cells are not shared.
const maxListVisits = 10 * cellgraph.MaxVisits

// maxCountedCells bounds the memory of the counts that a run keeps. More distinct cells than that are more visits than
// allowed, except in messages that share nothing with each other; those are counted anew.
const maxCountedCells = 2 * cellgraph.MaxVisits

// Tags of action_send_msg and of the other actions.
const (
	tagSendMsg    = 0x0ec3c86d
	tagSetCode    = 0xad4de08e
	tagReserve    = 0x36e6b809
	tagChangeLib  = 0x26fa1dd4
	maxActionList = 256 // one more than the network accepts: the rest of a longer list is not read
)

// visits are the counts of a run, by cell. They are guarded by the run's mutex.
type visits struct {
	below map[cell.Hash]int // of a walk that begins at the cell
	lists map[cell.Hash]int // of all messages of the action list that ends with the cell
}

// count returns the visits of a walk from c as a tree, at most limit+1. It looks at each distinct cell once in a run. It
// recurses at most as deep as cells are, 1024.
func (v *visits) count(c *cell.Cell, limit int) int {
	key := c.HashKey()
	if n, ok := v.below[key]; ok {
		return n
	}
	var s cell.Slice
	if c.BeginParseIntoWithoutTrace(&s) != nil {
		return limit + 1
	}
	n := 1
	for s.RefsNum() > 0 && n <= limit {
		ref, err := s.LoadRefCell()
		if err != nil {
			return limit + 1
		}
		n = min(n+v.count(ref, limit), limit+1)
	}
	if len(v.below) >= maxCountedCells {
		clear(v.below)
	}
	v.below[key] = n
	return n
}

// list returns the visits of the messages of an action list, at most total+1, which it is too when one message has more
// than its own limit. A cell that is no action ends the list, as it ends the
// library's reading.
func (v *visits) list(c *cell.Cell, message, total int) int {
	var path []cell.Hash
	sum := 0
	for range maxActionList {
		key := c.HashKey()
		if n, ok := v.lists[key]; ok {
			sum += n
			break
		}
		var s cell.Slice
		if c.IsSpecial() || c.BeginParseIntoWithoutTrace(&s) != nil || s.RefsNum() == 0 || s.BitsLeft() < 32 {
			break
		}
		own := 0
		switch s.MustPreloadUInt(32) {
		case tagSendMsg:
			if s.RefsNum() > 1 {
				own = v.count(refOf(&s, 1), message)
			}
			if own > message {
				return total + 1
			}
		case tagSetCode, tagReserve, tagChangeLib:
		default:
			return min(sum, total+1)
		}
		sum += own
		path = append(path, key)
		c = refOf(&s, 0)
		if sum > total {
			break
		}
	}
	if len(path) == 1 { // the list that was grown by one action
		if len(v.lists) >= maxActionList*maxActionList {
			clear(v.lists)
		}
		v.lists[path[0]] = sum
	}
	return min(sum, total+1)
}

// refOf returns a reference that is there.
func refOf(s *cell.Slice, i int) *cell.Cell {
	ref, err := s.PeekRefCellAt(i)
	if err != nil {
		return emptyCell
	}
	return ref
}

var emptyCell = cell.BeginCell().EndCell()

// checkMessage fails when the walk of the message takes too long.
func (r *Run) checkMessage(message *cell.Cell) error {
	return r.checkVisits(cellgraph.MaxVisits, func(v *visits) int { return v.count(message, cellgraph.MaxVisits) })
}

// checkActions fails when the walks of the messages in the action list take too long.
func (r *Run) checkActions(c5 *cell.Cell) error {
	return r.checkVisits(maxListVisits, func(v *visits) int { return v.list(c5, cellgraph.MaxVisits, maxListVisits) })
}

func (r *Run) checkVisits(limit int, count func(*visits) int) error {
	r.mu.Lock()
	if r.visits.below == nil {
		r.visits = visits{below: map[cell.Hash]int{}, lists: map[cell.Hash]int{}}
	}
	n := count(&r.visits)
	r.mu.Unlock()
	if n > limit {
		r.stop(&Exceeded{Resource: resourceCells, Limit: strconv.Itoa(limit) + " visits of the cells of messages"})
	}
	return r.Err()
}

// sending wraps an opcode that takes a mode from the top of the stack and a message below.
func sending(library action) action {
	return func(s *vm.State) error {
		if err := checkAt(s, 1, (*Run).checkMessage); err != nil {
			return err
		}
		before := s.Reg.D[1]
		if err := library(s); err != nil {
			return err
		}
		if s.Reg.D[1] == before {
			return nil
		}
		return runOf(s).checkActions(s.Reg.D[1])
	}
}

// storing wraps an opcode that stores a value of the stack in a control register, or among those that a continuation
// restores: the value may become c5.
func storing(place int) patch {
	return func(library action) action {
		return func(s *vm.State) error {
			if err := checkAt(s, place, (*Run).checkActions); err != nil {
				return err
			}
			return library(s)
		}
	}
}

// checkAt checks the cell at a place of the stack, if there is one.
func checkAt(s *vm.State, place int, check func(*Run, *cell.Cell) error) error {
	v, err := s.Stack.Get(place)
	if err != nil {
		return nil //nolint:nilerr // the opcode itself throws
	}
	c, ok := v.(*cell.Cell)
	if !ok || c == nil {
		return nil
	}
	return check(runOf(s), c)
}

// both applies the first patch outside the second.
func both(outer, inner patch) patch {
	return func(library action) action { return outer(inner(library)) }
}

var actionPatches = map[string]patch{
	"fb00/16": sending,                       // SENDRAWMSG
	"fb08/16": both(readingContext, sending), // SENDMSG
	"ed50/16": storing(0),                    // POPCTR
	"ede1/16": storing(1),                    // POPCTRX
	"ed60/16": both(storing(1), sharing),     // SETCONTCTR
	"ede2/16": both(storing(2), sharing),     // SETCONTCTRX
	"ed70/16": both(storing(0), sharing),     // SETRETCTR
	"ed80/16": both(storing(0), sharing),     // SETALTCTR
	"ed90/16": both(storing(0), sharing),     // POPSAVE
}
