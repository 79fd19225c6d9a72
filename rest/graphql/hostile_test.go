package graphql_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hostile is a request that tries to cost more than its price.
type hostile struct {
	query     string
	variables string // JSON
	body      string // instead of both
	want      string // part of the first error
}

// maxReply bounds the response to a hostile request, in bytes.
const maxReply = 64 << 10

// numbered repeats a text; % is replaced by its number and @ by the next one.
func numbered(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteByte(' ')
		b.WriteString(strings.NewReplacer("%", fmt.Sprint(i), "@", fmt.Sprint(i+1)).Replace(text))
	}
	return b.String()
}

// chained returns fragments each of which spreads the next.
func chained(n int, spread string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " fragment F%d on Transaction { %s }", i, strings.ReplaceAll(spread, "%", fmt.Sprintf("...F%d", i+1)))
	}
	fmt.Fprintf(&b, " fragment F%d on Transaction { hash }", n)
	return b.String()
}

func hostiles() map[string]hostile {
	const first = "{ transactions { nodes { ...F0 } } }"
	nested := func(n int, open, end string) string { return strings.Repeat(open, n) + strings.Repeat(end, n) }
	return map[string]hostile{
		"fragments that double":             {query: first + chained(15, "a: previous { % } b: previous { % }"), want: "too many aliases"},
		"fragments that explode":            {query: first + chained(26, "a: previous { % } b: previous { % }")},
		"fragments that double unaliased":   {query: first + chained(60, "previous { % } inMessage { sourceTransaction { % } }")},
		"a chain of fragments":              {query: first + chained(150, "previous { % }"), want: "nested too deep"},
		"fragments spread together":         {query: "{ transactions { nodes {" + numbered(190, "...G%") + " } } }" + numbered(190, "fragment G% on Transaction { lt }")},
		"fragments spread together, nested": {query: "{ transactions { nodes {" + numbered(100, "...G%") + " } } }" + numbered(100, "fragment G% on Transaction { previous { lt hash } }")},
		"a cycle of fragments":              {query: first + chained(300, "%") + " fragment F301 on Transaction { ...F0 }"},
		"a ring of fragments":               {query: first + numbered(1, "fragment F% on Transaction { ...F1 } fragment F1 on Transaction { ...F0 }"), want: "Cannot spread fragment"},
		"fragments that nobody spreads":     {query: "{ __typename }" + numbered(300, "fragment G% on Transaction { lt }")},
		"deep nesting":                      {query: "{ transactions { nodes " + nested(40, "{ previous ", " }") + " } }"},
		"deep nesting of a leaf":            {query: "{ transactions { nodes " + strings.Repeat("{ previous ", 40) + "{ hash }" + strings.Repeat("}", 40) + " } }", want: "nested too deep"},
		"brackets":                          {query: strings.Repeat("{", 500_000)},
		"aliases":                           {query: "{" + numbered(200, "a%: __typename") + "}", want: "aliases"},
		"aliases that conflict":             {query: "{" + strings.Repeat(" a: __typename a: indexStatus { lagSeconds }", 200) + "}", want: "repeats fields"},
		"duplicate fields":                  {query: "{" + strings.Repeat(" __typename", 20000) + "}", want: "token"},
		"duplicates within the tokens":      {query: "{" + strings.Repeat(" __typename", 1990) + "}", want: "repeats fields"},
		"duplicate objects":                 {query: "{" + strings.Repeat(" indexStatus { lagSeconds }", 480) + "}", want: "repeats fields"},
		"duplicates with arguments":         {query: "{" + strings.Repeat(` transactions(first: 1) { nodes { hash } }`, 160) + "}", want: "repeats fields"},
		"duplicates in duplicates":          {query: "{ transactions { nodes {" + strings.Repeat(" previous {"+strings.Repeat(" lt", 40)+" }", 44) + " } } }", want: "repeats fields"},
		"directives":                        {query: "{ __typename " + strings.Repeat("@skip(if: false) ", 5000) + "}", want: "token"},
		"directives within the tokens":      {query: "{ __typename " + strings.Repeat("@skip(if: false) ", 320) + "}"},
		"unknown directives":                {query: "{ __typename" + numbered(950, "@d%") + "}"},
		"skips on every field":              {query: "query($y: Boolean!) {" + strings.Repeat(" __typename @skip(if: $y) @include(if: $y)", 140) + "}", variables: `{"y":true}`},
		"fields within introspection":       {query: "{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }"},
		"introspection many times":          {query: "{" + numbered(19, "a%: __schema { types { name description fields { name description } } }") + "}", want: "introspection"},
		"types many times":                  {query: "{ __schema {" + numbered(29, "a%: types { name description fields { name description args { name description } } }") + "} }", want: "introspection"},
		"one type many times":               {query: "{" + numbered(19, `a%: __type(name: "Query") { fields { name description args { name description type { name } } } }`) + "}", want: "introspection"},
		"types of types":                    {query: "{ __schema { types { name fields { type { name fields { name description } } } } } }", want: "introspection"},
		"fields many times":                 {query: "{ __schema { types {" + numbered(29, "a%: fields { name description }") + " } } }", want: "introspection"},
		"fragments of introspection":        {query: "{ __schema { types { ...T0 } } }" + numbered(60, "fragment T% on __Type { kind ofType { ...T@ } fields { type { ...T@ } } }") + " fragment T60 on __Type { name }", want: "introspection"},
		"a huge page":                       {query: "{ transactions(first: 1000000) { nodes { hash } } }", want: "the page size must be 0 to 100"},
		"a negative page":                   {query: "{ transactions(first: -1) { nodes { hash } } }", want: "the page size must be 0 to 100"},
		"a page beyond numbers":             {query: "query($n: Int) { transactions(first: $n) { nodes { hash } } }", variables: `{"n":1` + strings.Repeat("0", 5000) + `}`},
		"nested pages":                      {query: "{ transactions(first: 100) { nodes { account { transactions(first: 100) { nodes { account { transactions(first: 100) { nodes { hash } } } } } } } } }", want: "costs too much"},
		"many roots":                        {query: "{" + numbered(30, "a%: indexStatus { lagSeconds }") + "}", want: "root"},
		"inline fragments that repeat":      {query: "{" + strings.Repeat(" ... { __typename indexStatus { lagSeconds } }", 220) + "}"},
		"inline fragments in a node":        {query: "{ transactions { nodes {" + strings.Repeat(" ... { previous { lt hash } }", 200) + " } } }"},
		"many operations":                   {query: numbered(400, "query Q% { __typename }")},
		"unknown fields everywhere":         {query: "{" + numbered(500, "nothing%") + "}", want: "Cannot query field"},
		"thousands of errors":               {query: "{" + numbered(950, "transaction%s") + "}", want: "Cannot query field"},
		"thousands of unknown arguments":    {query: "{ transactions(" + numbered(480, "acounts%: 1") + ") { nodes { hash } } }"},
		"thousands of unknown variables":    {query: "query(" + numbered(400, "$v%: Nothing") + ") { __typename }"},
		"variables that nobody uses":        {query: "query(" + numbered(480, "$v%: Int") + ") { __typename }"},
		"a deep list in the document":       {query: "{ accounts(addresses: " + nested(900, "[", "]") + ") { address } }"},
		"a deep object in the document":     {query: "{ transactions(where: " + strings.Repeat("{a: ", 600) + "1" + strings.Repeat("}", 600) + ") { nodes { hash } } }"},
		"a deep list in variables":          {query: "query($a: [Address!]!) { accounts(addresses: $a) { address } }", variables: `{"a":` + nested(9000, "[", "]") + `}`},
		"a deeper list in variables":        {query: "query($a: [Address!]!) { accounts(addresses: $a) { address } }", variables: `{"a":` + nested(400_000, "[", "]") + `}`},
		"a deep object in variables":        {query: "query($w: TransactionWhere) { transactions(where: $w) { nodes { hash } } }", variables: strings.Repeat(`{"w":`, 9000) + "1" + strings.Repeat("}", 9000)},
		"a long list in variables":          {query: "query($a: [Address!]!) { accounts(addresses: $a) { address } }", variables: `{"a":["x"` + strings.Repeat(`,"x"`, 240_000) + `]}`, want: "too many values"},
		"a long list of nulls":              {query: "query($a: [Address!]!) { accounts(addresses: $a) { address } }", variables: `{"a":[null` + strings.Repeat(`,null`, 190_000) + `]}`},
		"a list of one that is no list":     {query: "query($a: [Address!]!) { accounts(addresses: $a) { address } }", variables: `{"a":"` + strings.Repeat("A", 900_000) + `"}`},
		"variables without end":             {query: "{ __typename }", variables: "{" + strings.TrimSuffix(numbered(60_000, `"v%":1,`), ",") + "}"},
		"keys without end":                  {query: "query($w: TransactionWhere) { transactions(where: $w) { nodes { hash } } }", variables: `{"w":{` + strings.TrimSuffix(numbered(60_000, `"v%":1,`), ",") + "}}"},
		"escapes in text":                   {query: `{ account(address: "` + strings.Repeat(`\u0041`, 80_000) + `") { address } }`},
		"surrogates in text":                {query: `{ account(address: "` + strings.Repeat(`\ud83d\ude00`, 40_000) + `") { address } }`},
		"a block of text":                   {query: `{ account(address: """` + strings.Repeat("\n x", 200_000) + `""") { address } }`},
		"a comment":                         {query: strings.Repeat("#\n", 400_000) + "{ __typename }"},
		"commas":                            {query: "{" + strings.Repeat(",", 900_000) + "__typename }"},
		"marks of byte order":               {query: strings.Repeat("\ufeff", 300_000) + "{ __typename }"},
		"letters of many bytes":             {query: "{" + strings.Repeat("\U0001F600", 200_000) + "}"},
		"half a letter":                     {body: `{"query":"{ \xff\xfe\xc3` + strings.Repeat("\xff", 900_000) + ` }"}`},
		"zeroes":                            {query: "{" + strings.Repeat("\x00", 150_000) + "}"},
		"a name without end":                {query: "{ " + strings.Repeat("a", 900_000) + " }", want: "more than 200 bytes"},
		"an alias without end":              {query: "{ " + strings.Repeat("a", 900_000) + ": nothing }", want: "more than 200 bytes"},
		"a number without end":              {query: "{ transactions(first: " + strings.Repeat("9", 900_000) + ") { nodes { hash } } }"},
		"a huge body":                       {body: `{"query":"` + strings.Repeat(" ", 2<<20) + `"}`, want: "too large"},
		"a huge body that is no JSON":       {body: strings.Repeat("{secret", 140_000), want: "must be a JSON object"},
		"a flood of a batch":                {body: "[" + strings.Repeat(`{"query":"{ __typename }"},`, 35_000) + `{"query":"{ __typename }"}]`, want: "batches are not supported"},
		"the same key again":                {body: `{"query":"{ __typename }"` + strings.Repeat(`,"query":"{ x }"`, 60_000) + "}"},
		"extensions without end":            {body: `{"query":"{ __typename }","extensions":{` + strings.TrimSuffix(numbered(60_000, `"v%":1,`), ",") + "}}"},
	}
}

// text returns the body of a request; mark makes the document unique, so that it is not cached.
func (h hostile) text(mark int) string {
	if h.body != "" {
		return h.body
	}
	query, err := json.Marshal(h.query + fmt.Sprintf("\n#%d", mark))
	if err != nil {
		return ""
	}
	return fmt.Sprintf(`{"query":%s,"variables":%s}`, query, cmp.Or(h.variables, "null"))
}

func sendHostile(h http.Handler, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec
}

// Each hostile request gets a short response. BenchmarkHostile measures its cost.
func TestHostileQueries_GetShortResponses(t *testing.T) {
	t.Parallel()
	w, _ := emptyTestIndex(t)
	for name, c := range hostiles() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec := sendHostile(w.h, c.text(0))
			require.Less(t, rec.Body.Len(), maxReply)
			require.Less(t, rec.Code, 500)
			require.NotContains(t, rec.Body.String(), ".go:")
			require.NotContains(t, rec.Body.String(), "internal error")
			var a response
			require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &a), rec.Body.String())
			if c.want != "" {
				require.NotEmpty(t, a.Errors)
				require.Contains(t, a.Errors[0].Message, c.want)
			}
		})
	}
}

// maxCPU bounds the CPU time of a hostile request.
const maxCPU = 200 * time.Millisecond

// BenchmarkHostile prints the CPU time of this process for each hostile request, including reading the request, when
// its document is not cached.
func BenchmarkHostile(b *testing.B) {
	w, _ := emptyTestIndex(b)
	all := hostiles()
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	var worst float64
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			bodies := make([]string, b.N)
			for i := range bodies {
				bodies[i] = all[name].text(i)
			}
			size := 0
			began := cpuTime(b)
			b.ResetTimer()
			for _, body := range bodies {
				size = sendHostile(w.h, body).Body.Len()
			}
			used := cpuTime(b) - began
			ms := used.Seconds() * 1000 / float64(b.N)
			b.ReportMetric(ms, "cpu-ms")
			b.ReportMetric(float64(size), "B/reply")
			worst = max(worst, ms)
			require.Less(b, ms, maxCPU.Seconds()*1000)
		})
	}
	b.Logf("the worst costs %.1f ms of CPU", worst)
}

func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var self syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &self))
	return time.Duration(self.Utime.Nano() + self.Stime.Nano())
}
