package scenario

// action is one kind of traffic. run reports false when the action is impossible at the moment.
type action struct {
	name   string
	weight int
	run    func(*batch) bool
}

// actions are drawn by weight. [Stats] counts them by name.
var actions = []action{
	{"transfer", 30, (*batch).transfer},
	{"batch", 5, (*batch).batch},
	{"payroll", 2, (*batch).payroll},
	{"visit", 10, (*batch).visit},
	{"masterchain", 5, (*batch).masterchain},
	{"jetton transfer", 15, (*batch).jettonTransfer},
	{"jetton overdraft", 2, (*batch).jettonOverdraft},
	{"jetton mint", 4, (*batch).jettonMint},
	{"jetton burn", 4, (*batch).jettonBurn},
	{"jetton discovery", 2, (*batch).jettonDiscovery},
	{"nft mint", 4, (*batch).nftMint},
	{"nft transfer", 6, (*batch).nftTransfer},
	{"nft data request", 2, (*batch).nftDataRequest},
	{"sbt mint", 2, (*batch).sbtMint},
	{"sbt order", 3, (*batch).sbtOrder},
	{"name", 4, (*batch).name},
	{"failure", 6, (*batch).failure},
	{"failed external", 2, (*batch).failedExternal},
	{"bounce", 3, (*batch).bounce},
	{"log", 4, (*batch).log},
}

var totalWeight = func() int {
	sum := 0
	for _, a := range actions {
		sum += a.weight
	}
	return sum
}()

// act draws and runs one action, or a plain transfer when the drawn one is impossible, and returns its name. The name is
// empty when even a transfer is impossible, because no actor has coins yet or all letters are full.
func (t *batch) act() string {
	drawn := t.draw()
	if drawn.run(t) {
		return drawn.name
	}
	if t.transfer() {
		return actions[0].name
	}
	return ""
}

func (t *batch) draw() action {
	n := t.rand.IntN(totalWeight)
	for _, a := range actions {
		if n -= a.weight; n < 0 {
			return a
		}
	}
	return actions[0]
}
