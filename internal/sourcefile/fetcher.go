package sourcefile

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"tonql/internal/chain"
	"tonql/internal/metadata"
	"tonql/internal/outbound"
	"tonql/internal/weightedlru"
)

// Options tune a [Fetcher]. Zero values take the defaults named with them.
type Options struct {
	// Outbound bounds the requests. The defaults here are a timeout of 5 s, bodies of 512 KiB, 5 redirects and the ports 80, 443, 8080
	// and 8443.
	Outbound outbound.Options
	// Gateways serve IPFS over HTTP, as https://ipfs.io. Without one, [New] returns no Fetcher.
	Gateways []string

	Timeout   time.Duration // to fetch a list and all its files: 8 s
	MaxBytes  int           // of all files of a list: 2 MiB
	MaxActive int           // lists that are fetched at a time; more are refused: 8

	Logger     *slog.Logger // nothing is logged without it
	Registerer prometheus.Registerer
}

func (o Options) withDefaults() Options {
	if len(o.Outbound.Ports) == 0 {
		o.Outbound.Ports = []uint16{80, 443, 8080, 8443}
	}
	o.Outbound.MaxBody = positive(o.Outbound.MaxBody, 512<<10)
	o.Outbound.MaxRedirects = positive(o.Outbound.MaxRedirects, 5)
	o.Outbound.Timeout = positive(o.Outbound.Timeout, 5*time.Second)
	o.Timeout = positive(o.Timeout, 8*time.Second)
	o.MaxBytes = positive(o.MaxBytes, 2<<20)
	o.MaxActive = positive(o.MaxActive, 8)
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

const (
	// maxParallel bounds the files of one list that are requested at a time.
	maxParallel = 4
	// maxCached and maxCachedBytes bound the lists in memory. Their addresses name the content, so they never change.
	maxCached      = 256
	maxCachedBytes = 32 << 20
	// retryInvalid and retryUnreachable are how long a failure of the list and of the gateways are remembered.
	retryInvalid     = time.Hour
	retryUnreachable = time.Minute
)

// Fetcher fetches sources. It is safe for concurrent use; a nil Fetcher fetches nothing.
type Fetcher struct {
	options  Options
	client   *outbound.Client
	gateways *metadata.Gateways
	cache    *weightedlru.Cache[string, entry]
	once     singleflight.Group
	active   chan struct{}
	results  *prometheus.CounterVec

	ctx    context.Context //nolint:containedctx // the life of the requests, which outlast the client that caused them
	stop   context.CancelFunc
	closed sync.WaitGroup
}

// entry is what is remembered of an address. A failure is remembered for a while, so that not every view of a page requests it.
type entry struct {
	files *chain.SourceFiles
	err   error
	until time.Time // of a failure
}

// New returns a Fetcher, nil without gateways; Close ends it.
func New(o Options) (*Fetcher, error) {
	if len(o.Gateways) == 0 {
		return nil, nil //nolint:nilnil // fetching is optional
	}
	o = o.withDefaults()
	gateways, err := metadata.NewGateways(o.Gateways)
	if err != nil {
		return nil, err
	}
	f := &Fetcher{
		options: o, client: outbound.New(o.Outbound), gateways: gateways,
		cache: weightedlru.New[string, entry](maxCached, maxCachedBytes), active: make(chan struct{}, o.MaxActive),
		results: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tonql_source_lists_total", Help: "Number of lists of sources requested from IPFS gateways, by result.",
		}, []string{"result"}),
	}
	f.ctx, f.stop = context.WithCancel(context.Background())
	if o.Registerer != nil {
		o.Registerer.MustRegister(f.results)
	}
	return f, nil
}

// Close cancels the requests and waits for them.
func (f *Fetcher) Close() {
	if f == nil {
		return
	}
	f.stop()
	f.closed.Wait()
	f.client.Close()
}

// errBusy means that too many lists are fetched.
var errBusy = &chain.Error{Kind: chain.Unavailable, Message: "too many sources are being fetched; retry in a few seconds"}

// Fetch returns the sources that the list at an address of IPFS names. The error is of the list or a file (chain.Invalid), of the
// gateways (chain.Unavailable), or that of ctx; its text has nothing of this network.
func (f *Fetcher) Fetch(ctx context.Context, uri string) (*chain.SourceFiles, error) {
	if e, ok := f.cache.Get(uri); ok && (e.err == nil || time.Now().Before(e.until)) {
		return e.files, e.err
	}
	made := f.once.DoChan(uri, func() (any, error) {
		f.closed.Add(1)
		defer f.closed.Done()
		return f.load(uri)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-made:
		files, _ := r.Val.(*chain.SourceFiles)
		return files, r.Err
	}
}

// load fetches a list and remembers the result.
func (f *Fetcher) load(uri string) (found *chain.SourceFiles, err error) {
	defer chain.Recover(&err)
	select {
	case f.active <- struct{}{}:
		defer func() { <-f.active }()
	default:
		return nil, errBusy
	}
	ctx, cancel := context.WithTimeout(f.ctx, f.options.Timeout)
	defer cancel()
	files, bytes, err := f.files(ctx, uri)
	if f.ctx.Err() != nil {
		return nil, errBusy // the process ends
	}
	f.results.WithLabelValues(resultOf(err)).Inc()
	if err != nil {
		f.options.Logger.Debug("no sources of a contract", "err", err)
		wait := retryUnreachable
		if chain.KindOf(err) == chain.Invalid {
			wait = retryInvalid
		}
		f.cache.Add(uri, entry{err: err, until: time.Now().Add(wait)}, len(uri)+1)
		return nil, err
	}
	f.cache.Add(uri, entry{files: files}, bytes)
	return files, nil
}

// resultOf is a label of a metric.
func resultOf(err error) string {
	switch {
	case err == nil:
		return "ok"
	case chain.KindOf(err) == chain.Invalid:
		return "invalid"
	default:
		return "unavailable"
	}
}

// files fetches the list and its files, a few at a time. The files are in the order of the list; bytes is their size.
func (f *Fetcher) files(ctx context.Context, uri string) (found *chain.SourceFiles, bytes int, err error) {
	body, err := f.get(ctx, "the list of the sources", uri)
	if err != nil {
		return nil, 0, err
	}
	found, wanted, err := parse(body)
	if err != nil {
		return nil, 0, err
	}
	found.Files = make([]*chain.SourceFile, len(wanted))
	var total atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxParallel)
	for i, w := range wanted {
		group.Go(func() (err error) {
			defer chain.Recover(&err)
			if ctx.Err() != nil { // another file failed
				return ctx.Err()
			}
			body, err := f.get(ctx, "the file "+chain.Quote(w.file.Name), w.uri)
			if err != nil {
				return err
			}
			if total.Add(int64(len(body))) > int64(f.options.MaxBytes) {
				return chain.Invalidf("the files have more than %d bytes together", f.options.MaxBytes)
			}
			w.file.Content, err = content(w.file.Name, body)
			found.Files[i] = &w.file
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, 0, err
	}
	return found, int(total.Load()) + len(body), nil
}

// get requests a file of IPFS from one gateway after the other. what names it in errors.
func (f *Fetcher) get(ctx context.Context, what, uri string) ([]byte, error) {
	addresses, err := f.gateways.Locate(uri)
	if err != nil {
		return nil, chain.Invalidf("%s: %s", what, err)
	}
	response, err := f.client.First(ctx, addresses)
	if err != nil {
		return nil, failure(what, err)
	}
	return response.Body, nil
}

// failure converts the error of a request. Its text is that of [outbound.Error], which may be shown.
func failure(what string, err error) error {
	kind, detail := chain.Unavailable, "no response"
	if e, ok := errors.AsType[*outbound.Error](err); ok {
		detail = e.Error()
		if e.Kind == outbound.TooLarge {
			kind = chain.Invalid
		}
	}
	return &chain.Error{Kind: kind, Message: what + ": " + detail, Err: err}
}
