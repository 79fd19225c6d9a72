package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/internal/node"
)

const (
	nodeTimeout   = 8 * time.Second
	blockInterval = time.Second
)

// networkBeside returns --global-config. On devnet without that flag, it returns the global config of the local chain that
// another tonql runs on the data folder, or an empty string when none does.
func networkBeside(ctx context.Context, c *cli.Command) (string, error) {
	if config := c.String("global-config"); config != "" || c.String("network") != "devnet" {
		return config, nil
	}
	config, _, err := runningDevnet(ctx, c)
	return config, err
}

// trustFile returns the file that stores the newest proven blocks between runs.
func trustFile(c *cli.Command) string {
	return filepath.Join(c.String("data"), "trust-"+c.String("network")+".json")
}

// makeDataFolder creates the data folder of a service, which stores its trusted blocks there also where the database is elsewhere.
func makeDataFolder(c *cli.Command, log *slog.Logger) {
	if err := os.MkdirAll(c.String("data"), 0o755); err != nil {
		log.Warn("data folder not created, trusted blocks are not saved", "folder", c.String("data"), "err", err)
	}
}

// openNode connects to the liteservers of a global config, or of --network when config is empty.
func openNode(ctx context.Context, c *cli.Command, lc *lifecycle, config string, metrics prometheus.Registerer) (*node.Client, error) {
	proofs, err := node.ParseProofs(c.String("proofs"))
	if err != nil {
		return nil, err
	}
	anchor, err := node.ParseAnchor(c.String("trust"))
	if err != nil {
		return nil, fmt.Errorf("--trust: %w", err)
	}
	// A command beside a database elsewhere creates no data folder.
	trusted := trustFile(c)
	if _, err := os.Stat(c.String("data")); errors.Is(err, fs.ErrNotExist) {
		trusted = ""
	}
	client, err := node.Open(ctx, node.Options{
		GlobalConfig: config,
		Network:      c.String("network"),
		Proofs:       proofs,
		Anchor:       anchor,
		TrustFile:    trusted,
		Timeout:      c.Duration("node-timeout"),
		Logger:       lc.log,
		Registerer:   metrics,
		Observe:      traceQuery,
	})
	if err != nil {
		return nil, err
	}
	lc.onClose("node client", client.Close)
	return client, nil
}
