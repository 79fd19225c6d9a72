package actionphase

import "math/big"

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
	p.special++
	return 0
}
