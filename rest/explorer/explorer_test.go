package explorer_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/rest/explorer"
)

func ask(method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	explorer.New().ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

func TestPageAndFiles(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/explorer", "/explorer/", "/explorer/account/0:ab", "/explorer/tx/a-b_c=", "/explorer/../../etc/passwd"} {
		w := ask(http.MethodGet, path)
		require.Equal(t, http.StatusOK, w.Code, path)
		require.Contains(t, w.Body.String(), "/explorer/app.js", path)
		require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'", path)
		require.NotContains(t, w.Body.String(), "<script>", "the policy forbids it")
	}
	require.Contains(t, ask(http.MethodGet, "/explorer/app.js").Header().Get("Content-Type"), "javascript")
	require.Equal(t, http.StatusMethodNotAllowed, ask(http.MethodPost, "/explorer").Code)
}

func TestNothingOutsideIsNamed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"index.html", "app.js", "index.css"} {
		data, err := os.ReadFile(filepath.Join("dist", name))
		require.NoError(t, err)
		for line := range strings.SplitSeq(strings.ReplaceAll(string(data), "http://www.w3.org/", ""), "\n") {
			require.NotRegexp(t, `(src|href)="https?://|url\(https?://|@import|fetch\("http`, line)
		}
	}
}

// The page's documents are files; each is valid under the schema, with the fragments it names.
func TestDocumentsFitTheSchema(t *testing.T) {
	t.Parallel()
	var sources []*ast.Source
	schemas, err := filepath.Glob("../../graph/*.graphqls")
	require.NoError(t, err)
	for _, name := range schemas {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		sources = append(sources, &ast.Source{Name: name, Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	require.NoError(t, err)

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
				if !added[fragment] && strings.Contains(text, "..."+fragment) {
					text, added[fragment], grown = text+body, true, true
				}
			}
		}
		_, errs := gqlparser.LoadQueryWithRules(schema, text, nil)
		require.Empty(t, errs, name)
	}
}

// The built page is the one that the sources give: `make explorer` was run after the last change.
func TestBuiltPageIsCurrent(t *testing.T) {
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
	noted, err := os.ReadFile("dist/source.sha256")
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(string(noted)), hex.EncodeToString(sum.Sum(nil)), "run make explorer")
}
