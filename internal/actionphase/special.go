package actionphase

import (
	"bytes"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// reserve performs action_reserve_currency and returns its error code.
func (p *phase) reserve(r *reader) int32 {
	mode := r.bits(8)
	if mode&modeBounce != 0 && p.config.version >= 4 {
		mode &^= modeBounce
		p.bounceOnFail = true
	}
	if mode&^15 != 0 {
		return 34
	}
	want, _, canonical := r.value()
	if !canonical || p.config.version >= 10 && len(want.extra) > 0 {
		return 34
	}
	switch {
	case mode&4 != 0 && p.original.grams.Sign() < 0:
		return 34
	case mode&4 != 0 && mode&8 != 0:
		have := p.original.copied()
		if p.config.version < 10 {
			if !have.subExtra(want.extra) {
				return 34
			}
			want.extra = have.extra
		}
		want.grams = new(big.Int).Sub(have.grams, want.grams)
	case mode&4 != 0:
		if p.config.version < 10 {
			want.add(p.original)
		} else {
			want.grams = new(big.Int).Add(want.grams, p.original.grams)
		}
	case mode&8 != 0:
		return 34
	}
	if want.grams.Sign() < 0 {
		return 34
	}
	if mode&2 != 0 {
		if want.grams.Cmp(p.remaining.grams) > 0 {
			want.grams = new(big.Int).Set(p.remaining.grams)
		}
		if p.config.version >= 9 {
			for id, n := range want.extra {
				if have := p.remaining.of(id); n.Cmp(have) > 0 {
					want.set(id, new(big.Int).Set(have))
				}
			}
		}
	}
	if want.grams.Cmp(p.remaining.grams) > 0 {
		return 37
	}
	left := p.remaining.copied()
	if !left.subExtra(want.extra) {
		return 38
	}
	left.grams = new(big.Int).Sub(left.grams, want.grams)
	if mode&1 != 0 { // all but the amount
		if p.config.version >= 10 {
			left.grams, want.grams = want.grams, left.grams
		} else {
			left, want = want, left
		}
	}
	p.remaining = left
	p.reserved.add(want)
	p.special_++
	return 0
}

// changeLibrary performs action_change_library and returns its error code.
func (p *phase) changeLibrary(r *reader) int32 {
	mode := r.bits(7)
	if mode&modeBounce != 0 {
		if p.config.version < 4 {
			return 34
		}
		mode &^= modeBounce
		p.bounceOnFail = true
	}
	if mode > 2 {
		return 34
	}
	if p.config.version >= 15 && (mode == 1 || !p.special) {
		return 46
	}
	var library *cell.Cell
	var hash []byte
	if r.flag() {
		library = r.ref()
		hash = library.Hash()
	} else {
		hash = r.bytes(32)
	}
	dict := cell.NewDict(256)
	if p.state.libraries != nil {
		dict = p.state.libraries.AsDict(256)
	}
	key := cell.BeginCell().MustStoreSlice(hash, 256).EndCell()
	if mode == 0 {
		if dict.IsEmpty() {
			p.special_++
			return 0
		}
		if err := dict.Delete(key); err != nil {
			return 42
		}
	} else {
		if existing, err := dict.LoadValue(key); err == nil {
			v := reader{s: existing}
			public, c := v.flag(), v.ref()
			if v.err == nil && bytes.Equal(c.Hash(), hash) {
				if library = c; public == (mode == 2) {
					p.special_++
					return 0
				}
			}
		}
		if library == nil {
			return 41
		}
		u := newUsage(p.config.limits.libraryCells)
		if merkle, ok := u.add(library); !ok || merkle > maxMerkleDepth {
			return 43
		}
		if _, err := dict.SetBuilderWithMode(key, cell.BeginCell().MustStoreBoolBit(mode == 2).MustStoreRef(library), cell.DictSetModeSet); err != nil {
			return 42
		}
	}
	p.state.libraries = nil
	if !dict.IsEmpty() {
		p.state.libraries = dict.AsCell()
	}
	p.special_++
	return 0
}
