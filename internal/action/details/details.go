package details

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// Details is what an action of one kind says; every kind has a struct of its own.
type Details interface {
	// Kind is the public name of the action's type.
	Kind() string
}

// completer is a kind whose members are not all copied from columns.
type completer interface {
	complete(*row)
}

// families lists the kinds as their files declare them.
var families = [][]Details{
	basicKinds, jettonKinds, nftKinds, marketKinds, dnsKinds, stakingKinds, dexKinds, walletKinds, evaaKinds, jvaultKinds,
	coffeeKinds, tgbtcKinds, layerZeroKinds, cocoonKinds,
}

var plans = plan()

// plan makes the plan of every kind.
func plan() map[string]*shape {
	all := map[string]*shape{}
	for _, family := range families {
		for _, d := range family {
			all[d.Kind()] = shapeOf(reflect.TypeOf(d).Elem())
		}
	}
	return all
}

// Kinds lists the kinds, ascending.
func Kinds() []string {
	kinds := make([]string, 0, len(plans))
	for k := range plans {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	return kinds
}

// New is an empty struct of a kind; an unknown kind is Invalid.
func New(kind string) (Details, error) {
	s, ok := plans[kind]
	if !ok {
		return nil, chain.Invalidf("there is no action type %s", chain.Quote(kind))
	}
	return s.make(), nil
}

// Of gives the details of an action. It fails, as Invalid, for a kind that has no struct and for a column whose value
// does not fit its field.
func Of(a *action.Action) (Details, error) {
	s, ok := plans[a.Type]
	if !ok {
		return nil, chain.Invalidf("there is no action type %s", chain.Quote(a.Type))
	}
	r := &row{columns: &a.Columns, kind: a.Type}
	d := s.make()
	if err := s.fill(reflect.ValueOf(d).Elem(), r); err != nil {
		return nil, fmt.Errorf("details of %s %s: %w", a.Type, a.ID, err)
	}
	if c, ok := d.(completer); ok {
		c.complete(r)
	}
	if r.err != nil {
		return nil, fmt.Errorf("details of %s %s: %w", a.Type, a.ID, r.err)
	}
	return d, nil
}

// Parse reads details back from their JSON.
func Parse(kind string, text []byte) (Details, error) {
	d, err := New(kind)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("details of %s: %w", kind, err)
	}
	return d, nil
}
