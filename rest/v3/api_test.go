package v3_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chaintest"
	"tonql/internal/testdb"
	v3 "tonql/rest/v3"
)

func TestMain(m *testing.M) {
	if os.Getenv(clientsEnvironment) != "" {
		os.Exit(runClients())
	}
	testdb.Main(m)
}

// Paths are case-insensitive and can end with a slash. The error about an unknown path suggests a similar one.
func TestPaths_CaseAndTrailingSlashAreIgnored(t *testing.T) {
	t.Parallel()
	d := serve(t)
	for _, path := range []string{"/transactions", "/TRANSACTIONS", "/transactions/", "/masterchaininfo"} {
		require.Equal(t, http.StatusOK, d.do(path).Code, path)
	}
	require.Contains(t, d.refuse("/transaction", http.StatusNotFound), "did you mean /api/v3/transactions?")
	require.Contains(t, d.refuse("/nothing/like/it", http.StatusNotFound), "there is no")

	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{http.MethodPost, "/transactions", http.StatusMethodNotAllowed, "GET"}, {http.MethodHead, "/transactions", http.StatusOK, ""},
		{http.MethodPut, "/decode", http.StatusMethodNotAllowed, "GET, POST"}, {http.MethodHead, "/decode?opcodes=1", http.StatusOK, ""},
		{http.MethodHead, "/runGetMethod", http.StatusMethodNotAllowed, "POST"},
	} {
		w := httptest.NewRecorder()
		d.handler.ServeHTTP(w, httptest.NewRequest(c.method, v3.Prefix+c.path, nil))
		require.Equal(t, c.status, w.Code, c)
		require.Equal(t, c.allow, w.Header().Get("Allow"), c)
	}
}

func TestHeaders_VersionIsSentAndOptionsAreRead(t *testing.T) {
	t.Parallel()
	d := serve(t)
	w := d.do("/transactions?limit=1")
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	require.Equal(t, "1.4.0", w.Header().Get("X-API-Version"))
	require.Regexp(t, `^app;dur=[0-9.]+ms$`, w.Header().Get("Server-Timing"))

	for _, on := range []string{"1", "t", "T", "true", "TRUE", "True"} {
		require.Empty(t, d.get("/transactions?limit=1", "X-No-Address-Book", on)["address_book"], on)
	}
	require.Empty(t, d.get("/transactions?limit=1&x_no_address_book=true")["address_book"])
	for _, ignored := range []string{"false", "yes", "2"} {
		require.NotEmpty(t, d.get("/transactions?limit=1", "X-No-Address-Book", ignored)["address_book"], ignored)
	}
	// Account states are returned without an address book too.
	require.Len(t, d.get("/accountStates?x_no_address_book=1&address=" + chaintest.Wallet.String())["accounts"], 1)
	require.Equal(t, "T14", names(d.get("/transactions?limit=1", "X-Timeout", "nonsense", "X-Debug-Request", "1")["transactions"]))
}

// A request that exceeds its timeout gets status 503 and can be retried.
func TestTimeout_Responds503(t *testing.T) {
	t.Parallel()
	d := serve(t)
	cut := v3.WithTimeout(d.handler, 1)
	w := httptest.NewRecorder()
	cut.ServeHTTP(w, httptest.NewRequest(http.MethodGet, v3.Prefix+"/transactions", nil))
	require.Equal(t, http.StatusServiceUnavailable, w.Code, w.Body)
	require.Equal(t, "1", w.Header().Get("Retry-After"))
	require.Contains(t, w.Body.String(), `"code":503`)
}

// Unknown parameters are ignored and listed in a header. With strict=1 they are errors.
func TestUnknownParameters_AreReported(t *testing.T) {
	t.Parallel()
	d := serve(t)
	w := d.do("/transactions?limit=1&acount=x&p%0d%0a=1&api_key=secret&X_TIMEOUT=1000")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, `"acount", "p\r\n"`, w.Header().Get("X-Unknown-Parameters"))
	require.Empty(t, d.do("/transactions?limit=1").Header().Get("X-Unknown-Parameters"))

	require.Equal(t, `unknown parameter "acount"; did you mean account?`,
		d.refuse("/transactions?limit=1&acount=x&strict=1", http.StatusUnprocessableEntity))
	require.Contains(t, d.refuse("/topAccountsByBalance?zebra=x&strict=true", http.StatusUnprocessableEntity), "this route takes: limit, offset")
	require.Equal(t, http.StatusOK, d.do("/transactions?limit=1&strict=1").Code)
}

// Errors about parameters have the published text, and details that name the accepted form.
func TestErrorDetails_NameTheAcceptedForm(t *testing.T) {
	t.Parallel()
	d := serve(t)
	var body struct {
		Error   string
		Details []string
	}
	w := d.do("/transactions?account=zzz&hash=yyy")
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
	require.Equal(t, `failed to decode: schema: error converting value for index 0 of "account" (and 1 other error)`, body.Error)
	require.Len(t, body.Details, 2)
	require.Contains(t, body.Details[0], "account: an address is WORKCHAIN:HEX")
	require.Contains(t, body.Details[1], "hash: a hash is 64 hex digits")
}

// requireForm requires a JSON response from everything except the documentation page.
func requireForm(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		require.Equal(t, http.StatusOK, w.Code)
		return
	}
	require.True(t, json.Valid(w.Body.Bytes()), "%d %s: %q", w.Code, w.Header(), w.Body)
}

// FuzzHandler_StatusIsPublished checks that every response has a published status, is JSON, and reveals no internal
// error.
func FuzzHandler_StatusIsPublished(f *testing.F) {
	f.Add("/transactions", "limit=5&account=x&lt=1")
	f.Add("/messages", "source=null&opcode=-1")
	f.Add("/blocks", "shard=0&sort=asc&seqno=-1")
	f.Add("/accountStates", "address=0:00&code_hash=")
	f.Add("/adjacentTransactions", "hash=%00&direction=in")
	f.Add("/addressBook", "address=\xff&address=null")
	f.Add("/decode", "opcodes=-1&bodies=te6cckEBAQEAAgAAAEysuc0=&bodies=00")
	f.Add("/transactionsByMessage", "msg_hash=,&opcode=ffffffff")
	f.Add("/account", "address=")
	f.Add("/", "shard=0")
	d := serve(f)
	f.Fuzz(func(t *testing.T, path, query string) {
		r := httptest.NewRequest(http.MethodGet, v3.Prefix, nil)
		r.URL.Path, r.URL.RawQuery = v3.Prefix+path, query
		w := httptest.NewRecorder()
		d.handler.ServeHTTP(w, r)
		require.Contains(t, []int{200, 401, 404, 405, 409, 422, 501}, w.Code, "%s?%s: %s", path, query, w.Body)
		requireForm(t, w)
		require.NotContains(t, w.Body.String(), "SQLSTATE")
	})
}
