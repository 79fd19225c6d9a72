package main

import (
	"context"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/store"
)

// admissionFlags say who may ask how often.
func admissionFlags() []cli.Flag {
	return []cli.Flag{
		text("limit-without-key", "auto", "requests a second of one client address without an API key; 'none' for no limit (auto: none on devnet, 1 elsewhere)"),
		text("limit-merchant-key", "25", "requests a second with one merchant's API key; 'none' for no limit"),
		text("limit-merchant-address", "10", "requests a second of one client address with a merchant's API key; 'none' for no limit"),
		boolean("shared-limits", "keep limits in the database, for several gateways on it together"),
		&cli.StringSliceFlag{
			Name: "trusted-proxy", Usage: "address or network of a proxy whose X-Forwarded-For tells the client's address; may be repeated",
			Sources: env("trusted-proxy"),
		},
		&cli.StringSliceFlag{
			Name: "private-liteservers", Usage: "NAME=FILE_OR_URL of a global.config.json: liteservers for the keys that name them; may be repeated",
			Sources: env("private-liteservers"),
		},
	}
}

// rateWithoutKey reads --limit-without-key; 0 is no limit.
func rateWithoutKey(c *cli.Command) (float64, error) {
	const public = 1 // request a second, as the published services have it
	switch given := c.String("limit-without-key"); given {
	case "auto":
		if c.String("network") == "devnet" {
			return 0, nil
		}
		return public, nil
	default:
		return parseRate("limit-without-key", given)
	}
}

// parseRate reads a flag that is requests a second, or none; 0 is no limit.
func parseRate(flag, given string) (float64, error) {
	if given == "none" {
		return 0, nil
	}
	rate, err := strconv.ParseFloat(given, 64)
	if err != nil || !(rate > 0 && rate <= 1e6) {
		return 0, chain.Invalidf("--%s is 'none' or requests a second, not %s", flag, chain.Quote(given))
	}
	return rate, nil
}

// merchantRates reads the limits of requests with a merchant's key.
func merchantRates(c *cli.Command) (key, address float64, err error) {
	key, err = parseRate("limit-merchant-key", c.String("limit-merchant-key"))
	if err == nil {
		address, err = parseRate("limit-merchant-address", c.String("limit-merchant-address"))
	}
	return key, address, err
}

// openGate makes what stands before the doors.
func openGate(ctx context.Context, c *cli.Command, lc *lifecycle, db *store.DB, metrics prometheus.Registerer) (*access.Limiter, []netip.Prefix, error) {
	rate, err := rateWithoutKey(c)
	if err != nil {
		return nil, nil, err
	}
	proxies, err := access.ParseProxies(c.StringSlice("trusted-proxy"))
	if err != nil {
		return nil, nil, err
	}
	shared := c.Bool("shared-limits")
	if shared {
		lc.background("shared limits", func(ctx context.Context) error { return sweepBuckets(ctx, lc, db.Access()) })
	}
	secret, err := db.Access().PageSecret(ctx)
	if err != nil {
		lc.log.Warn("page secret not read, using one of this gateway alone", "err", err)
	}
	return access.New(db.Access(), access.Options{
		Network: c.String("network"), WithoutKey: rate, Shared: shared, Logger: lc.log, Metrics: metrics, PageSecret: secret,
	}), proxies, nil
}

// routeNode sends the calls of keys with private liteservers to these.
func routeNode(ctx context.Context, c *cli.Command, lc *lifecycle, common chain.Node) (chain.Node, error) {
	private := map[string]chain.Node{}
	for _, pair := range c.StringSlice("private-liteservers") {
		name, config, found := strings.Cut(pair, "=")
		if !found || name == "" || config == "" {
			return nil, chain.Invalidf("--private-liteservers is NAME=FILE_OR_URL, not %s", chain.Quote(pair))
		}
		if private[name] != nil {
			return nil, chain.Invalidf("--private-liteservers names %s twice", chain.Quote(name))
		}
		client, err := openNode(ctx, c, lc, config, nil)
		if err != nil {
			return nil, fmt.Errorf("private liteservers %s: %w", name, err)
		}
		private[name] = client
	}
	if len(private) == 0 && common == nil {
		return nil, nil //nolint:nilnil // a gateway without a network has no node
	}
	return node.Route(common, private, access.PoolOf), nil
}

// sweepBuckets keeps the table of shared buckets small.
func sweepBuckets(ctx context.Context, lc *lifecycle, buckets *store.Access) error {
	tick := time.NewTicker(10 * time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := buckets.SweepBuckets(ctx); err != nil && ctx.Err() == nil {
				lc.log.Warn("shared limits are not swept", "err", err)
			}
		}
	}
}
