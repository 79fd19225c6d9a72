package pgcluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"tonql/internal/embeddedpg"
)

// Options configure a cluster. Only Dir is required.
type Options struct {
	Dir      string // folder of the servers' folders
	Standbys int    // number of standbys at the start
	// Synchronous lets a commit on the primary wait until any one standby has it on disk.
	Synchronous bool
	// Settings are further PostgreSQL settings of all servers.
	Settings map[string]string
	// MaxConnections bounds the connections of each server; 0 means 64.
	MaxConnections int
	// Durable makes the servers write to disk what they commit, which tests do not need: a killed process loses nothing.
	Durable bool
	// Logger receives the logs of the servers; nil discards them.
	Logger *slog.Logger
}

// settings are those that replication needs.
func (o Options) settings() map[string]string {
	s := map[string]string{
		"wal_level":       "replica",
		"max_wal_senders": "8",
		"wal_keep_size":   "512MB", // a standby that is detached for a while catches up
		"hot_standby":     "on",
	}
	maps.Copy(s, o.Settings)
	return s
}

// Cluster is a primary and its standbys. Safe for concurrent use.
type Cluster struct {
	opts Options

	mu      sync.Mutex
	servers []*Server // in the order in which they were made; a killed one stays
	primary *Server
}

// Start makes the servers and returns once all accept queries and the standbys receive the log. ctx bounds the start alone.
func Start(ctx context.Context, opts Options) (*Cluster, error) {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	c := &Cluster{opts: opts}
	err := c.start(ctx)
	if err != nil {
		return nil, errors.Join(err, c.Stop(context.WithoutCancel(ctx)))
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context) error {
	primary, err := c.add(ctx, "")
	if err != nil {
		return err
	}
	c.primary = primary
	for range c.opts.Standbys {
		if _, err := c.AddStandby(ctx); err != nil {
			return err
		}
	}
	return c.SetSynchronous(ctx, c.opts.Synchronous)
}

// add starts a server in a new folder.
func (c *Cluster) add(ctx context.Context, primary string) (*Server, error) {
	c.mu.Lock()
	name := "server" + strconv.Itoa(len(c.servers)+1)
	s := &Server{name: name}
	c.servers = append(c.servers, s)
	c.mu.Unlock()
	var err error
	s.embedded, err = embeddedpg.Start(ctx, embeddedpg.Options{
		Dir: filepath.Join(c.opts.Dir, name), Logger: c.opts.Logger.With("server", name), Fast: !c.opts.Durable, Primary: primary,
		MaxConnections: c.opts.MaxConnections, Settings: c.opts.settings(),
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// AddStandby makes another standby from a base backup of the primary and waits until it has replayed what the primary has
// committed.
func (c *Cluster) AddStandby(ctx context.Context) (*Server, error) {
	primary := c.Primary()
	s, err := c.add(ctx, primary.DSN("postgres"))
	if err != nil {
		return nil, err
	}
	return s, c.WaitReplayed(ctx, s)
}

// Rebuild makes a server, such as a killed former primary, a standby of the primary from a new base backup. Its address stays.
func (c *Cluster) Rebuild(ctx context.Context, s *Server) error {
	if err := s.named(s.embedded.Rebuild(ctx, c.Primary().DSN("postgres"))); err != nil {
		return err
	}
	return c.WaitReplayed(ctx, s)
}

// Primary returns the server that takes writes: the first one, or the one that was promoted last.
func (c *Cluster) Primary() *Server {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.primary
}

// Servers returns all servers in the order in which they were made, including killed ones.
func (c *Cluster) Servers() []*Server {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*Server(nil), c.servers...)
}

// DSN returns the URL of a database on whichever of the present servers target names: a value of target_session_attrs such as
// primary or any.
func (c *Cluster) DSN(database, target string) string {
	hosts := url.Values{}
	var names, ports string
	for i, s := range c.Servers() {
		u, err := url.Parse(s.DSN(database))
		if err != nil {
			continue // made by this module
		}
		if i > 0 {
			names, ports = names+",", ports+","
		}
		names, ports = names+u.Query().Get("host"), ports+u.Query().Get("port")
		hosts.Set("user", u.User.Username())
	}
	hosts.Set("host", names)
	hosts.Set("port", ports)
	hosts.Set("sslmode", "disable")
	hosts.Set("target_session_attrs", target)
	return "postgres:///" + database + "?" + hosts.Encode()
}

// SetSynchronous lets the commits on the primary wait for any one standby, or for none.
func (c *Cluster) SetSynchronous(ctx context.Context, on bool) error {
	names := ""
	if on {
		names = "ANY 1 (*)"
	}
	return c.Primary().setting(ctx, "synchronous_standby_names", names)
}

// WaitReplayed waits until a standby has replayed everything that is committed on the primary now.
func (c *Cluster) WaitReplayed(ctx context.Context, s *Server) error {
	var position string
	if err := c.Primary().scan(ctx, &position, `SELECT pg_current_wal_lsn()::text`); err != nil {
		return err
	}
	return s.until(ctx, `SELECT coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false)`, position)
}

// Promote makes a standby the primary. It does not stop the former one; the other standbys do not follow.
func (c *Cluster) Promote(ctx context.Context, s *Server) error {
	if err := s.until(ctx, `SELECT pg_promote()`); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.primary = s
	return nil
}

// Follow lets a standby replay the log of the present primary.
func (c *Cluster) Follow(ctx context.Context, s *Server) error {
	u, err := url.Parse(c.Primary().DSN("postgres"))
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	q := u.Query()
	return s.setting(ctx, "primary_conninfo", "user="+u.User.Username()+" host="+q.Get("host")+" port="+q.Get("port"))
}

// Stop ends all servers in an orderly way, the standbys first.
func (c *Cluster) Stop(ctx context.Context) error {
	var err error
	for _, s := range slices.Backward(c.Servers()) {
		if s.embedded != nil {
			err = errors.Join(err, s.embedded.Stop(ctx))
		}
	}
	return err
}
