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

// effect holds what a parameter does against what its interface says it does.
type effect func(t *testing.T, p parameterCase)

// each is several effects of one parameter.
func each(effects ...effect) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		for _, e := range effects {
			e(t, p)
		}
	}
}

// only keeps the rows with a value in one of the members; several values keep the rows of each. Which values, the rows
// themselves tell: the most frequent ones that not all have.
func only(paths ...string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		all := p.with(t).rows
		list := telling(all, paths)
		require.NotEmpty(t, list, "all of %d rows have the same %v", len(all), paths)
		match := func(wanted ...string) []string {
			return texts(filter(all, func(row any) bool {
				return slices.ContainsFunc(wanted, func(v string) bool { return has(row, v, paths...) })
			}))
		}
		require.Equal(t, match(list[0]), texts(p.with(t, list[0]).rows), "%s=%s", p.name, list[0])
		if p.many && len(list) > 1 {
			require.Equal(t, match(list[:2]...), texts(p.with(t, list[:2]...).rows), "%s=%v", p.name, list[:2])
		}
	}
}

// telling are the values that some rows have and some have not, most frequent first.
func telling(all []record, paths []string) []string {
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

// without leaves out the rows with a value in a member.
func without(path string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		all := p.with(t).rows
		list := telling(all, []string{path})
		require.NotEmpty(t, list)
		rest := filter(all, func(row any) bool { return !has(row, list[0], path) })
		require.Equal(t, texts(rest), texts(p.with(t, list[0]).rows), "%s=%s", p.name, list[0])
	}
}

// keeps keeps, for one value of the parameter, some of the rows. Rows are the same when the member is: others may be told
// differently.
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

// adds adds, for one value of the parameter, rows of a kind.
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

// selects finds, for each value, other rows: those that have it in one of the members. Without the parameter there would
// be no answer.
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

// to names the members that [selects] looks at.
func to(paths ...string) []string { return paths }

// differs answers differently for each value.
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

// tells the same rows for a value, save that members are other ones, or missing.
func tells(value string, names ...string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		before, after := p.with(t).rows, p.with(t, value).rows
		require.NotEqual(t, texts(before), texts(after), "%s=%s changes nothing", p.name, value)
		require.Equal(t, bare(before, names), bare(after, names))
	}
}

// bare are rows without some members.
func bare(list []record, names []string) (rest []map[string]any) {
	for _, r := range list {
		kept := map[string]any{}
		for name, v := range r.tree.(map[string]any) {
			if !slices.Contains(names, name) {
				kept[name] = v
			}
		}
		rest = append(rest, kept)
	}
	return rest
}

// from keeps rows whose member is at least the value, and until those where it is at most that; both are inclusive. Rows
// without the member are left out.
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

// amount is a member as a number.
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

// ignored is a parameter that by the published interface never changes anything.
func ignored(value, _ string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		require.JSONEq(t, p.with(t).text, p.with(t, value).text)
	}
}

// limits gives the first rows; below one counts as one, and the maximum is told.
func limits(most string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		all := p.with(t).rows
		require.Greater(t, len(all), 1)
		for _, value := range []string{"1", "0", "-5"} {
			require.Equal(t, all[:1], p.with(t, value).rows)
		}
		p.leads(t, outcome{value: "2000", status: http.StatusUnprocessableEntity, text: "limit is not allowed: 2000 > " + most})
	}
}

// skips leaves out the first rows; below zero counts as zero.
func skips(t *testing.T, p parameterCase) {
	t.Helper()
	all := p.with(t).rows
	require.Greater(t, len(all), 1)
	require.Equal(t, all[1:], p.with(t, "1").rows)
	require.Equal(t, all, p.with(t, "-1").rows)
}

// sorts turns the order round; letters and case are free.
func sorts(t *testing.T, p parameterCase) {
	t.Helper()
	up, down := p.with(t, "asc").rows, p.with(t, "desc").rows
	require.NotEqual(t, up, down)
	require.Equal(t, texts(up), texts(down))
	require.Equal(t, up, p.with(t, "A").rows)
	require.Equal(t, down, p.with(t, "d").rows)
	require.Equal(t, down, p.with(t, "DESC").rows)
}

// goesOn reads the list page by page: together the pages are the list.
func goesOn(t *testing.T, p parameterCase) {
	t.Helper()
	all := p.with(t).rows
	query := strings.Replace(p.base, "limit=1000", "limit=2", 1)
	require.NotEqual(t, p.base, query, "the base asks for 1000 rows")
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
