package tokenimage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"tonql/internal/chain"
	"tonql/internal/metadata"
	"tonql/internal/outbound"
	"tonql/internal/weightedlru"
)

// Options tune [Images]. Zero values take the defaults named with them.
type Options struct {
	// Outbound bounds the requests. The defaults here are a timeout of 10 s, bodies of 8 MiB, 5 redirects and the ports 80,
	// 443, 8080 and 8443.
	Outbound outbound.Options
	// SVG is the program that draws images in SVG, a name or a path, called as [svgProgram] is; empty: they are not served.
	SVG string
	// Gateways serve IPFS over HTTP; default: those of [metadata.Options].
	Gateways []string

	Folder   string // of the cache; empty: nothing is cached
	MaxBytes int64  // of the cache on disk: 512 MiB

	Concurrency int           // images that are decoded at a time: 4
	Requests    int           // images that are requested at a time, in memory until they are decoded: 16
	PerHost     int           // of these, images of one host: 2
	Queue       int           // clients that wait for an image: 128
	HostQueue   int           // of these, clients that wait for images of one host: a quarter
	Timeout     time.Duration // to request, decode and scale one image: 15 s

	Logger     *slog.Logger // nothing is logged without it
	Registerer prometheus.Registerer
}

func (o Options) withDefaults() Options {
	if len(o.Outbound.Ports) == 0 {
		o.Outbound.Ports = []uint16{80, 443, 8080, 8443}
	}
	o.Outbound.MaxBody = positive(o.Outbound.MaxBody, 8<<20)
	o.Outbound.MaxRedirects = positive(o.Outbound.MaxRedirects, 5)
	o.Outbound.Timeout = positive(o.Outbound.Timeout, 10*time.Second)
	o.MaxBytes = positive(o.MaxBytes, 512<<20)
	o.Concurrency = positive(o.Concurrency, 4)
	o.Requests = positive(o.Requests, 16)
	o.PerHost = positive(o.PerHost, 2)
	o.Queue = positive(o.Queue, 128)
	o.HostQueue = positive(o.HostQueue, max(1, o.Queue/4))
	o.Timeout = positive(o.Timeout, 15*time.Second)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

func positive[T int | int64 | time.Duration](v, fallback T) T {
	if v > 0 {
		return v
	}
	return fallback
}

// Images makes the small images. It is safe for concurrent use.
type Images struct {
	options Options
	client  *outbound.Client
	locator *metadata.ImageLocator
	drawer  *drawer // nil: SVG is not drawn
	cache   *cache

	once    singleflight.Group  // one request per image at a time
	hosts   *hosts              // PerHost, HostQueue
	fetches *semaphore.Weighted // Requests
	slots   *semaphore.Weighted // Concurrency
	memory  *semaphore.Weighted // bytes of images that are decoded
	queue   chan struct{}
	failed  *weightedlru.Cache[string, failure]
	results *prometheus.CounterVec

	ctx    context.Context //nolint:containedctx // the life of the requests, which outlast the client that caused them
	stop   context.CancelFunc
	closed sync.WaitGroup
}

// failure is remembered, so that not every view of a page requests what failed a moment ago.
type failure struct {
	err   error
	until time.Time
}

const (
	maxFailures = 16_384
	// retryInvalid and retryUnreachable are how long a failure of the image and of its server are remembered.
	retryInvalid     = time.Hour
	retryUnreachable = 5 * time.Minute
)

// New returns Images; Close ends them.
func New(o Options) (*Images, error) {
	o = o.withDefaults()
	locator, err := metadata.NewImageLocator(o.Gateways)
	if err != nil {
		return nil, err
	}
	drawer, err := newDrawer(o.SVG)
	if err != nil {
		return nil, err
	}
	s := &Images{
		options: o, client: outbound.New(o.Outbound), locator: locator, drawer: drawer, cache: newCache(o.Folder, o.MaxBytes, o.Logger),
		hosts:   newHosts(hostLimits{o.PerHost, o.HostQueue}, hostLimits{max(o.Concurrency, o.PerHost), max(o.Queue/2, o.HostQueue)}),
		fetches: semaphore.NewWeighted(int64(o.Requests)),
		slots:   semaphore.NewWeighted(int64(o.Concurrency)), memory: semaphore.NewWeighted(decodeMemory), queue: make(chan struct{}, o.Queue),
		failed: weightedlru.New[string, failure](maxFailures, maxFailures),
		results: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tonql_images_total", Help: "Number of images requested from their hosts, by result.",
		}, []string{"result"}),
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	if o.Registerer != nil {
		o.Registerer.MustRegister(s.results, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "tonql_images_cache_bytes", Help: "Size of the cached images in bytes.",
		}, func() float64 { return float64(s.cache.bytes()) }))
	}
	return s, nil
}

// Close cancels the requests, waits for them and releases the folder of the cache.
func (s *Images) Close() error {
	s.stop()
	s.closed.Wait()
	s.client.Close()
	return s.cache.close()
}

// ErrBusy means that too many requests wait for images.
var ErrBusy = errors.New("too many requests wait for images")

// Image is a small image.
type Image struct {
	Data      []byte
	MediaType string // image/png or image/jpeg
}

func imageOf(data []byte) Image {
	if len(data) > 0 && data[0] == 0xff {
		return Image{data, "image/jpeg"}
	}
	return Image{data, "image/png"}
}

// Cached returns the image of a version if it is in the cache.
func (s *Images) Cached(version string, size int) (Image, bool) {
	if !slices.Contains(Sizes, size) || !isVersion(version) {
		return Image{}, false
	}
	data, ok := s.cache.get(nameOf(version, size))
	return imageOf(data), ok
}

// isVersion reports whether text has the form of [chain.ImageVersion], and so is harmless as the name of a file.
func isVersion(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == chain.ImageVersionBytes && hex.EncodeToString(raw) == text
}

func nameOf(version string, size int) string { return version + "-" + strconv.Itoa(size) }

// Get returns the image at an address of metadata, scaled to one of [Sizes]. The error is an [InvalidError], an
// [outbound.Error], [ErrBusy] or that of ctx.
func (s *Images) Get(ctx context.Context, address string, size int) (Image, error) {
	if !slices.Contains(Sizes, size) {
		return Image{}, invalidf("no image of this size; the sizes are %v", Sizes)
	}
	version := chain.ImageVersion(address)
	if image, ok := s.Cached(version, size); ok {
		return image, nil
	}
	if f, ok := s.failed.Get(version); ok && time.Now().Before(f.until) {
		return Image{}, f.err
	}
	_, leave, ok := s.hosts.enter(hostOf(address), false)
	if !ok {
		return Image{}, ErrBusy
	}
	defer leave()
	select {
	case s.queue <- struct{}{}:
		defer func() { <-s.queue }()
	default:
		return Image{}, ErrBusy
	}
	made := s.once.DoChan(version, func() (any, error) {
		s.closed.Add(1)
		defer s.closed.Done()
		return s.make(address, version)
	})
	select {
	case <-ctx.Done():
		return Image{}, ctx.Err()
	case r := <-made:
		if r.Err != nil {
			return Image{}, r.Err
		}
		images, _ := r.Val.(map[int][]byte)
		return imageOf(images[size]), nil
	}
}

// make requests the image, decodes and scales it, and caches the result.
func (s *Images) make(address, version string) (made map[int][]byte, err error) {
	defer chain.Recover(&err)
	ctx, cancel := context.WithTimeout(s.ctx, s.options.Timeout)
	defer cancel()
	images, err := s.fetchAndRender(ctx, address)
	if err != nil {
		s.remember(version, err)
		return nil, err
	}
	s.results.WithLabelValues("ok").Inc()
	for size, data := range images {
		s.cache.put(nameOf(version, size), data)
	}
	return images, nil
}

// fetchAndRender requests and renders an image. It takes a slot of the host first, so that a slow host delays only itself, then one that all
// hosts share, which it leaves when the image is decoded.
func (s *Images) fetchAndRender(ctx context.Context, address string) (map[int][]byte, error) {
	one, leave, ok := s.hosts.enter(hostOf(address), true)
	if !ok {
		return nil, ErrBusy
	}
	defer leave()
	release, err := one.acquire(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.fetches.Acquire(ctx, 1); err != nil {
		release()
		return nil, ErrBusy
	}
	defer s.fetches.Release(1)
	data, err := s.fetch(ctx, address)
	release()
	if err != nil {
		return nil, err
	}
	if err := s.slots.Acquire(ctx, 1); err != nil {
		return nil, ErrBusy
	}
	defer s.slots.Release(1)
	return s.render(ctx, data)
}

func (s *Images) remember(version string, err error) {
	if s.ctx.Err() != nil || errors.Is(err, ErrBusy) {
		return
	}
	wait, result := retryUnreachable, string(outbound.KindOf(err))
	if IsInvalid(err) {
		wait, result = retryInvalid, "invalid"
	}
	s.results.WithLabelValues(result).Inc()
	s.options.Logger.Debug("no image of a token", "err", err)
	s.failed.Add(version, failure{err, time.Now().Add(wait)}, 1)
}

// fetch returns the bytes of the image. Of several addresses it tries the next while the failure may be the server's.
func (s *Images) fetch(ctx context.Context, address string) ([]byte, error) {
	place, err := s.locator.Locate(address, s.client.Check)
	if err != nil {
		return nil, invalidf("no address that can be requested")
	}
	if place.Data != nil || len(place.Addresses) == 0 {
		return place.Data, nil
	}
	response, err := s.client.First(ctx, place.Addresses)
	return response.Body, err
}

// render decodes and scales data within the bounds on memory.
func (s *Images) render(ctx context.Context, data []byte) (map[int][]byte, error) {
	if s.drawer != nil && isSVG(data) {
		drawn, err := s.drawer.draw(ctx, data)
		if failed, ok := errors.AsType[*drawError](err); ok {
			s.options.Logger.Warn("image of a token not drawn", "err", failed)
		}
		if err != nil {
			return nil, err
		}
		data = drawn
	}
	f, memory, err := measure(data)
	if err != nil {
		return nil, err
	}
	if err := s.memory.Acquire(ctx, memory); err != nil {
		return nil, ErrBusy
	}
	defer s.memory.Release(memory)
	m, err := decode(ctx, f, data)
	if err != nil {
		if ctx.Err() != nil && s.ctx.Err() == nil {
			return nil, invalidf("decoding takes too long")
		}
		return nil, err
	}
	return scaled(m)
}

// Tag returns the ETag of data.
func Tag(data []byte) string {
	sum := sha256.Sum256(data)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}
