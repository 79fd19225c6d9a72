// Package images serves the images of tokens at /api/images, small and encoded anew. A request names a token of the index, never
// an address to fetch.
package images

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/tokenimage"
	"tonql/rest/handler"
)

// Prefix is the path of the images.
const Prefix = tokenimage.Prefix

// Options configure the handler.
type Options struct {
	Images *tokenimage.Images
	// AddressOf returns the address of the image in the metadata of a token; empty when it has none.
	AddressOf func(context.Context, chain.Address) (string, error)
}

const (
	// immutable is for requests with the version of the image. The hosts of images may change them without a new address, so
	// it ends after a week.
	immutable = "public, max-age=604800, immutable"
	// newest is for requests without a version, or with an old one.
	newest = "public, max-age=300"
	// failed is for tokens without an image.
	failed = "public, max-age=60"
	policy = "default-src 'none'; sandbox"
)

// New returns the handler. limit wraps the part that reads the index and requests images from their hosts: cached images of a
// named version are files, which are not limited.
func New(opts Options, limit func(http.Handler) http.Handler) http.Handler {
	s := server{opts}
	limited := limit(http.HandlerFunc(s.make))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.RecordOf(r.Context()).Route = Prefix + "/*"
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", policy)
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			refuse(w, http.StatusMethodNotAllowed, "images accept GET and HEAD only")
			return
		}
		q, err := parse(r)
		if err != nil {
			refuse(w, http.StatusUnprocessableEntity, err.Error())
			return
		}
		if image, ok := s.opts.Images.Cached(q.version, q.size); ok {
			write(w, r, image, immutable)
			return
		}
		limited.ServeHTTP(w, r)
	})
}

type server struct{ opts Options }

// query is a parsed request.
type query struct {
	account chain.Address
	size    int
	version string // of the image that the client expects; empty: the newest
}

func parse(r *http.Request) (q query, err error) {
	address, size, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, Prefix+"/"), "/")
	if q.account, err = chain.ParseAddress(address); err != nil || !ok {
		return q, chain.Invalidf("the path is %s/ADDRESS/SIZE", Prefix)
	}
	for _, s := range tokenimage.Sizes {
		if size == strconv.Itoa(s) {
			q.size = s
		}
	}
	if q.size == 0 {
		return q, chain.Invalidf("the size is one of %v", tokenimage.Sizes)
	}
	q.version = r.URL.Query().Get("v")
	return q, nil
}

// make serves an image that is not cached, or whose version is not named.
func (s server) make(w http.ResponseWriter, r *http.Request) {
	q, err := parse(r)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	address, err := s.opts.AddressOf(r.Context(), q.account)
	if err != nil {
		handler.RecordOf(r.Context()).Err = err
		refuse(w, http.StatusServiceUnavailable, "the index cannot be read now")
		return
	}
	if address == "" {
		w.Header().Set("Cache-Control", failed)
		refuse(w, http.StatusNotFound, "the metadata of this account has no image")
		return
	}
	image, err := s.opts.Images.Get(r.Context(), address, q.size)
	switch {
	case err == nil && q.version == chain.ImageVersion(address):
		write(w, r, image, immutable)
	case err == nil:
		write(w, r, image, newest)
	case errors.Is(err, tokenimage.ErrBusy):
		w.Header().Set("Retry-After", "2")
		refuse(w, http.StatusServiceUnavailable, "too many images are requested now; try again later")
	case tokenimage.IsInvalid(err):
		none(w, err.Error())
	default:
		none(w, "the host of the image does not serve it")
	}
}

// none responds that the image named by the metadata is not to be had. It is no failure of the request, and pages show a
// placeholder.
func none(w http.ResponseWriter, reason string) {
	h := w.Header()
	h.Set("Cache-Control", failed)
	h.Set("X-Image-Error", reason)
	w.WriteHeader(http.StatusNoContent)
}

func write(w http.ResponseWriter, r *http.Request, image tokenimage.Image, caching string) {
	h := w.Header()
	tag := tokenimage.Tag(image.Data)
	h.Set("Cache-Control", caching)
	h.Set("ETag", tag)
	h.Set("Content-Disposition", `inline; filename="image`+strings.Replace(image.MediaType, "image/", ".", 1)+`"`)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", image.MediaType)
	h.Set("Content-Length", strconv.Itoa(len(image.Data)))
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(image.Data) // a client that has disconnected needs no response
}

func refuse(w http.ResponseWriter, status int, text string) {
	if w.Header().Get("Cache-Control") == "" {
		w.Header().Set("Cache-Control", "no-store")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	body := handler.AppendString([]byte(`{"error":`), text)
	body = handler.AppendInt(append(body, `,"code":`...), status)
	_, _ = w.Write(append(body, '}')) //nolint:gosec // JSON, with the markup characters escaped; a client that has disconnected needs no response
}
