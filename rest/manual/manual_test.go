package manual

import (
	"html"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"tonql/docs"
)

var handlerUnderTest = Handler("Local chain", http.NotFoundHandler())

func get(t *testing.T, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	handlerUnderTest.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return w
}

func TestContents_ListEveryFileOnce(t *testing.T) {
	t.Parallel()
	var listed, files []string
	for _, g := range contents {
		listed = append(listed, g.Files...)
	}
	require.NoError(t, fs.WalkDir(docs.Files, ".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			files = append(files, path)
		}
		return err
	}))
	require.ElementsMatch(t, files, listed)
	paths := map[string]string{}
	for _, file := range files {
		require.Empty(t, paths[pagePath(file)], file)
		paths[pagePath(file)] = file
	}
}

// Every link to a page leads to a page, and every anchor to a heading of it.
func TestPages_LinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	anchors := map[string][]string{}
	bodies := map[string]string{}
	list := get(t, "/docs/").Body.String()
	for _, g := range contents {
		for _, file := range g.Files {
			path := Prefix + pagePath(file)
			require.Contains(t, list, `href="`+path+`"`)
			w := get(t, path)
			require.Equal(t, http.StatusOK, w.Code, path)
			bodies[path] = w.Body.String()
			require.NotContains(t, bodies[path], "<th></th>", "%s has a column without a name", path)
			for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(bodies[path], -1) {
				require.False(t, slices.Contains(anchors[path], m[1]), "%s has the anchor %s twice", path, m[1])
				anchors[path] = append(anchors[path], m[1])
			}
		}
	}
	links := regexp.MustCompile(` href="([^"]+)"`)
	internal := 0
	for path, body := range bodies {
		for _, m := range links.FindAllStringSubmatch(body, -1) {
			to, err := url.Parse(html.UnescapeString(m[1]))
			require.NoError(t, err, path)
			if to.IsAbs() || to.Path == "/" || to.Path == "/docs/" {
				continue
			}
			internal++
			target := to.Path
			if target == "" {
				target = path
			}
			require.True(t, strings.HasPrefix(target, Prefix+"/"), "%s links to %s", path, m[1])
			if strings.HasSuffix(target, ".schema.json") {
				require.Equal(t, http.StatusOK, get(t, target).Code)
				continue
			}
			require.NotEmpty(t, bodies[target], "%s links to %s", path, m[1])
			if to.Fragment != "" {
				require.Contains(t, anchors[target], to.Fragment, "%s links to %s", path, m[1])
			}
		}
	}
	require.Greater(t, internal, 500)
}

func TestRender_LinksToFilesOutsideBecomeText(t *testing.T) {
	t.Parallel()
	p, err := render(fstest.MapFS{
		"guides/a.md": {Data: []byte("# A\n\nSee [the *code*](../../cmd/main.go), [b](../b.md#x) and [TON](https://ton.org).\n<script>alert(1)</script>\n")},
		"b.md":        {Data: []byte("# B\n")},
	}, "guides/a.md")
	require.NoError(t, err)
	require.Contains(t, string(p.Body), `See the <em>code</em>, <a href="/docs/b#x">b</a> and <a href="https://ton.org">TON</a>.`)
	require.NotContains(t, string(p.Body), "<script")
}

func TestHandler_OtherPathsAreNotFound(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/docs/nothing", "/docs/../docs.go", "/docs/docs.go", "/docs/quick-start/", "/docs/guides/quick-start.md", "/docs/%00"} {
		require.Equal(t, http.StatusNotFound, get(t, path).Code, path)
	}
	require.Equal(t, "/docs/", get(t, "/docs").Header().Get("Location"))
}

// The browser keeps a page until it changes; the page runs nothing and loads nothing.
func TestHandler_PagesAreCachedAndInert(t *testing.T) {
	t.Parallel()
	w := get(t, "/docs/quick-start")
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
	require.NotContains(t, w.Body.String(), "<script")
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/docs/quick-start", nil)
	r.Header.Set("If-None-Match", w.Header().Get("ETag"))
	again := httptest.NewRecorder()
	handlerUnderTest.ServeHTTP(again, r)
	require.Equal(t, http.StatusNotModified, again.Code)
}

func TestSearch_FindsSectionsWithAllTerms(t *testing.T) {
	t.Parallel()
	s, err := newSite("")
	require.NoError(t, err)
	hits := search(s.pages, queryTerms("webhook SIGNATURE"))
	require.NotEmpty(t, hits)
	require.Less(t, len(hits), maxHits)
	for _, h := range hits {
		var text strings.Builder
		for _, f := range h.Excerpt {
			text.WriteString(f.Text)
			if f.Match {
				require.Contains(t, []string{"webhook", "signature"}, strings.ToLower(f.Text))
			}
		}
		require.NotEmpty(t, text.String())
		require.LessOrEqual(t, text.Len(), excerptBytes+16)
	}
	require.Equal(t, "/docs/glossary", search(s.pages, queryTerms("glossary"))[0].Path)
	require.Equal(t, "/docs/quick-start#first-requests", search(s.pages, queryTerms("FIRST requests"))[0].Path)
	require.Empty(t, search(s.pages, queryTerms("webhook nowherewritten")))
	require.Empty(t, search(s.pages, queryTerms("  ")))
	require.Len(t, search(s.pages, queryTerms("e")), maxHits)
}

// A query is text from anyone: it is escaped, cut, and of any bytes.
func TestSearch_HostileQueriesAreHarmless(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"<script>alert(1)</script>", `"><img src=x>`, "\x00\xff", strings.Repeat("a ", 5000), strings.Repeat("ä", 5000), "İ ŉ"} {
		w := get(t, "/docs/search?q="+url.QueryEscape(query))
		require.Equal(t, http.StatusOK, w.Code)
		require.NotContains(t, w.Body.String(), "<script")
		require.NotContains(t, w.Body.String(), "<img")
	}
	require.LessOrEqual(t, len(queryTerms(strings.Repeat("a ", 5000))), maxQueryTerms)
}

func FuzzExcerpt_HasNoEmptyFragments(f *testing.F) {
	f.Add("Ein Wort, ein Übermaß an İstanbul und …", "wort")
	f.Add("", "x")
	f.Fuzz(func(t *testing.T, text, query string) {
		for _, part := range excerpt(strings.ToValidUTF8(text, ""), queryTerms(query)) {
			require.NotEmpty(t, part.Text)
		}
	})
}
