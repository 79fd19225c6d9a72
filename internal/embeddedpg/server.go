package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/ctxtime"
)

const (
	connectTimeout = 10 * time.Second
	// stopTimeout bounds an orderly shutdown whose caller sets no earlier end.
	stopTimeout = time.Minute
	// startTries is how often Start tries when PostgreSQL is killed meanwhile, with a pause that grows by startPause.
	startTries = 5
	startPause = 200 * time.Millisecond
)

// Server is a running PostgreSQL that belongs to this process. Its methods may be
// called from several goroutines.
type Server struct {
	opts    Options
	account account
	bin     binaries
	lock    *os.File
	users   *os.File // after Unused
	socket  string
	// socketLock is held while this process uses the socket folder.
	socketLock *os.File

	// busy holds one token while a method starts or stops the server.
	busy chan struct{}
	// life ends with the first Stop, and with it a Restart under way.
	life context.Context
	end  context.CancelFunc

	mu      sync.Mutex
	current *process // the latest run; never nil once Start has returned
	full    bool     // the latest try to start it failed because the disk is full
	stopped bool     // a method has ended the latest run
}

// Start starts the server of a data folder and returns once it accepts queries.
// The first start creates the cluster. ctx bounds the start alone: when it ends
// early, nothing is left running.
func Start(ctx context.Context, opts Options) (*Server, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, opts.StartTimeout)
	defer cancel()
	dirLock, err := lock(opts.Dir)
	if err != nil {
		return nil, err
	}
	s := &Server{opts: opts, lock: dirLock, busy: make(chan struct{}, 1)}
	s.life, s.end = context.WithCancel(context.Background())
	for try := 1; ; try++ {
		err = s.open(ctx)
		var ended *endedError
		if !errors.As(err, &ended) || try == startTries || ctx.Err() != nil {
			break
		}
		opts.Logger.Warn("PostgreSQL ended during startup, restarting", "err", err, "tries", try+1)
		ctxtime.Sleep(ctx, time.Duration(try)*startPause)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// endedError means that a program of PostgreSQL ended during a start for a temporary cause: it was killed, for example
// because the machine was short of memory. Another try may succeed.
type endedError struct{ err error }

func (e *endedError) Error() string { return e.err.Error() }
func (e *endedError) Unwrap() error { return e.err }

// open prepares the folder and starts the first run.
func (s *Server) open(ctx context.Context) error {
	cluster := clusterDir(s.opts.Dir)
	var err error
	if s.account, err = serverAccount(cluster); err != nil {
		return err
	}
	major, err := clusterMajor(cluster)
	if err != nil {
		return err
	}
	if s.bin, err = findBinaries(ctx, s.opts.Binaries, major, s.account); err != nil {
		return err
	}
	for _, dir := range []string{cluster + ".new", cluster} {
		if err := clearOrphans(ctx, dir, s.opts.Logger); err != nil {
			return err
		}
	}
	if major == 0 {
		err = makeCluster(ctx, s.bin, s.opts, s.account)
	} else {
		err = adopt(cluster, s.account)
	}
	if err != nil {
		return err
	}
	if s.socket == "" { // else an earlier try has made it
		sweepSocketDirs(s.account, s.opts.Logger)
		if s.socket, s.socketLock, err = makeSocketDir(s.opts.Dir, s.account); err != nil {
			return err
		}
	}
	s.removeSocket()
	return s.run(ctx)
}

// run starts the postmaster and waits until the database can be used.
func (s *Server) run(ctx context.Context) error {
	cluster := clusterDir(s.opts.Dir)
	args := arguments(s.opts.settings(s.socket, machineMemory()))
	cmd, release, err := command(cluster, s.account, s.bin.postgres(), args...)
	if err != nil {
		return err
	}
	p, err := launch(cmd, release, cluster, s.opts.Logger)
	if err != nil {
		return err
	}
	if err := s.ready(ctx, p); err != nil {
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), orderlyWait)
		defer cancel()
		p.stop(stopping)
		return errors.Join(err, killServers(stopping, cluster))
	}
	s.mu.Lock()
	s.current, s.stopped, s.full = p, false, false
	s.mu.Unlock()
	s.opts.Logger.Info("PostgreSQL started", "version", s.bin.version, "binaries", s.bin.dir, "cluster", cluster, "socket", s.socket)
	return nil
}

// ready waits until the server takes connections and creates the database if it is missing.
func (s *Server) ready(ctx context.Context, p *process) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !reportsReady(clusterDir(s.opts.Dir), p.cmd.Process.Pid) {
		select {
		case <-p.done:
			return s.failed(p)
		case <-ctx.Done():
			return fmt.Errorf("start of PostgreSQL: %w (%s)", ctx.Err(), p.log.tail())
		case <-tick.C: // starting up, or recovering from a crash
		}
	}
	conn, err := s.connect(ctx, "postgres")
	if err == nil {
		defer conn.Close(context.WithoutCancel(ctx))
		err = createDatabase(ctx, conn, s.opts.Database)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	if noSpace(err.Error()) {
		return diskFull(s.opts.Dir)
	}
	// The only client of a server that has just said it is ready: if it is lost, so is the server.
	return &endedError{fmt.Errorf("start of PostgreSQL: %w", err)}
}

// reportsReady reads the state of the postmaster from the eighth line of its pid file.
// Connecting instead would fill the log with rejected connections during a recovery.
func reportsReady(cluster string, pid int) bool {
	text, err := os.ReadFile(filepath.Join(cluster, "postmaster.pid"))
	if err != nil {
		return false
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) <= 7 || lines[0] != strconv.Itoa(pid) {
		return false
	}
	state := strings.TrimSpace(lines[7])
	return state == "ready" || state == "standby"
}

func (s *Server) connect(ctx context.Context, database string) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	return pgx.Connect(ctx, s.DatabaseDSN(database))
}

func createDatabase(ctx context.Context, conn *pgx.Conn, name string) error {
	var exists bool
	err := conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", name).Scan(&exists)
	if err != nil {
		return fmt.Errorf("database %s: %w", name, err)
	}
	if exists {
		return nil
	}
	if _, err := conn.Exec(ctx, "create database "+pgx.Identifier{name}.Sanitize()); err != nil {
		return fmt.Errorf("database %s: %w", name, err)
	}
	return nil
}

// failed explains why the server ended instead of starting.
func (s *Server) failed(p *process) error {
	tail := p.log.tail()
	if noSpace(tail) {
		return diskFull(s.opts.Dir) // before what follows: nothing is damaged
	}
	// A panic, or a file of the cluster that is missing or does not read.
	for _, sign := range []string{"PANIC:", "pg_control", "could not open file", "could not open directory", "could not read", "invalid checkpoint", "valid checkpoint", "incorrect checksum", "could not access the server configuration file"} {
		if strings.Contains(tail, sign) {
			return damaged(clusterDir(s.opts.Dir), tail)
		}
	}
	return &endedError{fmt.Errorf("start of PostgreSQL %s: %w", s.bin.version, p.describe())}
}

// DSN returns the URL of the database for pgx and psql. It stays the same until Stop.
func (s *Server) DSN() string { return s.DatabaseDSN(s.opts.Database) }

// DatabaseDSN returns the URL of another database on the same server.
func (s *Server) DatabaseDSN(name string) string { return dsn(s.socket, name) }

// Version returns the version of the server, such as "15.18".
func (s *Server) Version() string { return s.bin.version }

// Done returns a channel that is closed when the present run of the server ends for any
// reason. After Restart it returns a new channel.
func (s *Server) Done() <-chan struct{} { return s.latest().done }

// Err returns how the server ended by itself. It is nil while the server runs, and after a
// method has stopped it.
func (s *Server) Err() error {
	s.mu.Lock()
	p, stopped := s.current, s.stopped
	s.mu.Unlock()
	if stopped || !p.ended() {
		return nil
	}
	return p.describe()
}

func (s *Server) latest() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// Stop shuts the server down and frees the data folder. Connections are closed and
// transactions under way rolled back. When ctx ends before an orderly shutdown, the
// server is ended by force, which costs the next start a recovery but no committed
// data. Stopping twice is no error.
func (s *Server) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	s.end()
	s.busy <- struct{}{}
	defer func() { <-s.busy }()
	if s.lock == nil {
		return nil
	}
	if err := s.halt(ctx); err != nil {
		return err
	}
	s.close()
	return nil
}

// halt ends the present run and all its processes. The caller holds the token of busy.
func (s *Server) halt(ctx context.Context) error {
	p := s.latest()
	s.mu.Lock()
	if !p.ended() {
		s.stopped = true
	}
	s.mu.Unlock()
	p.stop(ctx)
	sweep, cancel := context.WithTimeout(context.WithoutCancel(ctx), orderlyWait)
	defer cancel()
	return clearOrphans(sweep, clusterDir(s.opts.Dir), s.opts.Logger)
}

// close releases everything except the cluster.
func (s *Server) close() {
	if s.socket != "" {
		removeSocketDir(s.opts.Dir)
		_ = s.socketLock.Close()
	}
	s.end()
	if s.users != nil {
		_ = s.users.Close()
	}
	_ = s.lock.Close() // releases the lock
	s.lock = nil
}
