package v3_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// parameterCase sends a request with and without one parameter.
type parameterCase struct {
	*fixture
	parameter
	base string
}

// response is a response to a request. Its rows are those of its list, or else the complete response.
type response struct {
	status int
	header http.Header
	text   string
	rows   []record
}

// record is a row of a response.
type record struct {
	text string
	tree any
}

// with sends the request with the parameter, once per value; without values, it sends the base.
func (p parameterCase) with(t *testing.T, values ...string) response {
	t.Helper()
	return p.ok(t, p.query(values...))
}

// ok sends a request that must succeed.
func (p parameterCase) ok(t *testing.T, query string, headers ...string) response {
	t.Helper()
	a := p.put(t, query, headers...)
	require.Equal(t, http.StatusOK, a.status, "%s %s: %s", p.path, query, a.text)
	return a
}

// query returns the base with the parameter set to values.
func (p parameterCase) query(values ...string) string {
	switch {
	case len(values) == 0 || p.header:
		return p.base
	case p.body:
		members := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(p.fill(p.base, plainly)), &members); err != nil {
			panic(p.base + ": " + err.Error())
		}
		members[p.name] = json.RawMessage(p.fill(values[0], plainly))
		text, err := json.Marshal(members)
		if err != nil {
			panic(err)
		}
		return string(text)
	}
	query, err := url.ParseQuery(p.fill(p.base, url.QueryEscape))
	if err != nil {
		panic(err)
	}
	query.Del(p.name)
	for _, v := range values {
		query.Add(p.name, p.fill(v, plainly))
	}
	return query.Encode()
}

func plainly(text string) string { return text }

// put sends a request. Full lists, which many parameters are compared with, are cached: the devnet does not change.
func (p parameterCase) put(t *testing.T, query string, headers ...string) response {
	t.Helper()
	if p.method == http.MethodPost || !strings.Contains(query, fullList) {
		return p.putAnew(t, query, headers...)
	}
	key := strings.Join(append([]string{p.path, p.fill(query, url.QueryEscape)}, headers...), "\n")
	a, cached := p.lists[key]
	if !cached {
		a = p.putAnew(t, query, headers...)
		p.lists[key] = a
	}
	return a
}

// fullList marks queries that are repeated until all pages are read.
const fullList = "limit=1000"

func (p parameterCase) putAnew(t *testing.T, query string, headers ...string) response {
	t.Helper()
	if p.method == http.MethodPost {
		return p.read(t, p.post(p.path, "application/json", p.fill(query, plainly)))
	}
	query = p.fill(query, url.QueryEscape)
	a := p.read(t, p.do(p.path+"?"+query, headers...))
	for next := a.header.Get("X-Next-Cursor"); next != "" && strings.Contains(query, fullList); {
		more := p.read(t, p.do(p.path+"?"+query+"&cursor="+next))
		require.Equal(t, http.StatusOK, more.status, more.text)
		a.rows = append(a.rows, more.rows...)
		next = more.header.Get("X-Next-Cursor")
	}
	return a
}

// isList reports whether the response is a list of rows. Other responses count as one row.
func (p parameterCase) isList() bool {
	single := []string{"/addressBook", "/metadata", "/decode", "/addressInformation", "/account", "/walletInformation", "/wallet", "/balanceChanges",
		"/staking/nominatorPools/pool"}
	return !p.body && !slices.Contains(single, p.path)
}

func (p parameterCase) read(t *testing.T, w *httptest.ResponseRecorder) response {
	t.Helper()
	a := response{status: w.Code, header: w.Header(), text: w.Body.String()}
	if w.Code != http.StatusOK {
		return a
	}
	list := []json.RawMessage{w.Body.Bytes()}
	if p.isList() {
		list = listOf(t, w.Body.Bytes())
	}
	for _, text := range list {
		r := record{text: string(text)}
		require.NoError(t, json.Unmarshal(text, &r.tree))
		a.rows = append(a.rows, r)
	}
	return a
}

// requireOutcome sends a request and checks its outcome.
func (p parameterCase) requireOutcome(t *testing.T, o outcome) {
	t.Helper()
	query := o.query
	if query == "" {
		require.NotEmpty(t, o.value, "a value is missing in the table")
		query = p.query(o.value)
	} else if !p.header {
		require.Contains(t, query, p.name, "the query lacks the parameter")
	}
	a := p.put(t, query, p.headers(o.value)...)
	if o.like != "" {
		other := p.put(t, p.base)
		if o.like != "none" {
			other = p.put(t, p.query(o.like), p.headers(o.like)...)
		}
		require.Equal(t, other.status, a.status, a.text)
		require.JSONEq(t, other.text, a.text)
		return
	}
	want := o.status
	if want == 0 {
		want = http.StatusOK
	}
	require.Equal(t, want, a.status, "%s: %s", query, a.text)
	switch {
	case want != http.StatusOK:
		var failure struct{ Error string }
		require.NoError(t, json.Unmarshal([]byte(a.text), &failure))
		require.Contains(t, failure.Error, p.fill(o.text, plainly))
	case o.text != "":
		require.Contains(t, a.text, p.fill(o.text, plainly))
	default:
		require.Empty(t, a.rows, "%s: %s", query, a.text)
	}
}

// headers returns the headers of a request with a value of the parameter.
func (p parameterCase) headers(value string) []string {
	if !p.header {
		return nil
	}
	return []string{p.name, value}
}

// values returns the values at a path as texts: members by name, * for all members of an object; lists are flattened.
func values(tree any, path string) (found []string) {
	switch v := tree.(type) {
	case []any:
		for _, element := range v {
			found = append(found, values(element, path)...)
		}
	case map[string]any:
		name, rest, _ := strings.Cut(path, ".")
		if name == "*" {
			for _, member := range v {
				found = append(found, values(member, rest)...)
			}
		} else if path != "" {
			found = values(v[name], rest)
		}
	case string:
		found = []string{v}
	case float64:
		found = []string{strconv.FormatFloat(v, 'f', -1, 64)}
	case bool:
		found = []string{strconv.FormatBool(v)}
	}
	return found
}

// has reports whether one of the paths leads to value.
func has(tree any, value string, paths ...string) bool {
	return slices.ContainsFunc(paths, func(path string) bool { return slices.Contains(values(tree, path), value) })
}

// texts returns the rows in sorted order.
func texts(rows []record) []string {
	list := make([]string, len(rows))
	for i := range rows {
		list[i] = rows[i].text
	}
	slices.Sort(list)
	return list
}

// filter returns the rows that keep accepts.
func filter(rows []record, keep func(any) bool) (list []record) {
	for _, r := range rows {
		if keep(r.tree) {
			list = append(list, r)
		}
	}
	return list
}
