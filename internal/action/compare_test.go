package action_test

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// This file compares rows as decoded JSON: numbers by value, cells by hash, sets in any order, other values exactly.
// All forms of an absent value are equal.

// notCompared are columns that a recorded trace does not determine.
var notCompared = map[string]bool{"finality": true, "trace_external_hash_norm": true}

// unordered are lists without an order.
var unordered = map[string]bool{"tx_hashes": true, "accounts": true, "ancestor_type": true, "vault_excesses": true}

// ofTrace are columns that are equal in all rows of one type in one trace.
var ofTrace = map[string]bool{
	"type": true, "trace_id": true, "trace_end_lt": true, "trace_end_utime": true, "trace_mc_seqno_end": true,
	"trace_external_hash": true,
}

type row = map[string]any

// difference is a place where two rows are not equal.
type difference struct {
	path      string
	want, got any
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, field := range v {
			if !isEmpty(field) {
				return false
			}
		}
		return true
	case []any:
		return len(v) == 0
	default:
		return v == nil
	}
}

var integer = regexp.MustCompile(`^-?\d{1,100}$`)

// number parses a number or its text; nil for all other values.
func number(v any) *big.Rat {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		if integer.MatchString(v) {
			text = v
		}
	}
	if n, ok := new(big.Rat).SetString(text); ok && text != "" {
		return n
	}
	return nil
}

// equal compares leaves.
func equal(want, got any) bool {
	if isEmpty(want) || isEmpty(got) {
		return isEmpty(want) && isEmpty(got)
	}
	switch w := want.(type) {
	case bool:
		return want == got
	case json.Number:
		n := number(got)
		return n != nil && n.Cmp(number(w)) == 0
	case string:
		g, ok := got.(string)
		return ok && (w == g || root(w) != "" && root(w) == root(g))
	}
	return false
}

// root returns the hash of the cell of a BoC in base64, "" for any other text.
func root(text string) string {
	if !strings.HasPrefix(text, "te6cc") {
		return ""
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return ""
	}
	c, err := cell.FromBOC(raw)
	if err != nil {
		return ""
	}
	return string(c.Hash())
}

// differences lists the leaves in which two values differ; path is empty for complete rows.
func differences(want, got any, path string) []difference {
	w, wMap := want.(map[string]any)
	g, gMap := got.(map[string]any)
	if wMap || gMap {
		if !wMap && !isEmpty(want) || !gMap && !isEmpty(got) {
			return []difference{{path, want, got}}
		}
		var found []difference
		for _, name := range names(w, g) {
			if path == "" && notCompared[name] {
				continue
			}
			found = append(found, differences(w[name], g[name], join(path, name))...)
		}
		return found
	}
	var same bool
	if wl, ok := want.([]any); ok {
		gl, _ := got.([]any)
		if unordered[path[strings.LastIndex(path, ".")+1:]] {
			same = equalSets(wl, gl)
		} else {
			same = slices.EqualFunc(wl, gl, func(a, b any) bool { return differences(a, b, "element") == nil })
		}
	} else {
		same = equal(want, got)
	}
	if same {
		return nil
	}
	return []difference{{path, want, got}}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func names(a, b map[string]any) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

func equalSets(want, got []any) bool {
	if len(want) != len(got) {
		return false
	}
	rest := slices.Clone(got)
	for _, w := range want {
		i := slices.IndexFunc(rest, func(g any) bool { return differences(w, g, "element") == nil })
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}

// similarity rates from 0 to 3 whether two rows are of the same action; ok is false when they are not.
func similarity(want, got row) (score float64, ok bool) {
	columns, agreeing := 0, 0
	for _, name := range names(want, got) {
		if notCompared[name] || ofTrace[name] || isEmpty(want[name]) && isEmpty(got[name]) {
			continue
		}
		columns++
		if differences(want[name], got[name], name) == nil {
			agreeing++
		}
	}
	values := float64(agreeing) / float64(max(columns, 1))
	expected, produced := hashes(want), hashes(got)
	both := 0
	for h := range expected {
		if produced[h] {
			both++
		}
	}
	overlap := float64(both) / float64(max(len(expected)+len(produced)-both, 1))
	if equal(want["action_id"], got["action_id"]) {
		return 1 + overlap + values, true
	}
	return overlap + values, overlap >= 0.5 || values >= 0.5
}

func hashes(r row) map[string]bool {
	set := map[string]bool{}
	list, _ := r["tx_hashes"].([]any)
	for _, h := range list {
		if text, ok := h.(string); ok {
			set[text] = true
		}
	}
	return set
}

// paired is an expected row with the matching one; nil on the side that is missing.
type paired struct {
	want, got row
	found     []difference
}

// pair matches expected rows with those of one type in one trace: first equal rows, then the most similar ones.
func pair(want, got []row) []paired {
	var pairs []paired
	var unequal []row
	rest := slices.Clone(got)
	for _, w := range want {
		if i := slices.IndexFunc(rest, func(g row) bool { return differences(w, g, "") == nil }); i >= 0 {
			pairs = append(pairs, paired{want: w, got: rest[i]})
			rest = slices.Delete(rest, i, i+1)
		} else {
			unequal = append(unequal, w)
		}
	}
	type candidate struct {
		score float64
		w, g  int
	}
	var all []candidate
	for i, w := range unequal {
		for j, g := range rest {
			if score, ok := similarity(w, g); ok {
				all = append(all, candidate{score, i, j})
			}
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.w, b.w), cmp.Compare(a.g, b.g))
	})
	partner, taken := map[int]int{}, map[int]bool{}
	for _, c := range all {
		if _, ok := partner[c.w]; !ok && !taken[c.g] {
			partner[c.w], taken[c.g] = c.g, true
		}
	}
	for i, w := range unequal {
		p := paired{want: w}
		if j, ok := partner[i]; ok {
			p.got, p.found = rest[j], differences(w, rest[j], "")
		}
		pairs = append(pairs, p)
	}
	for j, g := range rest {
		if !taken[j] {
			pairs = append(pairs, paired{got: g})
		}
	}
	return pairs
}
