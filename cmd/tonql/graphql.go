package main

import (
	"context"
	"fmt"
	"net/netip"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/graph"
	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/feed"
	"tonql/resolvers"
	"tonql/rest/graphql"
	"tonql/rest/handler"
)

// graphqlFlags configure the GraphQL API.
func graphqlFlags() []config.Setting {
	return config.Theme("GraphQL",
		number("live-connections", graphql.DefaultLimits.MaxConnections, "maximum WebSocket and event-stream connections of one client address, of GraphQL and of the streaming API each").Between(1, 1_000_000),
		text("trusted-documents", "", "file of GraphQL documents by id (Relay or Apollo format) that clients may request by documentId").Path().Check(checkTrusted),
		boolean("only-trusted-documents", "reject GraphQL documents that are not in --trusted-documents"),
	)
}

// openGraphQL returns the handler of the GraphQL API. The caller closes its connections before it stops the server.
func openGraphQL(
	c *cli.Command, lc *lifecycle, live *feed.Feed, service *resolvers.Service, limiter *access.Limiter, proxies []netip.Prefix,
) (*graphql.Handler, error) {
	trusted, err := readTrusted(c)
	if err != nil {
		return nil, err
	}
	limits := graphql.DefaultLimits
	limits.MaxConnections = c.Int("live-connections")
	costs := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "tonql_graphql_cost", Help: "Cost of GraphQL operations and of events of subscriptions.", Buckets: prometheus.ExponentialBuckets(10, 4, 9),
	})
	lc.metrics.MustRegister(costs)
	resolver := &resolvers.Resolver{Service: service, Limits: limits, Feed: live, RateLimit: access.LimitOf}
	return graphql.New(graphql.Options{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: resolver}),
		Limits: limits, Logger: lc.log, RequestID: handler.RequestID, Prepare: resolver.Prepare, McSeqno: service.McSeqno,
		Await:   func(ctx context.Context, seqno uint32) error { return service.Await(ctx, seqno, handler.MinSeqnoWait) },
		Limiter: limiter, Proxies: proxies, Origins: c.StringSlice("cors-origin"),
		ObserveCost: func(ctx context.Context, cost int) { observeCost(ctx, costs, cost) },
		Trusted:     trusted, OnlyTrusted: c.Bool("only-trusted-documents"),
	}), nil
}

// dearOperation is the cost from which on an operation is an exemplar: that of ten requests of REST.
const dearOperation = 10_000

// observeCost adds the cost of an operation.
func observeCost(ctx context.Context, to prometheus.Histogram, cost int) {
	if e, ok := to.(prometheus.ExemplarObserver); ok && cost >= dearOperation {
		if id := handler.RequestID(ctx); id != "" {
			e.ObserveWithExemplar(float64(cost), prometheus.Labels{"request_id": id})
			return
		}
	}
	to.Observe(float64(cost))
}

func readTrusted(c *cli.Command) (*graphql.Documents, error) {
	name := c.String("trusted-documents")
	if name == "" {
		return nil, nil
	}
	return trustedDocuments(name)
}

func checkTrusted(name string) error { _, err := trustedDocuments(name); return err }

func trustedDocuments(name string) (*graphql.Documents, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, &chain.Error{Kind: chain.Invalid, Message: "trusted documents", Err: err}
	}
	defer func() { _ = file.Close() }() // it was only read
	documents, err := graphql.ReadDocuments(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return documents, nil
}
