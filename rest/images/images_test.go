package images_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"image"
	"image/color"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"tonql/internal/chain"
	"tonql/internal/tokenimage"
	"tonql/rest/handler"
	"tonql/rest/images"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const account = "0:00000000000000000000000000000000000000000000000000000000000000aa"

// picture is a data address of a PNG.
func picture(t *testing.T) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 300, 200))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	m.Set(1, 1, color.Transparent)
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
}

// server serves the images of an index in which the metadata of account names the image at address. It counts the requests
// that are admitted.
func server(t *testing.T, address string, admitted *int) http.Handler {
	t.Helper()
	made, err := tokenimage.New(tokenimage.Options{Folder: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, made.Close()) })
	named, err := chain.ParseAddress(account)
	require.NoError(t, err)
	of := func(_ context.Context, a chain.Address) (string, error) {
		if a != named {
			return "", nil
		}
		if address == "unreadable" {
			return "", errors.New("the password of the database is secret")
		}
		return address, nil
	}
	limit := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			*admitted++
			if *admitted > 5 {
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	return images.New(images.Options{Images: made, AddressOf: of}, limit)
}

func do(h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	handler.Observe(h, slog.New(slog.DiscardHandler), nil).ServeHTTP(w, r)
	return w
}

func TestNew_ServesSmallImagesWithStrictHeaders(t *testing.T) {
	t.Parallel()
	address, admitted := picture(t), 0
	h := server(t, address, &admitted)
	path, err := tokenimage.Path(mustParse(t, account), address, 64)
	require.NoError(t, err)
	require.NotContains(t, path, "data:")
	for i := range 10 {
		w := do(h, http.MethodGet, path)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.Equal(t, "image/png", w.Header().Get("Content-Type"))
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
		require.Equal(t, "default-src 'none'; sandbox", w.Header().Get("Content-Security-Policy"))
		require.Contains(t, w.Header().Get("Cache-Control"), "immutable")
		m, err := png.Decode(w.Body)
		require.NoError(t, err)
		require.Equal(t, image.Pt(64, 42), m.Bounds().Size())
		require.Equal(t, 1, admitted, "request %d: cached images take no token", i)
	}
	tag := do(h, http.MethodGet, path).Header().Get("ETag")
	require.Equal(t, http.StatusNotModified, do(h, http.MethodGet, path, "If-None-Match", tag).Code)
	head := do(h, http.MethodHead, path)
	require.Equal(t, http.StatusOK, head.Code)
	require.Zero(t, head.Body.Len())
	for _, old := range []string{"/api/images/" + account + "/64", "/api/images/" + account + "/64?v=0123"} {
		w := do(h, http.MethodGet, old)
		require.Equal(t, http.StatusOK, w.Code)
		require.NotContains(t, w.Header().Get("Cache-Control"), "immutable", "the image may change under this path")
	}
}

// The path names a token, never an address to fetch.
func TestNew_OtherRequestsAreRefused(t *testing.T) {
	t.Parallel()
	admitted := 0
	h := server(t, picture(t), &admitted)
	for path, want := range map[string]int{
		"/api/images/": 422, "/api/images/x/64": 422, "/api/images/" + account: 422, "/api/images/" + account + "/65": 422,
		"/api/images/" + account + "/64/x": 422, "/api/images/http://example.com/a.png/64": 422, "/api/images/" + account + "/../64": 422,
	} {
		w := do(h, http.MethodGet, path)
		require.Equal(t, want, w.Code, path)
		require.Equal(t, "application/json", w.Header().Get("Content-Type"))
		require.Equal(t, "default-src 'none'; sandbox", w.Header().Get("Content-Security-Policy"))
	}
	require.Zero(t, admitted)
	require.Equal(t, http.StatusMethodNotAllowed, do(h, http.MethodPost, "/api/images/"+account+"/64").Code)
	none := "/api/images/0:00000000000000000000000000000000000000000000000000000000000000bb/64?url=http://example.com/a.png"
	require.Equal(t, http.StatusNotFound, do(h, http.MethodGet, none).Code)
}

// Pages show a placeholder without an error in their console.
func TestNew_FailuresAreNoImages(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]int{
		"data:image/svg+xml,<svg/>": 204, "data:image/png;base64,AAAA": 204, "http://127.0.0.1:1/a.png": 204, "unreadable": 503,
	} {
		admitted := 0
		w := do(server(t, address, &admitted), http.MethodGet, "/api/images/"+account+"/64")
		require.Equal(t, want, w.Code, address)
		require.NotContains(t, w.Body.String(), "password")
		require.NotContains(t, w.Header().Get("Content-Type"), "image")
	}
	admitted := 5
	require.Equal(t, http.StatusTooManyRequests, do(server(t, picture(t), &admitted), http.MethodGet, "/api/images/"+account+"/64").Code)
}

func TestPath_NoneForAVIF(t *testing.T) {
	t.Parallel()
	a := mustParse(t, account)
	path, err := tokenimage.Path(a, "data:image/avif;base64,AAAA", 64)
	require.NoError(t, err)
	require.Empty(t, path)
	_, err = tokenimage.Path(a, "https://example.com/a.png", 65)
	require.ErrorContains(t, err, "64 256 512")
}

func TestLinks_AreThePathsOnTheServer(t *testing.T) {
	t.Parallel()
	a := mustParse(t, account)
	links := tokenimage.Links("https://api.example/", a, "https://example.com/a.png")
	for size, link := range map[int]string{64: links.Small, 256: links.Medium, 512: links.Big} {
		path, err := tokenimage.Path(a, "https://example.com/a.png", size)
		require.NoError(t, err)
		require.Equal(t, "https://api.example"+path, link)
	}
	require.Zero(t, tokenimage.Links("https://api.example", a, "data:image/avif;base64,AAAA"), "an image that is not served")
}

func mustParse(t *testing.T, text string) chain.Address {
	t.Helper()
	a, err := chain.ParseAddress(text)
	require.NoError(t, err)
	return a
}
