package ledger

import (
	"fmt"
	"math/bits"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// The masterchain state counts the blocks of each validator, and under the zero key those
// of all validators: in total, and with weights that decrease over time.

const tagCreateStats = 0x17

// fade2048 and fade65536 are exp(-1/period) as fractions of 2^64. Integer arithmetic keeps the
// chain the same on every machine.
const (
	fade2048  = 18437739073120195921
	fade65536 = 18446462600880313685
)

// counter is Counters: weights are fixed-point numbers with 32 fractional bits.
type counter struct {
	updated           uint32
	total             uint64
	cnt2048, cnt65536 uint64
}

func loadCounter(s *cell.Slice) (c counter, err error) {
	updated, err := s.LoadUInt(32)
	if err != nil {
		return c, err
	}
	c.updated = uint32(updated)
	for _, field := range []*uint64{&c.total, &c.cnt2048, &c.cnt65536} {
		if *field, err = s.LoadUInt(64); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c counter) store(b *cell.Builder) {
	b.MustStoreUInt(uint64(c.updated), 32).
		MustStoreUInt(c.total, 64).
		MustStoreUInt(c.cnt2048, 64).
		MustStoreUInt(c.cnt65536, 64)
}

func (c counter) add(n int, now uint32) counter {
	if n == 0 {
		return c
	}
	seconds := now - c.updated
	if c.total == 0 {
		seconds = 0
	}
	return counter{
		updated:  now,
		total:    c.total + uint64(n),
		cnt2048:  fade(c.cnt2048, fade2048, seconds) + uint64(n)<<32,
		cnt65536: fade(c.cnt65536, fade65536, seconds) + uint64(n)<<32,
	}
}

// fade multiplies v by factor/2^64 once for every second.
func fade(v, factor uint64, seconds uint32) uint64 {
	for ; seconds > 0 && v > 0; seconds >>= 1 {
		if seconds&1 != 0 {
			v, _ = bits.Mul64(v, factor)
		}
		factor, _ = bits.Mul64(factor, factor)
	}
	return v
}

// nextCreateStats counts this masterchain block and the shard blocks it commits.
func (c *collator) nextCreateStats(stats *cell.Cell) (*cell.Cell, error) {
	dict := cell.NewDict(256)
	if stats != nil {
		s, err := stats.BeginParse()
		if err != nil {
			return nil, err
		}
		if tag, err := s.LoadUInt(8); err != nil || tag != tagCreateStats {
			return nil, fmt.Errorf("block creation statistics with tag %#x", tag)
		}
		if dict, err = s.LoadDict(256); err != nil {
			return nil, fmt.Errorf("block creation statistics: %w", err)
		}
	}
	for _, creator := range [][]byte{make([]byte, 32), c.createdBy} {
		if err := c.count(dict, creator); err != nil {
			return nil, fmt.Errorf("block creation statistics of %x: %w", creator, err)
		}
	}
	return cell.BeginCell().MustStoreUInt(tagCreateStats, 8).MustStoreDict(dict).EndCell(), nil
}

func (c *collator) count(dict *cell.Dictionary, creator []byte) error {
	key := cell.BeginCell().MustStoreSlice(creator, 256).EndCell()
	var mc, shard counter
	switch s, err := dict.LoadValue(key); {
	case isNoSuchKey(err):
	case err != nil:
		return err
	default:
		if err := s.SkipBits(4); err != nil { // creator_info#4
			return err
		}
		if mc, err = loadCounter(s); err != nil {
			return err
		}
		if shard, err = loadCounter(s); err != nil {
			return err
		}
	}
	b := cell.BeginCell().MustStoreUInt(4, 4)
	mc.add(1, c.now).store(b)
	shard.add(c.master.blocks, c.now).store(b)
	return dict.Set(key, b.EndCell())
}
