package asset_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/rest/asset"
)

func TestServe_SendsAnEncodingThatTheClientAccepts(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("let a = 1;\n", 100)
	file := asset.New([]byte(text))
	for accepted, packed := range map[string]bool{
		"": false, "gzip": true, "br, GZIP": true, "gzip;q=0.1": true, "deflate": false, "gzip;q=0": false, "br, gzip; q=0.000": false, "x-gzipped": false, "gzip;level=9": true,
	} {
		w := serve(file, "Accept-Encoding", accepted)
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, packed, w.Header().Get("Content-Encoding") == "gzip", accepted)
		require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"))
		require.Contains(t, w.Header().Get("Content-Type"), "text/javascript")
		var body io.Reader = w.Body
		if packed {
			require.Less(t, w.Body.Len(), len(text)/2)
			unpacked, err := gzip.NewReader(body)
			require.NoError(t, err)
			body = unpacked
		}
		got, err := io.ReadAll(body)
		require.NoError(t, err)
		require.Equal(t, text, string(got), accepted)
	}
	require.Equal(t, http.StatusNotModified, serve(file, "If-None-Match", asset.Tag([]byte(text))).Code)
}

// A file that compression makes longer is sent as it is.
func TestServe_ShortFilesAreNotCompressed(t *testing.T) {
	t.Parallel()
	w := serve(asset.New([]byte("a")), "Accept-Encoding", "gzip")
	require.Empty(t, w.Header().Get("Content-Encoding"))
	require.Equal(t, "a", w.Body.String())
}

func serve(file asset.Asset, header, value string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/page.js", http.NoBody)
	r.Header.Set(header, value)
	w := httptest.NewRecorder()
	file.Serve(w, r, "page.js")
	return w
}
