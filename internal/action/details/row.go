package details

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// row reads the columns of an action; members of composite columns are read by name.
type row struct {
	columns *action.Columns
	kind    string
	opened  map[string]map[string]json.RawMessage // composite columns, cached by name
	err     error                                 // first error of a completer
}

// member returns the value of a member of a composite column; nil when it does not exist.
func (r *row) member(column, name string) json.RawMessage {
	return r.open(column)[name]
}

func (r *row) open(column string) map[string]json.RawMessage {
	if members, ok := r.opened[column]; ok {
		return members
	}
	var members map[string]json.RawMessage
	for _, p := range r.columns.Payloads {
		if p.Column() != column {
			continue
		}
		// Payloads are our own structs: what they print is an object.
		if raw, err := json.Marshal(p); err == nil {
			_ = json.Unmarshal(raw, &members)
		}
	}
	if r.opened == nil {
		r.opened = map[string]map[string]json.RawMessage{}
	}
	r.opened[column] = members
	return members
}

// text returns the value of a text column; ok is false for other columns.
func (r *row) text(column string) (value string, ok bool) {
	c := r.columns
	switch column {
	case "source":
		return c.Source, true
	case "source_secondary":
		return c.SourceSecondary, true
	case "destination":
		return c.Destination, true
	case "destination_secondary":
		return c.DestinationSecondary, true
	case "asset":
		return c.Asset, true
	case "asset_secondary":
		return c.AssetSecondary, true
	case "asset2":
		return c.Asset2, true
	case "asset2_secondary":
		return c.Asset2Secondary, true
	}
	return "", false
}

// fill sets a field to the value of a column that all kinds share.
func (r *row) fill(v reflect.Value, column string) error {
	if s, ok := r.text(column); ok {
		return setText(v, s)
	}
	switch column {
	case "value":
		setNumber(v, r.columns.Value)
	case "amount":
		setNumber(v, r.columns.Amount)
	case "opcode":
		if op := r.columns.Opcode; op != nil {
			v.Set(reflect.New(v.Type().Elem()))
			switch p := v.Interface().(type) {
			case *Opcode:
				*p = Opcode(*op)
			case *int32:
				*p = int32(*op) // an exit code
			}
		}
	case "value_extra_currencies":
		extra := make(Currencies, len(r.columns.Extra))
		for id, amount := range r.columns.Extra {
			extra[id] = Number(amount.String())
		}
		v.Set(reflect.ValueOf(extra))
	default:
		return fmt.Errorf("there is no column %s", column)
	}
	return nil
}

func setText(v reflect.Value, s string) error {
	if s == "" {
		return nil
	}
	if p, ok := v.Addr().Interface().(**string); ok {
		*p = &s
		return nil
	}
	a, err := chain.ParseAddress(s)
	if err != nil {
		return err
	}
	v.Set(reflect.ValueOf(&a))
	return nil
}

func setNumber(v reflect.Value, n *big.Int) {
	if n != nil {
		v.Set(reflect.ValueOf(new(Number(n.String()))))
	}
}

// into unmarshals a composite column into v. Without the column v does not change.
func (r *row) into(v any, column string) {
	members := r.open(column)
	if members == nil {
		return
	}
	raw, err := json.Marshal(members)
	if err == nil {
		err = json.Unmarshal(raw, v)
	}
	r.fail(err)
}

// address parses an address; nil for an empty text.
func (r *row) address(text string) *chain.Address {
	if text == "" {
		return nil
	}
	a, err := chain.ParseAddress(text)
	r.fail(err)
	return &a
}

func (r *row) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}
