package explorer_test

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/lexer"

	"tonql/rest/explorer"
	"tonql/rest/graphql"
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
	}
	require.Contains(t, request(http.MethodGet, "/explorer/app.js").Header().Get("Content-Type"), "javascript")
	require.Equal(t, http.StatusMethodNotAllowed, request(http.MethodPost, "/explorer").Code)
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
	require.Less(t, packed.Body.Len(), 48<<10, "the script stays small")
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

// Each kind of action of the schema has a template, and the page selects the fields of each kind.
func TestSentences_CoverEveryActionKind(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("app/src/sentences.json")
	require.NoError(t, err)
	var sentences map[string][4]string // title, icon, sum, text
	require.NoError(t, json.Unmarshal(data, &sentences))
	var kinds []string
	for _, kind := range schema(t).PossibleTypes["ActionDetails"] {
		name := strings.TrimSuffix(kind.Name, "Details")
		_, ok := sentences[name]
		require.True(t, ok, "app/src/sentences.json lacks %s", name)
		kinds = append(kinds, name)
	}
	icons, err := os.ReadFile("app/src/parts/icon.tsx")
	require.NoError(t, err)
	for kind, sentence := range sentences {
		require.Contains(t, kinds, kind, "app/src/sentences.json has a kind that the schema lacks")
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
