package main

import (
	"cmp"
	"context"
	"net/http"
	"path/filepath"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/internal/assetlist"
	"tonql/internal/chain"
	"tonql/internal/fiat"
	"tonql/internal/outbound"
	"tonql/internal/tokenimage"
	"tonql/resolvers"
	"tonql/rest/images"
)

// openImages returns what serves the images of tokens, nil with --no-images.
func openImages(c *cli.Command, lc *lifecycle, metrics prometheus.Registerer) (*tokenimage.Images, error) {
	if c.Bool("no-images") {
		return nil, nil //nolint:nilnil // images are optional
	}
	folder := cmp.Or(c.String("image-cache"), filepath.Join(c.String("data"), "images"))
	if c.Int("image-cache-size") == 0 {
		folder = ""
	}
	served, err := tokenimage.New(tokenimage.Options{
		Outbound: outbound.Options{AllowLoopback: c.Bool("image-allow-loopback")}, Gateways: c.StringSlice("image-gateway"),
		SVG: svgProgram(c.String("image-svg")), Folder: folder, MaxBytes: int64(c.Int("image-cache-size")) << 20, Logger: lc.log, Registerer: metrics,
	})
	if err != nil {
		return nil, err
	}
	lc.onStop("images", func(context.Context) error { return served.Close() })
	return served, nil
}

// svgProgram returns the program of --image-svg, empty for none.
func svgProgram(name string) string {
	switch name {
	case "":
		return tokenimage.InstalledSVGProgram()
	case "none":
		return ""
	default:
		return name
	}
}

// pathsOfImages returns the functions that name the images of tokens on this server, and those on its --public-url; nil
// without images, or without that address.
func pathsOfImages(c *cli.Command, served *tokenimage.Images) (
	path func(chain.Address, string, int) (string, error), links func(chain.Address, string) chain.Images,
) {
	if served == nil {
		return nil, nil
	}
	if origin := c.String("public-url"); origin != "" {
		links = func(account chain.Address, image string) chain.Images {
			return tokenimage.Links(origin, account, image)
		}
	}
	return tokenimage.Path, links
}

// imageRoute mounts the images of tokens; nil without them.
func imageRoute(served *tokenimage.Images, service *resolvers.Service) func(func(http.Handler) http.Handler) http.Handler {
	if served == nil {
		return nil
	}
	return func(limit func(http.Handler) http.Handler) http.Handler {
		return images.New(images.Options{Images: served, AddressOf: service.ImageOf}, limit)
	}
}

// openAssetLists reads the lists of --asset-list; nil without any.
func openAssetLists(c *cli.Command, lc *lifecycle) (*assetlist.Lists, error) {
	paths := c.StringSlice("asset-list")
	if len(paths) == 0 {
		return nil, nil //nolint:nilnil // lists are optional
	}
	return assetlist.Open(paths, overridesInterval, lc.log)
}

// openFiatRates reads the prices of --fiat-rates; nil without it.
func openFiatRates(c *cli.Command, lc *lifecycle) (*fiat.Rates, error) {
	path := c.String("fiat-rates")
	if path == "" {
		return nil, nil //nolint:nilnil // prices are optional
	}
	return fiat.Open(path, c.String("fiat-currency"), overridesInterval, lc.log)
}
