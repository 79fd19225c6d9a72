package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	postgresarchive "github.com/fergusstrange/embedded-postgres"
)

// downloadTimeout bounds fetching and unpacking, which is about 15 MB.
const downloadTimeout = 5 * time.Minute

// published are the archives to fetch, by major version.
var published = map[int]postgresarchive.PostgresVersion{
	15: postgresarchive.V15,
	16: postgresarchive.V16,
}

const newestPublished = 16

// download fetches PostgreSQL into the cache, once, and returns it. A major of 0
// means the newest one published.
//
// The library that knows the archives can only fetch as the first step of running
// a server of its own, on TCP and not as root. It is handed a data folder
// that no server can start on, so it stops after unpacking; what counts is
// whether the unpacked programs run.
func download(ctx context.Context, s Search, major int, a account) (binaries, error) {
	if major == 0 {
		major = newestPublished
	}
	version, ok := published[major]
	if !ok {
		return binaries{}, fmt.Errorf("no archive of PostgreSQL %d is known", major)
	}
	cache, err := s.cacheDir()
	if err != nil {
		return binaries{}, err
	}
	home := filepath.Join(cache, "postgresql-"+string(version))
	if a.drop && !a.mayPass(filepath.Join(home, "bin")) {
		// Every folder below the cache will be open to all; so it is one above.
		if !a.mayPass(home) {
			return binaries{}, fmt.Errorf("user %d may not pass to the cache folder %s", a.uid, cache)
		}
	}
	if b, err := inspect(ctx, filepath.Join(home, "bin")); err == nil {
		return b, nil
	}
	ctx, cancel := context.WithTimeout(ctx, downloadTimeout)
	defer cancel()
	fetchErr := fetch(ctx, s.Repository, cache, home, version)
	b, err := inspect(ctx, filepath.Join(home, "bin"))
	if err != nil {
		return b, errors.Join(fetchErr, ctx.Err())
	}
	return b, nil
}

// cacheDir is where archives are kept. The account that root drops to must be able
// to read it, which it cannot below root's home.
func (s Search) cacheDir() (string, error) {
	dir := s.CacheDir
	if dir == "" && os.Geteuid() == 0 {
		dir = "/var/cache/tonql"
	}
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("cache folder: %w", err)
		}
		dir = filepath.Join(user, "tonql")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("cache folder: %w", err)
	}
	return dir, nil
}

// fetch has the library unpack the archive into home. The library's requests know
// no context, so they go through a relay on loopback that does: when ctx ends, so
// does the transfer, and with it the library's call.
func fetch(ctx context.Context, repository, cache, home string, version postgresarchive.PostgresVersion) error {
	relay, err := startRelay(ctx, repository)
	if err != nil {
		return err
	}
	defer relay.Close()

	work, err := os.MkdirTemp(cache, "unpack-")
	if err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	defer os.RemoveAll(work)
	// Takes the library past initdb, as if a cluster were there.
	data := filepath.Join(work, "data")
	major, _, _ := strings.Cut(string(version), ".")
	if err := errors.Join(os.Mkdir(data, 0o700), os.WriteFile(filepath.Join(data, "PG_VERSION"), []byte(major+"\n"), 0o600)); err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	unpacked := filepath.Join(work, "home")
	config := postgresarchive.DefaultConfig().Version(version).Port(0).
		CachePath(cache).RuntimePath(filepath.Join(work, "run")).BinariesPath(unpacked).DataPath(data).
		BinaryRepositoryURL(relay.url).Logger(io.Discard)
	fetchErr := unpack(config)
	if !isProgram(filepath.Join(unpacked, "bin", "postgres")) {
		if relay.failure() != nil {
			return relay.failure()
		}
		return fetchErr
	}
	if err := readable(unpacked); err != nil {
		return err
	}
	// Complete before it gets its name; a neighbour that was faster has the same files.
	if err := os.Rename(unpacked, home); err != nil && !isProgram(filepath.Join(home, "bin", "postgres")) {
		return fmt.Errorf("cache folder: %w", err)
	}
	return nil
}

// unpack calls the library; some of its failures are panics.
func unpack(config postgresarchive.Config) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("archive of PostgreSQL: %v", r)
		}
	}()
	server := postgresarchive.NewDatabase(config)
	if err := server.Start(); err != nil {
		return fmt.Errorf("archive of PostgreSQL: %w", err)
	}
	return server.Stop()
}

// readable lets every account read and run what was unpacked, whatever the umask.
func readable(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() | 0o444
		if info.IsDir() || mode&0o100 != 0 {
			mode |= 0o111
		}
		return os.Chmod(path, mode)
	})
}

// relay passes requests on to the repository for as long as a context lives.
type relay struct {
	url    string
	server *http.Server
	done   chan struct{}
	failed chan error // the first failure, if any
}

func startRelay(ctx context.Context, repository string) (*relay, error) {
	if repository == "" {
		repository = "https://repo1.maven.org/maven2"
	}
	target, err := url.Parse(repository)
	if err != nil {
		return nil, fmt.Errorf("archive repository: %w", err)
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("archive relay: %w", err)
	}
	r := &relay{url: "http://" + listener.Addr().String(), done: make(chan struct{}), failed: make(chan error, 1)}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(target) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			select {
			case r.failed <- fmt.Errorf("archive repository: %w", err):
			default:
			}
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	r.server = &http.Server{
		ReadHeaderTimeout: 10 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			proxy.ServeHTTP(w, req.WithContext(ctx))
		}),
	}
	go func() {
		defer close(r.done)
		_ = r.server.Serve(listener) // always the error of Close
	}()
	return r, nil
}

// failure is the first failure of a transfer, nil when there was none.
func (r *relay) failure() error {
	select {
	case err := <-r.failed:
		r.failed <- err
		return err
	default:
		return nil
	}
}

func (r *relay) Close() {
	_ = r.server.Close()
	<-r.done
}
