package body

// minimum is how many bits and references a value takes at least, so that most layouts that cannot fit are passed over
// without a try.
type minimum struct {
	bits uint
	refs int
}

func (m minimum) plus(o minimum) minimum { return minimum{m.bits + o.bits, m.refs + o.refs} }

// either is what one of two values takes at least.
func (m minimum) either(o minimum) minimum {
	return minimum{min(m.bits, o.bits), min(m.refs, o.refs)}
}

// measure sets the minimum of every constructor of a group, and gives that of the group. A group inside itself counts
// as nothing.
func (g *group) measure() minimum {
	if g.measured || g.measuring {
		return g.least
	}
	g.measuring = true
	var least minimum
	for i, c := range g.constructors {
		c.least = minimum{bits: c.bits}
		for _, f := range c.fields {
			c.least = c.least.plus(f.typ.measure())
		}
		if i == 0 {
			least = c.least
		}
		least = least.either(c.least)
	}
	g.least, g.measuring, g.measured = least, false, true
	return least
}

func (t *typ) measure() minimum {
	switch t.kind {
	case kindUint, kindInt, kindRange, kindCount, kindBits, kindVarUint:
		return minimum{bits: t.n}
	case kindFlag, kindMaybe, kindMapE:
		return minimum{bits: 1}
	case kindEither:
		return minimum{bits: 1}.plus(t.elem.measure().either(t.other.measure()))
	case kindCoins, kindGrams:
		return minimum{bits: 4}
	case kindAddress, kindExternal, kindMap:
		return minimum{bits: 2}
	case kindInternal:
		return minimum{bits: 2 + 1 + 9 + 32} // the empty addr_var
	case kindRef:
		return minimum{refs: 1}
	case kindArray:
		return minimum{bits: 1, refs: 1}
	case kindGroup:
		return t.group.measure()
	case kindExtensions, kindDNSText:
		return minimum{bits: 8}
	case kindText, kindBytes, kindRest, kindCell, kindOutList:
		return minimum{}
	default:
		return minimum{}
	}
}
