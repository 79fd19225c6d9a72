package action_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// caseFile holds the expectations that were written by hand.
type caseFile struct {
	Cases   []wantedCase `json:"cases"`
	Special []struct {
		ID        string   `json:"id"`
		TraceFile string   `json:"trace_file"`
		Mutation  string   `json:"mutation"`
		Count     *int     `json:"expected_action_count"`
		AtLeast   int      `json:"expected_min_action_count"`
		Allowed   []string `json:"allowed_types"`
	} `json:"special_cases"`
	WithoutCase []struct {
		TraceID string `json:"trace_id"`
	} `json:"traces_without_case"`
}

type wantedCase struct {
	ID             string         `json:"id"`
	TraceID        string         `json:"trace_id"`
	OrderSensitive bool           `json:"order_sensitive"`
	Actions        []wantedAction `json:"expected_actions"`
}

type wantedAction struct {
	Type             string         `json:"type"`
	Where            []term         `json:"where"`
	Values           map[string]any `json:"values"`
	ValuesChainOrder map[string]any `json:"values_chain_order"`
}

type term struct {
	Path  string `json:"path"`
	Op    string `json:"op"`
	Value any    `json:"value"`
}

var pathPart = regexp.MustCompile(`[^.\[\]]+|\[\d+\]`)

// valuesAt lists the values at a path: one, or all elements of a list without an order.
func valuesAt(r row, path string) []any {
	values := []any{r}
	name := ""
	for _, part := range pathPart.FindAllString(path, -1) {
		var reached []any
		for _, v := range values {
			if !strings.HasPrefix(part, "[") {
				fields, _ := v.(map[string]any)
				reached = append(reached, fields[part])
				continue
			}
			elements, _ := v.([]any)
			i, _ := strconv.Atoi(strings.Trim(part, "[]"))
			switch {
			case unordered[name] && len(elements) > 0:
				reached = append(reached, elements...)
			case !unordered[name] && i < len(elements):
				reached = append(reached, elements[i])
			default:
				reached = append(reached, nil)
			}
		}
		if !strings.HasPrefix(part, "[") {
			name = part
		}
		values = reached
	}
	return values
}

// mismatch describes the first difference from the expected value, "" when there is none. Objects may contain more than
// is expected, lists are compared in any order.
func mismatch(want, got any, path string) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok && !isEmpty(got) {
			return fmt.Sprintf("%s: want an object, got %v", path, got)
		}
		for _, name := range slices.Sorted(maps.Keys(w)) {
			if wrong := mismatch(w[name], g[name], path+"."+name); wrong != "" {
				return wrong
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok && got != nil || len(g) != len(w) {
			return fmt.Sprintf("%s: want %d elements, got %v", path, len(w), got)
		}
		for _, element := range w {
			if !slices.ContainsFunc(g, func(other any) bool { return mismatch(element, other, path) == "" }) {
				return fmt.Sprintf("%s: no element is %v", path, element)
			}
		}
		return ""
	}
	if equal(want, got) {
		return ""
	}
	return fmt.Sprintf("%s: want %v, got %v", path, want, got)
}

// mismatchAt is [mismatch] for a path: one of its values has to be as expected.
func mismatchAt(want any, r row, path string) string {
	first := ""
	for i, got := range valuesAt(r, path) {
		wrong := mismatch(want, got, path)
		if wrong == "" {
			return ""
		}
		if i == 0 {
			first = wrong
		}
	}
	return first
}

func (t term) matches(r row) bool {
	if t.Op == "empty" {
		return !slices.ContainsFunc(valuesAt(r, t.Path), func(v any) bool { return !isEmpty(v) })
	}
	return (mismatchAt(t.Value, r, t.Path) == "") == (t.Op == "eq")
}

// check describes the first mismatch of the actions of a case's trace, "" when there is none.
func (c *wantedCase) check(actions []row) string {
	for _, want := range c.Actions {
		matching := slices.DeleteFunc(slices.Clone(actions), func(r row) bool {
			return r["type"] != want.Type || slices.ContainsFunc(want.Where, func(t term) bool { return !t.matches(r) })
		})
		if len(matching) != 1 {
			return fmt.Sprintf("%s: want exactly one with %v, got %d", want.Type, want.Where, len(matching))
		}
		values := maps.Clone(want.Values)
		if c.OrderSensitive {
			maps.Copy(values, want.ValuesChainOrder)
		}
		for _, path := range slices.Sorted(maps.Keys(values)) {
			if wrong := mismatchAt(values[path], matching[0], path); wrong != "" {
				return want.Type + ": " + wrong
			}
		}
	}
	return ""
}

// decode reads JSON without losing digits.
func decode(raw string, to any) error {
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	return d.Decode(to)
}
