package main

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/outbound"
	"tonql/internal/sourcefile"
	"tonql/rest/explorer"
)

// sourceFlags configure the verification of sources of contracts.
func sourceFlags() []config.Setting {
	return config.Theme("HTTP",
		text("compiler-folder", "", "folder in which npm installed the compilers @ton-community/func-js and @ton/tolk-js, which the explorer runs in the reader's browser to verify sources (default: no verification)").Path(),
		list("source-gateway", nil, "IPFS gateway such as https://ipfs.io for the sources that records of the registry name; may be repeated (default: those of --ipfs-gateway; none: no sources are fetched)").Check(webURL),
		boolean("source-allow-loopback", "also request sources from loopback addresses; only for your own gateway on this machine"),
		text("source-registry", "", "address of the contract with the records of verified sources (default: the registry of mainnet or testnet)").Check(accountAddress),
	)
}

// accountAddress accepts the address of an account in any form.
func accountAddress(s string) error {
	_, err := chain.ParseAddress(s)
	return err
}

// sourceRegistry is the address of --source-registry; nil without it.
func sourceRegistry(c *cli.Command) (*chain.Address, error) {
	if c.String("source-registry") == "" {
		return nil, nil //nolint:nilnil // the network decides
	}
	address, err := chain.ParseAddress(c.String("source-registry"))
	return &address, err
}

// openSources returns what fetches the sources of contracts; nil without a gateway.
func openSources(c *cli.Command, lc *lifecycle, metrics prometheus.Registerer) (func(context.Context, string) (*chain.SourceFiles, error), error) {
	gateways := c.StringSlice("source-gateway")
	if len(gateways) == 0 {
		gateways = c.StringSlice("ipfs-gateway") // of up
	}
	fetcher, err := sourcefile.New(sourcefile.Options{
		Outbound: outbound.Options{AllowLoopback: c.Bool("source-allow-loopback")}, Gateways: gateways, Logger: lc.log, Registerer: metrics,
	})
	if err != nil || fetcher == nil {
		return nil, err
	}
	lc.onClose("sources", fetcher.Close)
	return fetcher.Fetch, nil
}

// openCompilers reads the compilers of --compiler-folder; nil without it.
func openCompilers(c *cli.Command, lc *lifecycle) (*explorer.Compilers, error) {
	if c.String("compiler-folder") == "" {
		return nil, nil //nolint:nilnil // compilers are optional
	}
	compilers, err := explorer.OpenCompilers(c.String("compiler-folder"))
	if err != nil {
		return nil, err
	}
	lc.log.Info("compilers for the explorer", "count", len(compilers.Names()), "folder", c.String("compiler-folder"))
	return compilers, nil
}
