package chain

import "bytes"

// Details that hold extra currencies: the end of the member's name, and the first of its own members.
var extraCurrencies = []byte(`currencies":{"`)

// ShownType is the type as people see it: transfers and calls that carry extra currencies have a name of their own,
// which filters do not know.
func (a *Action) ShownType() string {
	if (a.Type == "ton_transfer" || a.Type == "call_contract") && bytes.Contains(a.Details, extraCurrencies) {
		return "extra_currency_transfer"
	}
	return a.Type
}
