package graphql

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/internal/chain"
)

// coerce gives variables the one form that both the price and the resolvers read: an Int is an int64 however the client
// wrote it, a list is a []any also where a client sent its only element. The library has validated the values; what has
// no such form is refused, so nothing reaches a resolver that was not priced.
func coerce(schema *ast.Schema, op *graphql.OperationContext) error {
	for _, v := range op.Operation.VariableDefinitions {
		value, given := op.Variables[v.Variable]
		if !given {
			continue
		}
		coerced, err := coerceValue(schema, v.Type, value)
		if err != nil {
			return chain.Invalidf("variable $%s: %s", v.Variable, chain.PublicMessage(err))
		}
		op.Variables[v.Variable] = coerced
	}
	return nil
}

func coerceValue(schema *ast.Schema, t *ast.Type, value any) (any, error) {
	switch {
	case value == nil && t.NonNull:
		return nil, chain.Invalidf("null is no %s", t)
	case value == nil:
		return nil, nil
	case t.Elem != nil:
		return coerceList(schema, t.Elem, value)
	case t.NamedType == "Int":
		return coerceInt(value)
	}
	def := schema.Types[t.NamedType]
	members, isObject := value.(map[string]any)
	if def == nil || def.Kind != ast.InputObject {
		return value, nil
	}
	if !isObject {
		return nil, chain.Invalidf("a %s is an object", t.NamedType)
	}
	for name, member := range members {
		f := def.Fields.ForName(name)
		if f == nil {
			continue
		}
		coerced, err := coerceValue(schema, f.Type, member)
		if err != nil {
			return nil, err
		}
		members[name] = coerced
	}
	return members, nil
}

// coerceList also takes the lists of one type that the library makes of a single value.
func coerceList(schema *ast.Schema, elem *ast.Type, value any) (any, error) {
	list, ok := value.([]any)
	if !ok {
		if v := reflect.ValueOf(value); v.Kind() == reflect.Slice {
			for i := range v.Len() {
				list = append(list, v.Index(i).Interface())
			}
		} else {
			list = []any{value}
		}
	}
	out := make([]any, len(list))
	for i, element := range list {
		var err error
		if out[i], err = coerceValue(schema, elem, element); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// coerceInt reads a whole number of 32 bits: a JSON number, its text, or what a default value was read as.
func coerceInt(value any) (int64, error) {
	n := int64(math.MaxInt64)
	switch v := value.(type) {
	case int64:
		n = v
	case int:
		n = int64(v)
	case json.Number:
		n = wholeNumber(v.String())
	case string:
		n = wholeNumber(v)
	}
	if n < math.MinInt32 || n > math.MaxInt32 {
		return 0, chain.Invalidf("an Int is a whole number from %d to %d", math.MinInt32, math.MaxInt32)
	}
	return n, nil
}

// wholeNumber reads decimal digits; what is none is a number that no Int can be.
func wholeNumber(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return n
}
