package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/logs"
	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/migrations"
	"tonql/rest"
	"tonql/rest/explorer"
	"tonql/rest/graphql"
	"tonql/rest/handler"
	"tonql/rest/merchant"
	v3 "tonql/rest/v3"
)

// gateway contains the dependencies of the HTTP server. node and servers are nil in a process without a network, readiness
// reports nothing in one without an indexer.
type gateway struct {
	db        *store.DB
	node      chain.Node
	servers   func() []chain.ServerState
	readiness func(context.Context) []string
	metrics   *prometheus.Registry
	vault     *payment.Vault
}

// serveGateway starts the HTTP server of all APIs and returns its address.
func serveGateway(ctx context.Context, c *cli.Command, lc *lifecycle, g gateway) (string, error) {
	data, err := openIndexService(ctx, c, lc, g)
	if err != nil {
		return "", err
	}
	service, network := data.service, c.String("network")
	limiter, proxies, err := openLimiter(ctx, c, lc, g.db, g.metrics)
	if err != nil {
		return "", err
	}
	events := openFeed(lc, g.db, service)
	queries, err := openGraphQL(c, lc, events, service, limiter, proxies)
	if err != nil {
		return "", err
	}
	live := liveConnections{queries, openStreaming(c, lc, events, service, limiter, proxies)}
	jettons := merchant.NewJettons(service)
	board, err := openDashboard(c, lc, g.db, g.vault, limiter, proxies, jettons)
	if err != nil {
		return "", err
	}
	keyRate, addressRate, err := merchantRates(c)
	if err != nil {
		return "", err
	}
	if err := serveAdmin(ctx, c, lc, rest.Options{Service: service, Servers: g.servers, Readiness: g.readiness, MaxLag: c.Duration("ready-lag")}); err != nil {
		return "", err
	}
	routes := rest.New(rest.Options{
		Service:    service,
		GraphQL:    live.graphql,
		Streaming:  live.streaming,
		Playground: graphql.Playground(handler.NetworkTitle(network)),
		Explorer:   explorer.New(data.explorer),
		Images:     imageRoute(data.images, service),
		Origins:    c.StringSlice("cors-origin"),
		Metrics:    g.metrics,
		NoAdmin:    c.String("admin-listen") != "",
		Logger:     lc.log,
		Version:    version,
		Servers:    g.servers,
		Readiness:  g.readiness,
		MaxLag:     c.Duration("ready-lag"),
		Limiter:    limiter,
		Merchant: func(limit func(http.Handler) http.Handler) http.Handler {
			return merchant.New(merchant.Options{
				Payments: g.db.Payments(), Jettons: jettons, Network: network, TestOnly: network != "mainnet", Examples: service.Examples, Logger: lc.log,
				Limiter: limiter, KeyRate: keyRate, AddressRate: addressRate, Proxies: proxies,
			}, limit)
		},
		Dashboard: board,
		Proxies:   proxies,
		Public:    c.String("public-url"),
		Tracer:    lc.tracer, TraceParent: c.Bool("trace-parent"),
		V3: v3.Options{Version: schemaVersion(), Strict: c.Bool("strict-parameters")},
	})
	address, err := listenAndServe(ctx, c, lc, routes, proxies)
	if err != nil {
		return "", err
	}
	lc.onStop("live connections", live.Close)
	return address, nil
}

// maxHeaders bounds the first line and the headers of a request, in bytes: a URL with the longest query, and the headers that [rest.New] accepts besides.
const maxHeaders = rest.MaxQuery + rest.MaxHeaders

// newServer returns the server of the public address.
func newServer(log *slog.Logger, routes http.Handler) *http.Server {
	return &http.Server{
		Handler:           routes,
		ErrorLog:          logs.Standard(log, "net/http"),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxHeaders,
	}
}

// listenAndServe serves on --listen in the background and returns the address. At the end, requests have a moment to be finished.
func listenAndServe(ctx context.Context, c *cli.Command, lc *lifecycle, routes http.Handler, proxies []netip.Prefix) (string, error) {
	server := newServer(lc.log, routes)
	listener, err := listenClients(ctx, c.String("listen"))
	if err != nil {
		return "", fmt.Errorf("--listen %s: %w", c.String("listen"), err)
	}
	lc.background("gateway", func(ctx context.Context) error {
		failed := make(chan error, 1)
		limit := maxClients(c.Int("database-connections"))
		go func() {
			failed <- server.Serve(limitClients(shareClients(listener, max(minClients, limit/clientShare), proxies), limit))
		}()
		select {
		case err := <-failed:
			return err
		case <-ctx.Done():
		}
		graceful, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
		defer cancel()
		if err := server.Shutdown(graceful); err != nil {
			_ = server.Close() // closes what is still open after the grace period
		}
		if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	return listener.Addr().String(), nil
}

// schemaVersion returns the version of the database schema for REST v3. Its minor number is the number of migrations.
func schemaVersion() string {
	files, err := fs.Glob(migrations.FS(), "*.sql")
	if err != nil {
		return "" // only a malformed pattern fails
	}
	return fmt.Sprintf("1.%d.0", len(files))
}
