package v3_test

import (
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// effect checks that a parameter has its documented effect.
type effect func(t *testing.T, p parameterCase)

// each combines several effects of one parameter.
func each(effects ...effect) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		for _, e := range effects {
			e(t, p)
		}
	}
}

// only checks that the parameter keeps the rows with its value in one of the members, and several values the rows of
// each. The values are the most frequent ones that not all rows have.
func only(paths ...string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		all := filterable(p.with(t).rows, paths)
		list := selectiveValues(all, paths)
		require.NotEmpty(t, list, "all of %d rows have the same %v", len(all), paths)
		match := func(wanted ...string) []string {
			return texts(filter(all, func(row any) bool {
				return slices.ContainsFunc(wanted, func(v string) bool { return has(row, v, paths...) })
			}))
		}
		require.Equal(t, match(list[0]), texts(filterable(p.with(t, list[0]).rows, paths)), "%s=%s", p.name, list[0])
		if p.many && len(list) > 1 {
			require.Equal(t, match(list[:2]...), texts(filterable(p.with(t, list[:2]...).rows, paths)), "%s=%v", p.name, list[:2])
		}
	}
}

// filterable drops the rows with a type that filters do not know: they know extra_currency_transfer as ton_transfer or call_contract.
func filterable(rows []record, paths []string) []record {
	if !slices.Contains(paths, "type") {
		return rows
	}
	return filter(rows, func(row any) bool { return !has(row, "extra_currency_transfer", "type") })
}

// selectiveValues returns the values that some rows have and others lack, most frequent first.
func selectiveValues(all []record, paths []string) []string {
	count := map[string]int{}
	for _, r := range all {
		own := map[string]bool{}
		for _, path := range paths {
			for _, v := range values(r.tree, path) {
				own[v] = true
			}
		}
		for v := range own {
			count[v]++
		}
	}
	var list []string
	for v, n := range count {
		if n < len(all) && !strings.HasPrefix(v, "addr_") {
			list = append(list, v)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	return list
}

// without checks that the parameter excludes the rows with its value in a member.
func without(path string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		all := filterable(p.with(t).rows, []string{path})
		list := selectiveValues(all, []string{path})
		require.NotEmpty(t, list)
		rest := filter(all, func(row any) bool { return !has(row, list[0], path) })
		require.Equal(t, texts(rest), texts(filterable(p.with(t, list[0]).rows, []string{path})), "%s=%s", p.name, list[0])
	}
}

// keeps checks that a value of the parameter keeps the rows that keep accepts. Rows are compared by member: other
// members can differ.
func keeps(value, member string, keep func(any) bool) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		all := p.with(t).rows
		want, got := filter(all, keep), p.with(t, value).rows
		require.NotEmpty(t, want)
		require.Less(t, len(want), len(all), "%s=%s keeps everything", p.name, value)
		require.ElementsMatch(t, members(want, member), members(got, member), "%s=%s", p.name, value)
	}
}

// adds checks that a value of the parameter adds rows that kind accepts.
func adds(value string, kind func(any) bool) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		before, after := p.with(t).rows, p.with(t, value).rows
		more := filter(after, func(row any) bool {
			return !slices.ContainsFunc(before, func(r record) bool { return has(row, values(r.tree, "address")[0], "address") })
		})
		require.NotEmpty(t, more, "%s=%s adds nothing", p.name, value)
		require.Len(t, after, len(before)+len(more))
		require.Len(t, filter(more, kind), len(more))
	}
}

// selects checks that each value finds other rows: those with the value in one of the members. The parameter is
// required.
func selects(paths []string, list ...string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		seen := map[string]string{}
		for _, value := range list {
			a := p.with(t, value)
			require.NotEmpty(t, a.rows, "%s=%s", p.name, value)
			require.Empty(t, seen[a.text], "%s=%s changes nothing", p.name, value)
			seen[a.text] = value
			for _, r := range a.rows {
				require.True(t, has(r.tree, p.fill(strings.Trim(value, `"`), plainly), paths...), "%s=%s found %s", p.name, value, r.text)
			}
		}
		if p.many {
			union := p.with(t, list...)
			for _, value := range list {
				require.Subset(t, texts(union.rows), texts(p.with(t, value).rows))
			}
		}
	}
}

// to names the members that [selects] compares.
func to(paths ...string) []string { return paths }

// differs checks that the response is different for each value.
func differs(list ...string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		seen := map[string]string{}
		for _, value := range list {
			a := p.with(t, value)
			require.Empty(t, seen[a.text], "%s=%s: %s", p.name, value, a.text)
			seen[a.text] = value
		}
	}
}

// changesMembers checks that a value changes or removes the named members, and nothing else.
func changesMembers(value string, names ...string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		before, after := p.with(t).rows, p.with(t, value).rows
		require.NotEqual(t, texts(before), texts(after), "%s=%s changes nothing", p.name, value)
		require.Equal(t, withoutMembers(before, names), withoutMembers(after, names))
	}
}

// withoutMembers returns the rows without the named members.
func withoutMembers(list []record, names []string) (rest []map[string]any) {
	for _, r := range list {
		others := map[string]any{}
		for name, v := range r.tree.(map[string]any) {
			if !slices.Contains(names, name) {
				others[name] = v
			}
		}
		rest = append(rest, others)
	}
	return rest
}

// from checks that the parameter keeps rows whose member is at least its value, until that it is at most the value.
// Rows without the member are excluded.
func from(path string) effect  { return bound(path, 1) }
func until(path string) effect { return bound(path, -1) }

func bound(path string, side int) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		all := filter(p.with(t).rows, func(row any) bool { return len(values(row, path)) > 0 })
		slices.SortStableFunc(all, func(a, b record) int { return amount(a.tree, path).Cmp(amount(b.tree, path)) })
		different := slices.Compact(members(all, path))
		require.Greater(t, len(different), 1)
		middle, _ := new(big.Int).SetString(different[(len(different)+min(side, 0))/2], 10)
		want := filter(all, func(row any) bool { return amount(row, path).Cmp(middle)*side >= 0 })
		require.Less(t, len(want), len(all))
		require.Equal(t, texts(want), texts(p.with(t, middle.String()).rows), "%s=%s", p.name, middle)
	}
}

// amount returns a member as a number.
func amount(row any, path string) *big.Int {
	n, ok := new(big.Int).SetString(values(row, path)[0], 10)
	if !ok {
		panic(values(row, path)[0])
	}
	return n
}

func members(list []record, path string) (all []string) {
	for _, r := range list {
		all = append(all, values(r.tree, path)...)
	}
	return all
}

// ignored checks that the parameter changes nothing, as published.
func ignored(value, _ string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		require.JSONEq(t, p.with(t).text, p.with(t, value).text)
	}
}

// limits checks limit: it keeps the first rows, values below 1 count as 1, and the error names the maximum.
func limits(maximum string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		all := p.with(t).rows
		require.Greater(t, len(all), 1)
		for _, value := range []string{"1", "0", "-5"} {
			require.Equal(t, all[:1], p.with(t, value).rows)
		}
		p.requireOutcome(t, outcome{value: "2000", status: http.StatusUnprocessableEntity, text: "limit is not allowed: 2000 > " + maximum})
	}
}

// skips checks offset: it skips the first rows, and values below 0 count as 0.
func skips(t *testing.T, p parameterCase) {
	t.Helper()
	all := p.with(t).rows
	require.Greater(t, len(all), 1)
	require.Equal(t, all[1:], p.with(t, "1").rows)
	require.Equal(t, all, p.with(t, "-1").rows)
}

// sorts checks sort: it reverses the order, and accepts any case and single letters.
func sorts(t *testing.T, p parameterCase) {
	t.Helper()
	up, down := p.with(t, "asc").rows, p.with(t, "desc").rows
	require.NotEqual(t, up, down)
	require.Equal(t, texts(up), texts(down))
	require.Equal(t, up, p.with(t, "A").rows)
	require.Equal(t, down, p.with(t, "d").rows)
	require.Equal(t, down, p.with(t, "DESC").rows)
}

// pagesByCursor checks cursor: the pages together are the list.
func pagesByCursor(t *testing.T, p parameterCase) {
	t.Helper()
	all := p.with(t).rows
	query := strings.Replace(p.base, "limit=1000", "limit=2", 1)
	require.NotEqual(t, p.base, query, "the base has no limit=1000")
	page := p.ok(t, query)
	got := page.rows
	for next := page.header.Get("X-Next-Cursor"); next != "" && len(got) < 10; next = page.header.Get("X-Next-Cursor") {
		page = p.ok(t, query+"&cursor="+next)
		got = append(got, page.rows...)
	}
	require.Equal(t, all[:len(got)], got)
	require.GreaterOrEqual(t, len(got), min(len(all), 10))
	full := p.ok(t, strings.Replace(p.base, "limit=1000", "limit="+strconv.Itoa(min(len(all), 1000)), 1))
	p.names["end of the list"] = full.header.Get("X-Next-Cursor")
}
