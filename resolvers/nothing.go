package resolvers

import (
	"reflect"
	"slices"

	"tonql/internal/chain"
)

// notSelecting are the lists of filters that do not say "one of these": when they are empty, they restrict nothing.
var notSelecting = []string{"ExcludeAccounts", "ExcludeTypes", "Supported"}

// nothing reports whether a filter has a list that is given but empty, so that no row has one of its values. Only a list that is null or
// omitted does not restrict: a client without addresses does not receive the rows of others.
func nothing(where any) bool {
	v := reflect.ValueOf(where)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v.IsValid() && hasEmptyList(v)
}

func hasEmptyList(v reflect.Value) bool {
	for field, value := range v.Fields() {
		switch {
		case field.Anonymous && value.Kind() == reflect.Struct:
			if hasEmptyList(value) {
				return true
			}
		case value.Kind() == reflect.Slice && !value.IsNil() && value.Len() == 0 && !slices.Contains(notSelecting, field.Name):
			return true
		}
	}
	return false
}

// noRows is an empty page.
func noRows[T any]() *chain.Connection[T] { return &chain.Connection[T]{Edges: []chain.Edge[T]{}} }
