package details

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// Details are the details of an action. Every kind of action has its own struct.
type Details interface {
	// Kind returns the public name of the type of action.
	Kind() string
}

// completer is implemented by kinds with fields that are not copied from columns. complete runs after these are filled;
// errors go to row.fail.
type completer interface {
	complete(*row)
}

// families are the kinds in the order of their files.
var families = [][]Details{
	basicKinds, jettonKinds, nftKinds, marketKinds, dnsKinds, stakingKinds, dexKinds, walletKinds, evaaKinds, jvaultKinds,
	coffeeKinds, tgbtcKinds, layerZeroKinds, cocoonKinds,
}

var plans = plan()

// plan returns the shape of every kind by name.
func plan() map[string]*shape {
	all := map[string]*shape{}
	for _, family := range families {
		for _, d := range family {
			all[d.Kind()] = shapeOf(reflect.TypeOf(d).Elem())
		}
	}
	return all
}

// Kinds returns the names of all kinds in ascending order.
func Kinds() []string {
	kinds := make([]string, 0, len(plans))
	for k := range plans {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	return kinds
}

// New returns an empty struct of the kind, its lists empty instead of nil. The error is of kind Invalid when the kind does not
// exist.
func New(kind string) (Details, error) {
	s, ok := plans[kind]
	if !ok {
		return nil, chain.Invalidf("there is no action type %s", chain.Quote(kind))
	}
	return s.make(), nil
}

// Of returns the details of an action. It fails for a kind without a struct (the error is Invalid) and for a column whose
// value does not fit its field.
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

// Parse reads details from their JSON. It is the inverse of json.Marshal.
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
