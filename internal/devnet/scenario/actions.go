package scenario

// action is one thing that may happen. It reports false when it is impossible at the moment.
type action struct {
	name   string
	weight int
	run    func(*turn) bool
}

// actions are drawn by weight. Names are what [Stats] counts.
var actions = []action{
	{"transfer", 30, (*turn).transfer},
	{"batch", 5, (*turn).batch},
	{"payroll", 2, (*turn).payroll},
	{"visit", 10, (*turn).visit},
	{"masterchain", 5, (*turn).masterchain},
	{"jetton transfer", 15, (*turn).jettonTransfer},
	{"jetton overdraft", 2, (*turn).jettonOverdraft},
	{"jetton mint", 4, (*turn).jettonMint},
	{"jetton burn", 4, (*turn).jettonBurn},
	{"jetton discovery", 2, (*turn).jettonDiscovery},
	{"nft mint", 4, (*turn).nftMint},
	{"nft transfer", 6, (*turn).nftTransfer},
	{"nft question", 2, (*turn).nftQuestion},
	{"sbt mint", 2, (*turn).sbtMint},
	{"sbt order", 3, (*turn).sbtOrder},
	{"name", 4, (*turn).name},
	{"failure", 6, (*turn).failure},
	{"failed external", 2, (*turn).failedExternal},
	{"bounce", 3, (*turn).bounce},
	{"log", 4, (*turn).log},
}

var totalWeight = func() int {
	sum := 0
	for _, a := range actions {
		sum += a.weight
	}
	return sum
}()

// act does one drawn action, or a plain transfer where the drawn one is impossible. It answers what happened;
// empty when even a transfer is impossible, because nobody has money yet or all letters are full.
func (t *turn) act() string {
	drawn := t.draw()
	if drawn.run(t) {
		return drawn.name
	}
	if t.transfer() {
		return actions[0].name
	}
	return ""
}

func (t *turn) draw() action {
	n := t.rand.IntN(totalWeight)
	for _, a := range actions {
		if n -= a.weight; n < 0 {
			return a
		}
	}
	return actions[0]
}
