package detect

import "sync"

// smallFacts is the size, in bytes, of facts that are always recorded: they are in proportion to the transaction that a block has for
// each of its accounts. The facts of most contracts have less than a kilobyte.
const smallFacts = 4 << 10

// byteBudget bounds the facts of a block that are not small. They are counted in the order of the targets: those of the target that
// exceeds the budget, and of all later ones, are left out. Results may arrive in any order; at no time are more retained than the
// budget permits. It is safe for concurrent use.
type byteBudget struct {
	mu    sync.Mutex
	left  int   // negative only inside add
	end   int   // the facts of the targets from here on are left out, unless they are small
	sizes []int // by target; 0 for small and for missing results
}

func newByteBudget(bytes, targets int) *byteBudget {
	return &byteBudget{left: bytes, end: targets, sizes: make([]int, targets)}
}

// add counts the facts of a target. It calls drop for each target whose facts are left out because of that.
func (b *byteBudget) add(target, size int, drop func(target int)) {
	if size <= smallFacts {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if target >= b.end {
		drop(target)
		return
	}
	b.sizes[target] = size
	b.left -= size
	for b.left < 0 { // the last of the targets and those before it exceed the budget, whatever else arrives
		b.end--
		if last := b.sizes[b.end]; last > 0 {
			b.left += last
			drop(b.end)
		}
	}
}
