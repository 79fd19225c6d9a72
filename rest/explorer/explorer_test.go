package explorer_test

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/lexer"

	"tonql/internal/chain"
	"tonql/rest/explorer"
	"tonql/rest/graphql"
	v3 "tonql/rest/v3"
)

func request(method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	explorer.New(explorer.Options{}).ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

func TestNew_ServesPageAndFiles(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/explorer", "/explorer/", "/explorer/account/0:ab", "/explorer/tx/a-b_c=", "/explorer/../../etc/passwd"} {
		w := request(http.MethodGet, path)
		require.Equal(t, http.StatusOK, w.Code, path)
		require.Contains(t, w.Body.String(), "/explorer/app.js", path)
		require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'", path)
		require.NotContains(t, w.Body.String(), "<script>", "the policy forbids it")
		require.NotContains(t, w.Body.String(), "stylesheet", "the style is part of the page")
		_, style, _ := strings.Cut(w.Body.String(), "<style>")
		style, _, _ = strings.Cut(style, "</style>")
		sum := sha256.Sum256([]byte(style))
		require.Greater(t, len(style), 1000)
		require.Contains(t, w.Header().Get("Content-Security-Policy"), "style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'", path)
	}
	require.Contains(t, request(http.MethodGet, "/explorer/app.js").Header().Get("Content-Type"), "javascript")
	require.Equal(t, http.StatusMethodNotAllowed, request(http.MethodPost, "/explorer").Code)
}

// A link to a page says in a chat what it opens. The path is untrusted, and nothing of it is markup.
func TestNew_PagesHaveTitleAndDescription(t *testing.T) {
	t.Parallel()
	const address = "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs"
	hash := strings.Repeat("ab", 32)
	for path, want := range map[string][2]string{
		"/explorer":                    {"Explorer", "Accounts, transactions, Jettons and NFTs on TON"},
		"/explorer/account/" + address: {"Account EQCxE6…Id_sDs · Explorer", "Account " + address + " on TON"},
		"/explorer/account/" + address + "/transactions": {"Account EQCxE6…Id_sDs · Explorer", "Account " + address + " on TON"},
		"/explorer/tx/" + hash:                           {"Transaction ababab…ababab · Explorer", "Transaction " + hash + " on TON"},
		"/explorer/block/-1/8000000000000000/77":         {"Block 77 · Explorer", "Block 77 on TON"},
		"/explorer/jettons":                              {"Jettons · Explorer", "Jettons on TON"},
		"/explorer/tx":                                   {"Explorer", "Accounts, transactions, Jettons and NFTs on TON"},
		"/explorer/tx/" + strings.Repeat("x", 5000):      {"Explorer", "Accounts, transactions, Jettons and NFTs on TON"},
		"/explorer/account/%22%3E%3Cscript%3Ealert(1)":   {"Account &#34;&gt;&lt;scr…ert(1) · Explorer", "Account &#34;&gt;&lt;script&gt;alert(1) on TON"},
	} {
		w := httptest.NewRecorder()
		explorer.New(explorer.Options{Network: "mainnet"}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		head, _, _ := strings.Cut(w.Body.String(), "<style>")
		require.Contains(t, head, "<title>"+want[0]+"</title>", path)
		require.Contains(t, head, `<meta name="description" content="`+want[1]+`">`, path)
		require.Contains(t, head, `<meta property="og:title" content="`+want[0]+`">`, path)
		require.Equal(t, 1, strings.Count(head, "<title>"), path)
	}
	local := request(http.MethodGet, "/explorer/accounts").Body.String()
	require.Contains(t, local, `content="Top accounts">`)
}

func TestNew_FilesAreCompressedAndRevalidated(t *testing.T) {
	t.Parallel()
	plain := request(http.MethodGet, "/explorer/app.js")
	require.Empty(t, plain.Header().Get("Content-Encoding"))
	request := httptest.NewRequest(http.MethodGet, "/explorer/app.js", nil)
	request.Header.Set("Accept-Encoding", "br, gzip")
	packed := httptest.NewRecorder()
	explorer.New(explorer.Options{}).ServeHTTP(packed, request)
	require.Equal(t, "gzip", packed.Header().Get("Content-Encoding"))
	require.Contains(t, packed.Header().Get("Content-Type"), "javascript")
	require.Less(t, packed.Body.Len(), 72<<10, "the script stays small")
	r, err := gzip.NewReader(packed.Body)
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, plain.Body.Bytes(), data)

	request.Header.Set("If-None-Match", packed.Header().Get("ETag"))
	again := httptest.NewRecorder()
	explorer.New(explorer.Options{}).ServeHTTP(again, request)
	require.Equal(t, http.StatusNotModified, again.Code)
	require.Zero(t, again.Body.Len())
}

func TestDist_NamesNoOtherHost(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"index.html", "app.js", "index.css"} {
		data, err := os.ReadFile(filepath.Join("dist", name))
		require.NoError(t, err)
		for line := range strings.SplitSeq(strings.ReplaceAll(string(data), "http://www.w3.org/", ""), "\n") {
			require.NotRegexp(t, `(src|href)="https?://|url\(https?://|@import|fetch\("http`, line)
		}
	}
}

// schema returns the GraphQL schema that this service serves.
func schema(t *testing.T) *ast.Schema {
	t.Helper()
	var sources []*ast.Source
	schemas, err := filepath.Glob("../../graph/*.graphqls")
	require.NoError(t, err)
	for _, name := range schemas {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		sources = append(sources, &ast.Source{Name: name, Input: string(text)})
	}
	loaded, err := gqlparser.LoadSchema(sources...)
	require.NoError(t, err)
	return loaded
}

// textFile is the file with every text of the page.
type textFile struct {
	Page struct {
		Filters struct{ Kinds map[string]string }
	}
	ExitCodes   map[string]map[string][2]string // by prefix of the interface; name and cause
	ActionCodes map[string][2]string
	Actions     map[string][4]string // title, icon, sum, text
}

func texts(t *testing.T) (file textFile) {
	t.Helper()
	data, err := os.ReadFile("app/src/texts.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &file))
	return file
}

// The codes that the TVM and the action phase define have a name and a cause, and each interface of the table exists.
func TestExitCodes_HaveNameAndCause(t *testing.T) {
	t.Parallel()
	file := texts(t)
	for _, code := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -14} {
		require.Contains(t, file.ExitCodes["tvm"], strconv.Itoa(code))
	}
	for _, code := range []int{0, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 50} {
		require.Contains(t, file.ActionCodes, strconv.Itoa(code))
	}
	tables := maps.Clone(file.ExitCodes)
	tables["action"] = file.ActionCodes
	for name, table := range tables {
		for code, texts := range table {
			_, err := strconv.ParseInt(code, 10, 32)
			require.NoError(t, err, name)
			require.NotEmpty(t, texts[0], "%s %s", name, code)
			require.True(t, strings.HasSuffix(texts[1], "."), "%s %s has no sentence for its cause", name, code)
		}
	}
	interfaces, err := os.ReadFile("../../internal/contract/interfaces.tsv")
	require.NoError(t, err)
	for prefix := range file.ExitCodes {
		if prefix == "tvm" || prefix == "common" {
			continue
		}
		require.Regexp(t, `(?m)^`+prefix, string(interfaces), "no interface begins with it")
	}
}

// Each kind of action of the schema has a template, and the page selects the fields of each kind.
func TestSentences_CoverEveryActionKind(t *testing.T) {
	t.Parallel()
	sentences := texts(t).Actions
	var kinds []string
	for _, kind := range schema(t).PossibleTypes["ActionDetails"] {
		name := strings.TrimSuffix(kind.Name, "Details")
		_, ok := sentences[name]
		require.True(t, ok, "app/src/texts.json lacks %s", name)
		kinds = append(kinds, name)
	}
	icons, err := os.ReadFile("app/src/parts/icon.tsx")
	require.NoError(t, err)
	for kind, sentence := range sentences {
		require.Contains(t, kinds, kind, "app/src/texts.json has a kind that the schema lacks")
		require.NotEmpty(t, sentence[0], kind)
		require.Regexp(t, `(?m)[ {,]`+regexp.QuoteMeta(sentence[1])+`: '`, string(icons), "%s has an icon that icon.tsx lacks", kind)
		require.NotEmpty(t, sentence[2]+sentence[3], "%s has neither parties nor an amount", kind)
	}
	fragment, err := os.ReadFile("app/src/queries/action_details.graphql")
	require.NoError(t, err)
	for _, kind := range kinds {
		require.Contains(t, string(fragment), "... on "+kind+"Details {", "run make explorer")
	}
}

// Each document, with the fragments it names, is valid under the schema and within the limit of tokens.
func TestDocuments_AreValidUnderTheSchema(t *testing.T) {
	t.Parallel()
	loaded := schema(t)
	documents, err := filepath.Glob("app/src/queries/*.graphql")
	require.NoError(t, err)
	require.NotEmpty(t, documents)
	texts, fragments := map[string]string{}, map[string]string{}
	for _, name := range documents {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		if rest, ok := strings.CutPrefix(string(text), "fragment "); ok {
			fragments[strings.Fields(rest)[0]] = string(text)
			continue
		}
		texts[name] = string(text)
	}
	for name, text := range texts {
		added := map[string]bool{}
		for grown := true; grown; {
			grown = false
			for fragment, body := range fragments {
				if !added[fragment] && regexp.MustCompile(`\.\.\.`+fragment+`\b`).MatchString(text) {
					text, added[fragment], grown = text+body, true, true
				}
			}
		}
		_, errs := gqlparser.LoadQueryWithRules(loaded, text, nil)
		require.Empty(t, errs, name)
		tokens := lexer.New(&ast.Source{Input: text})
		n := 0
		for ; ; n++ {
			token, err := tokens.ReadToken()
			require.NoError(t, err)
			if token.Kind == lexer.EOF {
				break
			}
		}
		require.LessOrEqual(t, n, graphql.DefaultLimits.MaxTokens, name)
	}
}

func TestDist_IsBuiltFromTheSources(t *testing.T) {
	t.Parallel()
	names := []string{"index.html", "package-lock.json", "tsconfig.json", "vite.config.ts"}
	require.NoError(t, fs.WalkDir(os.DirFS("app"), "src", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	}))
	slices.Sort(names)
	sum := sha256.New()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("app", name))
		require.NoError(t, err)
		sum.Write([]byte(name + "\n"))
		sum.Write(data)
	}
	stored, err := os.ReadFile("dist/source.sha256")
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(string(stored)), hex.EncodeToString(sum.Sum(nil)), "run make explorer")
}

func TestNew_NamesTheNetwork(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	explorer.New(explorer.Options{Network: `test"net`}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/explorer/jettons", nil))
	require.Contains(t, w.Body.String(), `data-network="test&#34;net"`)
}

// Each query that a page shows has its requests of /api/v3, whose paths and parameters exist, and whose values are variables of the
// query.
func TestRestPaths_Exist(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("app/src/rest.json")
	require.NoError(t, err)
	var paths map[string][]string
	require.NoError(t, json.Unmarshal(data, &paths))
	routes := map[string]v3.Route{}
	for _, r := range v3.Routes() {
		routes["/api/v3"+r.Path] = r
	}
	for name, list := range paths {
		document, err := os.ReadFile("app/src/queries/" + name + ".graphql")
		require.NoError(t, err)
		require.NotEmpty(t, list, name)
		for _, text := range list {
			u, err := url.Parse(text)
			require.NoError(t, err)
			route, ok := routes[u.Path]
			require.True(t, ok, "%s: %s does not exist", name, u.Path)
			for parameter, values := range u.Query() {
				require.Contains(t, route.Params, parameter, "%s: %s", name, text)
				if variable, ok := strings.CutPrefix(values[0], "{"); ok {
					variable, _, _ = strings.Cut(strings.TrimSuffix(variable, "}"), ".")
					require.Contains(t, string(document), "$"+variable+":", "%s: %s", name, text)
				}
			}
		}
	}
	for _, name := range []string{"account", "account_actions", "account_transactions", "block", "home", "jetton_holders", "jettons", "trace", "transaction"} {
		require.Contains(t, paths, name)
	}
}

// The kinds by which actions are filtered exist, each in one group that has a name.
func TestKinds_Exist(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("app/src/kinds.json")
	require.NoError(t, err)
	var groups map[string][]string
	require.NoError(t, json.Unmarshal(data, &groups))
	types, seen := chain.ExpandActionTypes(nil), map[string]bool{}
	for name, kinds := range groups {
		for _, kind := range kinds {
			require.Contains(t, types, kind, name)
			require.False(t, seen[kind], kind)
			seen[kind] = true
		}
	}
	require.Len(t, texts(t).Page.Filters.Kinds, len(groups))
}

// The first paint loads the page, its script and its style: together at most 150 KB compressed. Other scripts are loaded when they are
// needed.
func TestDist_IsWithinItsBudget(t *testing.T) {
	t.Parallel()
	const budget = 150_000
	names, err := filepath.Glob("dist/*")
	require.NoError(t, err)
	total := 0
	for _, name := range names {
		if strings.HasSuffix(name, ".sha256") {
			continue
		}
		r := httptest.NewRequest(http.MethodGet, "/explorer/"+filepath.Base(name), nil)
		r.Header.Set("Accept-Encoding", "gzip")
		w := httptest.NewRecorder()
		explorer.New(explorer.Options{}).ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code)
		total += w.Body.Len()
	}
	require.Positive(t, total)
	require.LessOrEqual(t, total, budget, "bytes of all files, compressed")
}

func TestNew_SetsTheTestOnlyFlag(t *testing.T) {
	t.Parallel()
	tags := map[bool]string{}
	for testOnly, want := range map[bool]string{false: `data-test-only="false"`, true: `data-test-only="true"`} {
		w := httptest.NewRecorder()
		explorer.New(explorer.Options{TestOnly: testOnly}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/explorer", nil))
		require.Contains(t, w.Body.String(), want)
		tags[testOnly] = w.Header().Get("ETag")
	}
	require.NotEqual(t, tags[false], tags[true])
}
