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
	"tonql/internal/config"
	"tonql/internal/node"
	"tonql/internal/store"
	"tonql/rest/merchant"
)

// admissionFlags set the rate limits and the proxies that are trusted.
func admissionFlags() []config.Setting {
	return config.Theme("Access",
		text("limit-without-key", "auto", "requests per second of one client address without an API key, or 'none' (auto: none on devnet, 1 elsewhere)").Check(func(s string) error {
			if s == "auto" {
				return nil
			}
			return checkRate(s)
		}),
		text("limit-merchant-key", strconv.Itoa(merchant.DefaultKeyRate), "requests per second with one API key of a merchant, or 'none'").Check(checkRate),
		text("limit-merchant-address", strconv.Itoa(merchant.DefaultAddressRate), "requests per second of one client address with an API key of a merchant, or 'none'").Check(checkRate),
		boolean("shared-limits", "keep rate limits in the database, so that several gateways share them"),
		list("trusted-proxy", nil, "address or network of a proxy whose X-Forwarded-For header names the client address, and X-Forwarded-Proto its scheme; may be repeated").
			Check(func(s string) error { _, err := access.ParseProxies([]string{s}); return err }),
		list("private-liteservers", nil, "NAME=FILE_OR_URL of a global.config.json with liteservers for the API keys that name this pool; may be repeated").
			Check(func(s string) error { _, _, err := privateLiteservers(s); return err }),
	)
}

func checkRate(s string) error { _, err := parseRate(s); return err }

// privateLiteservers parses NAME=FILE_OR_URL.
func privateLiteservers(pair string) (name, globalConfig string, err error) {
	name, globalConfig, found := strings.Cut(pair, "=")
	if !found || name == "" || globalConfig == "" {
		return "", "", chain.Invalidf("%s is not NAME=FILE_OR_URL", chain.Quote(pair))
	}
	return name, globalConfig, node.CheckGlobalConfig(globalConfig)
}

// privateNames returns the names of --private-liteservers.
func privateNames(c *cli.Command) (names []string) {
	for _, pair := range c.StringSlice("private-liteservers") {
		name, _, _ := strings.Cut(pair, "=")
		names = append(names, name)
	}
	return names
}

// rateWithoutKey reads --limit-without-key; 0 is no limit.
func rateWithoutKey(c *cli.Command) (float64, error) {
	const public = 1 // request per second, like the public TON APIs
	switch given := c.String("limit-without-key"); given {
	case "auto":
		if c.String("network") == "devnet" {
			return 0, nil
		}
		return public, nil
	default:
		return parseRate(given)
	}
}

// parseRate parses requests per second or 'none', for which it returns 0.
func parseRate(given string) (float64, error) {
	if given == "none" {
		return 0, nil
	}
	rate, err := strconv.ParseFloat(given, 64)
	if err != nil || !(rate > 0 && rate <= 1e6) {
		return 0, chain.Invalidf("%s is neither 'none' nor a positive number of requests per second up to 1000000", chain.Quote(given))
	}
	return rate, nil
}

// merchantRates reads the rate limits of requests with an API key of a merchant.
func merchantRates(c *cli.Command) (key, address float64, err error) {
	key, err = parseRate(c.String("limit-merchant-key"))
	if err == nil {
		address, err = parseRate(c.String("limit-merchant-address"))
	}
	return key, address, err
}

// openLimiter returns the rate limiter of the APIs and the trusted proxies.
func openLimiter(ctx context.Context, c *cli.Command, lc *lifecycle, db *store.DB, metrics prometheus.Registerer) (*access.Limiter, []netip.Prefix, error) {
	rate, err := rateWithoutKey(c)
	if err != nil {
		return nil, nil, err
	}
	proxies, err := access.ParseProxies(c.StringSlice("trusted-proxy"))
	if err != nil {
		return nil, nil, err
	}
	shared := c.Bool("shared-limits") && !db.Standby()
	if shared {
		lc.background("shared limits", func(ctx context.Context) error { return sweepBuckets(ctx, lc, db.Access()) })
	}
	secret, err := db.Access().PageSecret(ctx)
	if err != nil {
		lc.log.Warn("page secret not read, using a secret of this gateway only", "err", err)
	}
	return access.New(db.Access(), access.Options{
		Network: c.String("network"), WithoutKey: rate, Shared: shared, Logger: lc.log, Metrics: metrics, PageSecret: secret,
	}), proxies, nil
}

// routeNode returns a node that sends the queries of API keys with private liteservers to those, and all others to common.
func routeNode(ctx context.Context, c *cli.Command, lc *lifecycle, common chain.Node) (chain.Node, error) {
	private := map[string]chain.Node{}
	for _, pair := range c.StringSlice("private-liteservers") {
		name, globalConfig, err := privateLiteservers(pair)
		if err != nil {
			return nil, err
		}
		client, err := openNode(ctx, c, lc, globalConfig, nil)
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

// sweepBuckets deletes unused shared buckets from time to time.
func sweepBuckets(ctx context.Context, lc *lifecycle, buckets *store.Access) error {
	tick := time.NewTicker(10 * time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := buckets.SweepBuckets(ctx); err != nil && ctx.Err() == nil {
				lc.log.Warn("sweep of shared limits failed", "err", err)
			}
		}
	}
}
