package boundedvm

import (
	"math/big"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// The library multiplies the pairings of BLS_PAIRING one by one, and so agrees with mathematics. The node's arithmetic does not at points at
// infinity: it leaves out pairs of two of them, has no product without any pair, and computes eight pairs at once, of which one with such a
// second point makes the product of several zero. Its result is false in these cases.

// pairsAtOnce is how many pairs the node computes together.
const pairsAtOnce = 8

// Bytes of compressed points.
const (
	g1Bytes = 48
	g2Bytes = 96
)

// pairing wraps BLS_PAIRING.
func pairing(library action) action {
	return checked(func(s *vm.State) error {
		never := neverOne(s.Stack)
		if err := library(s); err != nil || !never {
			return err
		}
		if _, err := s.Stack.PopAny(); err != nil {
			return err //nolint:wrapcheck // cannot be: the result is there
		}
		return s.Stack.PushBool(false) //nolint:wrapcheck // cannot be: there is room
	})
}

// neverOne reports whether the node's product of the pairs on the stack is not one whatever the other points are.
func neverOne(stack *vm.Stack) bool {
	top, err := stack.Get(0)
	if err != nil {
		return false
	}
	count, ok := smallNumber(top)
	if !ok || 2*count >= stack.Len() {
		return false
	}
	var batch []bool // whether the second point is at infinity
	computed, zero := false, false
	for i := count - 1; i >= 0; i-- {
		first, second := atInfinity(stack, 2*i+2, g1Bytes), atInfinity(stack, 2*i+1, g2Bytes)
		if first && second {
			continue
		}
		computed = true
		if batch = append(batch, second); len(batch) == pairsAtOnce {
			zero = zero || slices.Contains(batch, true)
			batch = batch[:0]
		}
	}
	return !computed || zero || len(batch) > 1 && slices.Contains(batch, true)
}

// atInfinity reports whether a value of the stack begins with a point at infinity.
func atInfinity(stack *vm.Stack, place, size int) bool {
	v, err := stack.Get(place)
	if err != nil {
		return false
	}
	s, ok := v.(*cell.Slice)
	if !ok || s == nil {
		return false
	}
	data, err := s.PreloadSlice(uint(size) * 8)
	return err == nil && data[0] == 0xC0 && !slices.ContainsFunc(data[1:], func(b byte) bool { return b != 0 })
}

// smallNumber returns a number of the stack that counts values.
func smallNumber(v any) (int, bool) {
	n, ok := v.(*big.Int)
	if !ok || n == nil || !n.IsInt64() || n.Int64() < 0 || n.Int64() > 1<<20 {
		return 0, false
	}
	return int(n.Int64()), true
}
