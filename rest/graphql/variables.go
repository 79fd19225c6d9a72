package graphql

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/internal/chain"
)

// coerce converts variables to the form that both the cost estimate and the resolvers use: an Int is an int64, a list is a
// []any even when the client sent a single element. It refuses values that cannot be converted, so that resolvers receive
// only values that the estimate has counted.
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
		return nil, chain.Invalidf("null is not a %s", t)
	case value == nil:
		return nil, nil
	case t.Elem != nil:
		return coerceList(schema, t.Elem, value)
	case t.NamedType == "Int":
		return coerceInt(value)
	}
	def := schema.Types[t.NamedType]
	if def != nil && def.Kind == ast.Enum {
		return coerceEnum(def, value)
	}
	members, isObject := value.(map[string]any)
	if def == nil || def.Kind != ast.InputObject {
		return value, nil
	}
	if !isObject {
		return nil, chain.Invalidf("a %s must be an object", t.NamedType)
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

// coerceList accepts typed slices too, which the library makes of a single value.
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

// coerceEnum accepts the names of the values as the schema writes them. The library accepts them in other letters too, which resolvers do
// not know.
func coerceEnum(def *ast.Definition, value any) (any, error) {
	name, ok := value.(string)
	if !ok || def.EnumValues.ForName(name) == nil {
		return nil, chain.Invalidf("%s is none of the values of %s", chain.Quote(fmt.Sprint(value)), def.Name)
	}
	return name, nil
}

// coerceInt converts a 32-bit integer: a JSON number, a string, or the parsed value of a default.
func coerceInt(value any) (int64, error) {
	n := int64(math.MaxInt64)
	switch v := value.(type) {
	case int64:
		n = v
	case int:
		n = int64(v)
	case json.Number:
		n = parseInt(v.String())
	case string:
		n = parseInt(v)
	}
	if n < math.MinInt32 || n > math.MaxInt32 {
		return 0, chain.Invalidf("an Int is an integer from %d to %d", math.MinInt32, math.MaxInt32)
	}
	return n, nil
}

// parseInt parses decimal digits; it returns math.MaxInt64, which is out of range, for other text.
func parseInt(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return n
}
