package recordedtest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// exchange is a request and its response.
type exchange struct {
	Method string `json:"m"`
	Target string `json:"u"`
	Header string `json:"h,omitempty"` // one, name: value
	Body   string `json:"b,omitempty"`

	Status   int    `json:"s"`
	Seqno    string `json:"q,omitempty"` // X-Mc-Seqno
	Next     string `json:"n,omitempty"` // X-Next-Cursor
	Response string `json:"r"`
}

// request returns the text that identifies the request.
func (e *exchange) request() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s %s", e.Method, e.Target, e.Header, e.Body))
}

// outcome returns the response as one text.
func (e *exchange) outcome() string {
	return fmt.Sprintf("%d X-Mc-Seqno=%s X-Next-Cursor=%s %s", e.Status, e.Seqno, e.Next, e.Response)
}

// varying are the member of responses of /api/v2 that has the time and a random number, and the id of the request in errors. Each begins
// with plain text, which is found without the steps of an expression.
var varying = []*regexp.Regexp{regexp.MustCompile(`,"@extra":"[^"]*"`), regexp.MustCompile(`request id [0-9a-f]+`)}

// send sends the request and sets the response.
func (e *exchange) send(ctx context.Context, h http.Handler) {
	req := httptest.NewRequest(e.Method, e.Target, strings.NewReader(e.Body)).WithContext(ctx)
	if e.Body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if name, value, ok := strings.Cut(e.Header, ": "); ok {
		req.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	e.Status, e.Seqno, e.Next = w.Code, w.Header().Get("X-Mc-Seqno"), w.Header().Get("X-Next-Cursor")
	e.Response = w.Body.String()
	for _, v := range varying {
		e.Response = v.ReplaceAllString(e.Response, "")
	}
}

// window makes repetitions in far responses cheap, in bytes.
const window = 32 << 20

func fileOf(name string) string { return filepath.Join("testdata", "responses", name+".zst") }

func stored(name string) bool {
	_, err := os.Stat(fileOf(name))
	return err == nil
}

// load reads a file of exchanges: lines of JSON, compressed with Zstandard.
func load(t *testing.T, name string) (list []exchange) {
	t.Helper()
	file, err := os.Open(fileOf(name))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	r, err := zstd.NewReader(file, zstd.WithDecoderMaxWindow(window), zstd.WithDecoderConcurrency(1))
	require.NoError(t, err)
	defer r.Close()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, window)
	for lines.Scan() {
		var e exchange
		require.NoError(t, json.Unmarshal(lines.Bytes(), &e))
		list = append(list, e)
	}
	require.NoError(t, lines.Err())
	return list
}

func save(t *testing.T, name string, list []exchange) {
	t.Helper()
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	for i := range list {
		require.NoError(t, lines.Encode(&list[i]))
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1))
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(fileOf(name)), 0o755))
	require.NoError(t, os.WriteFile(fileOf(name), w.EncodeAll(text.Bytes(), nil), 0o644))
	t.Logf("%s: %d bytes of responses", name, text.Len())
}
