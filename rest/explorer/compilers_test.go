package explorer_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/rest/explorer"
)

// install writes a package into a folder as npm does.
func install(t *testing.T, folder, name, version string, files ...string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "dist"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "package.json"), []byte(`{"name":"`+name+`","version":"`+version+`"}`), 0o600))
	for _, file := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "dist", file), []byte("// "+name+" "+version+" "+file), 0o600))
	}
}

var (
	binaryFiles  = []string{"index.js", "funcfiftlib.js", "funcfiftlib.wasm.js", "secret.js"}
	libraryFiles = []string{"index.js", "path.js", "utils.js", "cli.js"}
	tolkFiles    = []string{"index.js", "path-utils.js", "tolkfiftlib.js", "tolkfiftlib.wasm.js", "stdlib.tolk.js"}
)

// compilerFolder has two versions of the compiler of FunC, one of Tolk, and packages that are none.
func compilerFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	modules := filepath.Join(folder, "node_modules")
	install(t, filepath.Join(modules, "@ton-community/func-js"), "@ton-community/func-js", "0.11.0", libraryFiles...)
	install(t, filepath.Join(modules, "@ton-community/func-js-bin"), "@ton-community/func-js-bin", "0.4.10", binaryFiles...)
	install(t, filepath.Join(modules, "func-old"), "@ton-community/func-js-bin", "0.4.6-fix.1", binaryFiles...)
	install(t, filepath.Join(modules, "func-same"), "@ton-community/func-js-bin", "0.4.10", binaryFiles...)
	install(t, filepath.Join(modules, "@ton/tolk-js"), "@ton/tolk-js", "1.3.0", tolkFiles...)
	install(t, filepath.Join(modules, "other"), "other", "1.0.0", "index.js")
	install(t, filepath.Join(modules, "odd"), "@ton/tolk-js", "../../1", tolkFiles...)
	return folder
}

func TestOpenCompilers_FindsEachVersion(t *testing.T) {
	t.Parallel()
	folder := compilerFolder(t)
	for _, path := range []string{folder, filepath.Join(folder, "node_modules")} {
		compilers, err := explorer.OpenCompilers(path)
		require.NoError(t, err)
		require.Equal(t, []string{"func-0.4.10", "func-0.4.6-fix.1", "tolk-1.3.0"}, compilers.Names(), "the newest first")
	}
}

func TestOpenCompilers_FoldersWithoutUsableCompilersAreRefused(t *testing.T) {
	t.Parallel()
	_, err := explorer.OpenCompilers(filepath.Join(t.TempDir(), "none"))
	require.ErrorContains(t, err, "folder of compilers")
	_, err = explorer.OpenCompilers(t.TempDir())
	require.ErrorContains(t, err, "neither @ton-community/func-js nor @ton/tolk-js is installed")

	noLibrary := t.TempDir()
	install(t, filepath.Join(noLibrary, "bin"), "@ton-community/func-js-bin", "0.4.6", binaryFiles...)
	_, err = explorer.OpenCompilers(noLibrary)
	require.ErrorContains(t, err, "neither", "FunC needs both packages")

	incomplete := t.TempDir()
	install(t, filepath.Join(incomplete, "@ton/tolk-js"), "@ton/tolk-js", "1.3.0", tolkFiles[:3]...)
	_, err = explorer.OpenCompilers(incomplete)
	require.ErrorContains(t, err, "tolkfiftlib.wasm.js")

	outside := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	install(t, filepath.Join(outside, "@ton/tolk-js"), "@ton/tolk-js", "1.3.0", tolkFiles[:4]...)
	require.NoError(t, os.Symlink(secret, filepath.Join(outside, "@ton/tolk-js/dist/stdlib.tolk.js")))
	_, err = explorer.OpenCompilers(outside)
	require.Error(t, err, "a link out of the folder")

	pipe := t.TempDir()
	install(t, filepath.Join(pipe, "@ton/tolk-js"), "@ton/tolk-js", "1.3.0", tolkFiles[:4]...)
	require.NoError(t, syscall.Mkfifo(filepath.Join(pipe, "@ton/tolk-js/dist/stdlib.tolk.js"), 0o600))
	_, err = explorer.OpenCompilers(pipe)
	require.ErrorContains(t, err, "no regular file")

	large := t.TempDir()
	install(t, filepath.Join(large, "@ton/tolk-js"), "@ton/tolk-js", "1.3.0", tolkFiles...)
	require.NoError(t, os.Truncate(filepath.Join(large, "@ton/tolk-js/dist/tolkfiftlib.wasm.js"), 25<<20))
	_, err = explorer.OpenCompilers(large)
	require.ErrorContains(t, err, "too large")
}

func TestCompilers_OnlyScriptsOfCompilersAreServed(t *testing.T) {
	t.Parallel()
	compilers, err := explorer.OpenCompilers(compilerFolder(t))
	require.NoError(t, err)
	page := explorer.New(explorer.Options{Compilers: compilers})
	get := func(path string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/explorer", nil)
		r.URL.Path = path // as a router that does not clean it would pass it on
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		page.ServeHTTP(w, r)
		return w
	}
	w := get("/explorer/compilers/func-0.4.6-fix.1.js")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "text/javascript; charset=utf-8", w.Header().Get("Content-Type"))
	require.Equal(t, "no-cache", w.Header().Get("Cache-Control"))
	require.Equal(t, "default-src 'none'", w.Header().Get("Content-Security-Policy"))
	require.Contains(t, w.Body.String(), `compilerModule("@ton-community/func-js-bin/funcfiftlib.wasm.js",function(module,exports,require){`+"\n// @ton-community/func-js-bin 0.4.6-fix.1 funcfiftlib.wasm.js\n});\n")
	require.Contains(t, w.Body.String(), "// @ton-community/func-js 0.11.0 utils.js")
	require.NotContains(t, w.Body.String(), "0.4.10")
	require.NotContains(t, w.Body.String(), "secret")
	require.NotContains(t, w.Body.String(), "cli.js")

	packed := get("/explorer/compilers/func-0.4.6-fix.1.js", "Accept-Encoding", "gzip")
	require.Equal(t, "gzip", packed.Header().Get("Content-Encoding"))
	r, err := gzip.NewReader(packed.Body)
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, w.Body.String(), string(text))
	again := get("/explorer/compilers/func-0.4.6-fix.1.js", "If-None-Match", w.Header().Get("ETag"))
	require.Equal(t, http.StatusNotModified, again.Code)
	require.Zero(t, again.Body.Len())

	for _, name := range []string{
		"", "func", "func-0.4.6.js", "func-0.4.10", "other-1.0.0.js", "tolk-../../1.js", "../app.js", "../../etc/passwd", "node_modules/@ton/tolk-js/package.json",
		"@ton/tolk-js/dist/index.js", "tolk-1.3.0.js/", "./tolk-1.3.0.js", `..\tolk-1.3.0.js`, "tolk-1.3.0.js\x00", "%2e%2e/tolk-1.3.0.js", "TOLK-1.3.0.js",
	} {
		w := get("/explorer/compilers/" + name)
		require.Equal(t, http.StatusNotFound, w.Code, "%q", name)
		require.Equal(t, "there is no such compiler\n", w.Body.String())
	}
	none := httptest.NewRecorder()
	explorer.New(explorer.Options{}).ServeHTTP(none, httptest.NewRequest(http.MethodGet, "/explorer/compilers/tolk-1.3.0.js", nil))
	require.Equal(t, http.StatusNotFound, none.Code, "without a folder")
}

// Only the worker may compile WebAssembly, and only a page with compilers may have workers.
func TestPolicies_OnlyTheWorkerCompilesWebAssembly(t *testing.T) {
	t.Parallel()
	compilers, err := explorer.OpenCompilers(compilerFolder(t))
	require.NoError(t, err)
	policy := func(of *explorer.Compilers, path string) string {
		w := httptest.NewRecorder()
		explorer.New(explorer.Options{Compilers: of}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Header().Get("Content-Security-Policy")
	}
	require.Equal(t, "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'", policy(compilers, "/explorer/compile.js"))
	require.Contains(t, policy(compilers, "/explorer"), "worker-src 'self'")
	require.Contains(t, policy(nil, "/explorer"), "worker-src 'none'")
	require.NotContains(t, policy(compilers, "/explorer"), "unsafe")
	page := httptest.NewRecorder()
	explorer.New(explorer.Options{Compilers: compilers}).ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/explorer", nil))
	require.Contains(t, page.Body.String(), `data-compilers="func-0.4.10 func-0.4.6-fix.1 tolk-1.3.0"`)

	script, err := os.ReadFile("dist/compile.js")
	require.NoError(t, err)
	require.NotRegexp(t, `(?m)\b(import|export)\s*[{"(*]`, strings.TrimSpace(string(script)), "the worker is a classic script, which has neither")
}
