package validator

import (
	"crypto/sha512"
	"encoding/binary"
	"math/bits"

	"tonql/internal/chain"
)

// generator is the pseudorandom generator that chooses validators: SHA-512 over a seed, which counts up from zero, and
// the session.
type generator struct {
	seed [32]byte
	tail [16]byte // shard, workchain, catchain seqno
	hash [sha512.Size]byte
	used int // bytes of hash, in steps of 8
}

func newMasterGenerator(catchainSeqno uint32) *generator {
	master := chain.MasterchainID
	g := &generator{used: sha512.Size}
	binary.BigEndian.PutUint64(g.tail[:], uint64(chain.FullShard))
	binary.BigEndian.PutUint32(g.tail[8:], uint32(master))
	binary.BigEndian.PutUint32(g.tail[12:], catchainSeqno)
	return g
}

func (g *generator) next() uint64 {
	if g.used == sha512.Size {
		g.hash = sha512.Sum512(append(g.seed[:], g.tail[:]...))
		g.used = 0
		for i := len(g.seed) - 1; i >= 0; i-- {
			g.seed[i]++
			if g.seed[i] != 0 {
				break
			}
		}
	}
	v := binary.BigEndian.Uint64(g.hash[g.used:])
	g.used += 8
	return v
}

// below returns a number from 0 to n-1.
func (g *generator) below(n uint64) uint64 {
	high, _ := bits.Mul64(g.next(), n)
	return high
}

// masterOrder is the order of n validators in a session of the masterchain with shuffling: the place in the list of the
// first one, of the second one, and so on.
func masterOrder(catchainSeqno uint32, n int) []int {
	g := newMasterGenerator(catchainSeqno)
	order := make([]int, n)
	for i := range order {
		j := g.below(uint64(i) + 1)
		order[i] = order[j]
		order[j] = i
	}
	return order
}
