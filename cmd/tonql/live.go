package main

import (
	"context"
	"errors"
	"net/netip"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/internal/access"
	"tonql/internal/feed"
	"tonql/internal/store"
	"tonql/resolvers"
	"tonql/rest/graphql"
	"tonql/rest/streaming"
)

// openFeed starts the live events of an index.
func openFeed(lc *lifecycle, db *store.DB, service *resolvers.Service) *feed.Feed {
	live := feed.New(db.Reader(), feed.Options{
		Listen: db.Listen, MaxBehind: uint32(graphql.DefaultLimits.MaxBlocksBehind), Pending: service.Pending(), Logger: lc.log,
	})
	lc.background("live events", live.Run)
	lc.metrics.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "tonql_feed_streams", Help: "Number of open subscriptions to live events.",
	}, func() float64 { return float64(live.Streams()) }))
	return live
}

// openStreaming returns the handler of the streaming API. The caller closes its connections before it stops the server.
func openStreaming(
	c *cli.Command, lc *lifecycle, live *feed.Feed, service *resolvers.Service, limiter *access.Limiter, proxies []netip.Prefix,
) *streaming.Handler {
	return streaming.New(streaming.Options{
		Service: service, Feed: live, Logger: lc.log, Metrics: lc.metrics,
		MaxConnections: c.Int("live-connections"), Limiter: limiter, Proxies: proxies, Origins: c.StringSlice("cors-origin"),
	})
}

// liveConnections are the handlers of live connections.
type liveConnections struct {
	graphql   *graphql.Handler
	streaming *streaming.Handler
}

// Close ends the connections and waits until they have ended or ctx ends.
func (l liveConnections) Close(ctx context.Context) error {
	ended := make(chan error, 1)
	go func() { ended <- l.streaming.Close(ctx) }()
	err := l.graphql.Close(ctx)
	return errors.Join(err, <-ended)
}
