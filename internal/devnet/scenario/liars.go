package scenario

import "tonql/internal/devnet/contracts"

// lie makes one of the liars send an actor a false notification.
func (t *batch) lie() string {
	liar, step := t.contractSet.liarWallet, "Jettons that never came"
	if t.round()%2 == 1 {
		liar, step = t.contractSet.liarItem, "an item that is none"
	}
	if !t.look(liar.Address).active {
		return ""
	}
	body := contracts.Lie(t.nextQuery(), t.other(nil))
	return did(step, t.call(t.cast.operator, contracts.Call(liar.Address, oneTON/10, body)))
}

// poke changes the next hostile contract, so that indexers of changed accounts inspect it again. The first one grows
// until its data are huge.
func (t *batch) poke() string {
	const chain = 400 // cells
	first := t.contractSet.hostile[0].Address
	if acc := t.look(first); acc.active && !contracts.Ballast(acc.data) {
		return did("grown", t.call(t.cast.operator, contracts.Call(first, oneTON, contracts.Grow(t.nextQuery(), chain))))
	}
	c := t.contractSet.hostile[t.round()%uint32(len(t.contractSet.hostile))]
	if !t.look(c.Address).active {
		return ""
	}
	return did("poked", t.call(t.cast.operator, contracts.Transfer(c.Address, oneTON/100, "are you well?")))
}
