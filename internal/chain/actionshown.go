package chain

import (
	"bytes"
	"slices"
)

// Details that hold extra currencies: the end of the member's name, and the first of its own members.
var extraCurrencies = []byte(`currencies":{"`)

// ExtraCurrencyTransfer is the shown type of transfers and calls that carry extra currencies.
const ExtraCurrencyTransfer = "extra_currency_transfer"

// carriers are the types under which the index has them.
var carriers = []string{"ton_transfer", "call_contract"}

// ShownType is the type as people see it: transfers and calls that carry extra currencies have a name of their own,
// which the filters of REST do not know.
func (a *Action) ShownType() string {
	if slices.Contains(carriers, a.Type) && bytes.Contains(a.Details, extraCurrencies) {
		return ExtraCurrencyTransfer
	}
	return a.Type
}

// ShownTypes is a condition on the shown type of actions. The zero value is true of every action.
type ShownTypes struct {
	Among []string // one of these; empty: any
	None  []string // none of these, in either form
}

// Stored returns the types under which the index has the actions that may match, and whether it has others under them, so that
// [ShownTypes.Holds] is to be compared.
func (s ShownTypes) Stored() (types []string, compare bool) {
	extra := slices.Contains(s.Among, ExtraCurrencyTransfer)
	types, compare = slices.Clone(s.Among), slices.Contains(s.None, ExtraCurrencyTransfer)
	for _, c := range carriers {
		given := slices.Contains(s.Among, c)
		compare = compare || given != extra
		if extra && !given {
			types = append(types, c)
		}
	}
	return types, compare
}

// Holds reports whether an action matches.
func (s ShownTypes) Holds(a *Action) bool {
	shown := a.ShownType()
	return (len(s.Among) == 0 || slices.Contains(s.Among, shown)) && !slices.Contains(s.None, shown) && !slices.Contains(s.None, a.Type)
}
