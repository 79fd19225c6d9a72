package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tonql/internal/pgcluster"
)

type options struct {
	dir, tonql, interval, traffic string
	gateways                      int
	durable                       bool
}

// cluster is one layout of all processes. It is used by one goroutine.
type cluster struct {
	options

	postgres       *pgcluster.Cluster
	chain, indexer *process
	gateways       []*process
	config         string            // path of the global config of the local chain
	addresses      []string          // of the gateways
	lost           *pgcluster.Server // killed and not replaced
}

// database is the name of the database of the index.
const database = "tonql"

func (c *cluster) start(ctx context.Context) error {
	var err error
	c.chain, err = c.run(ctx, "chain", "devnet", "--data", c.folder("chain"), "--block-interval", c.interval, "--traffic", c.traffic)
	if err != nil {
		return err
	}
	if c.config, err = c.chain.printed(ctx, `global config +(\S+)`); err != nil {
		return err
	}
	c.postgres, err = pgcluster.Start(ctx, pgcluster.Options{
		Dir: c.folder("postgres"), Standbys: 1, Synchronous: true, Durable: c.durable, MaxConnections: 200,
	})
	if err != nil {
		return err
	}
	migrate, err := c.run(ctx, "migrate", "migrate", "--data", c.folder("migrate"), "--database-url", c.writing())
	if err != nil {
		return err
	}
	if err := migrate.wait(ctx); err != nil {
		return err
	}
	if c.indexer, err = c.run(ctx, "indexer", "index", "--data", c.folder("indexer"), "--database-url", c.writing(),
		"--global-config", c.config, "--from", "1"); err != nil {
		return err
	}
	c.gateways, c.addresses = make([]*process, c.options.gateways), make([]string, c.options.gateways)
	for i := range c.gateways {
		if err := c.startGateway(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) folder(name string) string { return filepath.Join(c.dir, name) }

// writing is the URL that leads to whichever server is the primary.
func (c *cluster) writing() string { return c.postgres.DSN(database, "primary") }

// reading has the URL of each server, for the gateways to choose from.
func (c *cluster) reading() string {
	var urls []string
	for _, s := range c.postgres.Servers() {
		urls = append(urls, s.DSN(database))
	}
	return strings.Join(urls, " ")
}

// startGateway starts gateway i, at the address that it had before.
func (c *cluster) startGateway(ctx context.Context, i int) error {
	if c.gateways[i].runs() {
		return fmt.Errorf("gateway %d runs", i+1)
	}
	listen := c.addresses[i]
	if listen == "" {
		listen = "127.0.0.1:0"
	}
	name := "gateway" + strconv.Itoa(i+1)
	p, err := c.run(ctx, name, "serve", "--data", c.folder(name), "--listen", listen, "--database-url", c.writing(),
		"--read-database-url", c.reading(), "--global-config", c.config, "--limit-without-key", "none", "--live-connections", "100000",
		"--ready-lag", "10s")
	if err != nil {
		return err
	}
	c.gateways[i] = p
	c.addresses[i], err = p.printed(ctx, `serves on http://([^/]+)/`)
	return err
}

func (c *cluster) summary() string {
	var text strings.Builder
	for i, address := range c.addresses {
		fmt.Fprintf(&text, "gateway %d        http://%s/\n", i+1, address)
	}
	fmt.Fprintf(&text, "primary          %s\n", c.writing())
	for _, s := range c.postgres.Servers() {
		fmt.Fprintf(&text, "%-16s %s\n", s.Name(), s.DSN(database))
	}
	fmt.Fprintf(&text, "global config    %s\nlogs             %s\n", c.config, filepath.Join(c.dir, "*.log"))
	text.WriteString("commands: kill standby | replace standby | fail over | kill gateway N | start gateway N\nready\n")
	return text.String()
}

func (c *cluster) execute(ctx context.Context, command string) error {
	switch command {
	case "kill standby":
		return c.killStandby(ctx)
	case "replace standby":
		return c.replaceStandby(ctx)
	case "fail over":
		return c.failOver(ctx)
	}
	verb, number, _ := strings.Cut(command, " gateway ")
	n, err := strconv.Atoi(number)
	if err != nil || (verb != "kill" && verb != "start") {
		return errors.New("unknown command")
	}
	if n < 1 || n > len(c.gateways) {
		return fmt.Errorf("gateways are 1 to %d", len(c.gateways))
	}
	if verb == "start" {
		return c.startGateway(ctx, n-1)
	}
	if !c.gateways[n-1].runs() {
		return fmt.Errorf("gateway %d does not run", n)
	}
	return c.gateways[n-1].kill()
}

// standby is the server that is neither the primary nor lost.
func (c *cluster) standby() (*pgcluster.Server, error) {
	if c.lost != nil {
		return nil, fmt.Errorf("there is no standby: %s is lost", c.lost.Name())
	}
	servers := c.postgres.Servers()
	return servers[slices.IndexFunc(servers, func(s *pgcluster.Server) bool { return s != c.postgres.Primary() })], nil
}

func (c *cluster) killStandby(ctx context.Context) error {
	s, err := c.standby()
	if err != nil {
		return err
	}
	c.lost = s
	if err := s.Kill(ctx); err != nil {
		return err
	}
	// Commits would wait for the standby until it is replaced.
	return c.postgres.SetSynchronous(ctx, false)
}

func (c *cluster) failOver(ctx context.Context) error {
	s, err := c.standby()
	if err != nil {
		return err
	}
	c.lost = c.postgres.Primary()
	if err := c.lost.Kill(ctx); err != nil {
		return err
	}
	return c.postgres.Promote(ctx, s)
}

func (c *cluster) replaceStandby(ctx context.Context) error {
	if c.lost == nil {
		return errors.New("no server is lost")
	}
	if err := c.postgres.Rebuild(ctx, c.lost); err != nil {
		return err
	}
	c.lost = nil
	return c.postgres.SetSynchronous(ctx, true)
}

// stop ends the gateways, the indexer, the chain and the servers, in this order.
func (c *cluster) stop(ctx context.Context) error {
	var errs []error
	for _, p := range slices.Concat(c.gateways, []*process{c.indexer, c.chain}) {
		errs = append(errs, p.interrupt(ctx))
	}
	if c.postgres != nil {
		errs = append(errs, c.postgres.Stop(ctx))
	}
	return errors.Join(errs...)
}
