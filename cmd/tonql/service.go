package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/indexer/trace"
	"tonql/internal/access"
	"tonql/internal/store"
	"tonql/internal/tokenimage"
	"tonql/resolvers"
	"tonql/rest/explorer"
	"tonql/rest/handler"
)

// indexService is the service that the APIs share, with what the pages need of the files and settings that it was opened with.
type indexService struct {
	service  *resolvers.Service
	images   *tokenimage.Images // nil with --no-images
	explorer explorer.Options
}

// openIndexService opens the service on the index and on what completes it: metadata, lists of assets, images, prices, sources.
func openIndexService(ctx context.Context, c *cli.Command, lc *lifecycle, g gateway) (*indexService, error) {
	network := c.String("network")
	overrides, err := openOverrides(c, lc)
	if err != nil {
		return nil, err
	}
	lists, err := openAssetLists(c, lc)
	if err != nil {
		return nil, err
	}
	served, err := openImages(c, lc, g.metrics)
	if err != nil {
		return nil, err
	}
	imagePath, imageLinks := pathsOfImages(c, served)
	routed, err := routeNode(ctx, c, lc, g.node)
	if err != nil {
		return nil, err
	}
	rates, err := openFiatRates(c, lc)
	if err != nil {
		return nil, err
	}
	registry, err := sourceRegistry(c)
	if err != nil {
		return nil, err
	}
	fetchSources, err := openSources(c, lc, g.metrics)
	if err != nil {
		return nil, err
	}
	compilers, err := openCompilers(c, lc)
	if err != nil {
		return nil, err
	}
	service := resolvers.New(g.db.Reader(), routed, resolvers.Options{
		Network: network, TestOnly: network != "mainnet", Logger: lc.log, Correct: overrides.Apply,
		Reputation: lists.Reputation, ImagePath: imagePath, ImageLinks: imageLinks, FiatRates: rates.Current,
		SourceRegistry: registry, FetchSources: fetchSources, Charge: access.Charge,
		Client: clientOf, Executed: chargeExecution, Pending: g.db.Pending(store.PendingLimits{}), Classifier: trace.Classifier{},
	})
	lc.onClose("contracts", service.Close)
	return &indexService{service, served, explorer.Options{
		TestOnly: network != "mainnet", Network: network, Rated: lists != nil, Priced: rates != nil, Compilers: compilers,
	}}, nil
}

// clientOf identifies the client of a request by the owner of its key, otherwise by its address; "" without either.
func clientOf(ctx context.Context) string {
	if owner := access.OwnerOf(ctx); owner != "" {
		return "owner " + owner
	}
	if from := handler.RecordOf(ctx).Client; from.IsValid() {
		return access.Site(from).String()
	}
	return ""
}

// chargeExecution charges a request for code that executes for long, as for a slow statement.
func chargeExecution(ctx context.Context, took time.Duration) {
	access.Charge(ctx, slowPrice*float64(took/slowStep))
}
