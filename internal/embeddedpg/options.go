package embeddedpg

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// Errors for callers to distinguish. Each is wrapped in a sentence for the user.
var (
	// ErrInUse means that another tonql owns the data folder.
	ErrInUse = errors.New("data folder in use")
	// ErrNoBinaries means that no usable PostgreSQL was found, or not the major version
	// that made the cluster, and none could be downloaded.
	ErrNoBinaries = errors.New("no usable PostgreSQL")
	// ErrCluster means that the folder holds something that the server cannot open,
	// such as a damaged cluster or one of another user.
	ErrCluster = errors.New("unusable database folder")
	// ErrDiskFull means that the disk of the data folder has no space left. Nothing is damaged.
	ErrDiskFull = errors.New("disk full")
	// ErrStopped means that a method was called after Stop.
	ErrStopped = errors.New("embedded PostgreSQL is stopped")
)

// Options configure the server. Only Dir is required.
type Options struct {
	// Dir is the folder of lock, cluster and socket note; made with mode 0700 when missing.
	Dir string
	// Logger receives the log of the server; nil means slog.Default.
	Logger *slog.Logger
	// Database is created when missing; empty means "tonql".
	Database string
	// Binaries says where PostgreSQL is looked for; the zero value means the usual places.
	Binaries Search
	// MaxConnections bounds the server's connections; 0 means 64.
	MaxConnections int
	// SynchronousCommit is PostgreSQL's setting of that name; empty means "on".
	SynchronousCommit string
	// Settings are further PostgreSQL settings by name; they win over those chosen here.
	Settings map[string]string
	// Fast trades durability after a power loss for speed (no fsync), for tests and
	// benchmarks. Killed processes still lose nothing that was committed.
	Fast bool
	// Primary is the DSN of a running server. A new cluster is then a standby of it: a base backup that replays the log of the
	// primary. The programs have to be of the same major version. Settings has to allow as many connections.
	Primary string
	// StartTimeout bounds one start, crash recovery included; 0 means 5 minutes.
	StartTimeout time.Duration
}

// withDefaults fills the empty fields and makes Dir absolute, creating it.
func (o Options) withDefaults() (Options, error) {
	if o.Dir == "" {
		return o, errors.New("embedded PostgreSQL: no data folder given")
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return o, fmt.Errorf("data folder %s: %w", o.Dir, err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return o, fmt.Errorf("data folder %s: %w", dir, err)
	}
	// The real path, so that two names of one folder meet at one lock and one cluster.
	if o.Dir, err = filepath.EvalSymlinks(dir); err != nil {
		return o, fmt.Errorf("data folder %s: %w", dir, err)
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Database == "" {
		o.Database = "tonql"
	}
	if o.MaxConnections == 0 {
		o.MaxConnections = 64
	}
	if o.SynchronousCommit == "" {
		o.SynchronousCommit = "on"
	}
	if o.StartTimeout == 0 {
		o.StartTimeout = 5 * time.Minute
	}
	o.Binaries = o.Binaries.withDefaults()
	return o, nil
}
