package main

import (
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/metadata"
	"tonql/internal/outbound"
	"tonql/internal/store"
)

// metadataFlags configure the fetching of off-chain documents of Jettons and NFTs.
func metadataFlags() []config.Setting {
	return config.Theme("Metadata",
		boolean("no-metadata", "do not fetch the off-chain metadata of Jettons and NFTs"),
		list("ipfs-gateway", nil, "IPFS gateway such as https://ipfs.io; may be repeated (default: three public gateways)").Check(webURL),
		boolean("metadata-allow-loopback", "also fetch metadata from loopback addresses; only for chains on which all tokens are your own"),
	)
}

// webURL accepts the URL of a website.
func webURL(s string) error {
	if u, err := url.Parse(s); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return chain.Invalidf("%s is not a URL such as https://ipfs.io", chain.Quote(s))
	}
	return nil
}

// overridesFlag names the file that overrides fetched metadata.
func overridesFlag() config.Setting {
	return text("metadata-overrides", "", "JSON file that overrides name, symbol, description, image, is_nsfw, is_scam by address; reloaded when it changes").Path().Check(metadata.CheckOverrides)
}

// startMetadata fetches the off-chain documents of tokens in the background.
func startMetadata(c *cli.Command, lc *lifecycle, db *store.DB, metrics prometheus.Registerer) error {
	if c.Bool("no-metadata") {
		return nil
	}
	worker, err := metadata.New(db.MetadataQueue(), metadata.Options{
		Outbound: outbound.Options{AllowLoopback: c.Bool("metadata-allow-loopback")},
		Gateways: c.StringSlice("ipfs-gateway"), Logger: lc.log, Registerer: metrics,
	})
	if err != nil {
		return err
	}
	lc.background("metadata", worker.Run)
	return nil
}

// overridesInterval is how often the file of overrides is checked for changes.
const overridesInterval = 10 * time.Second

// openOverrides reads the file of overrides. It returns nil when the flag is empty.
func openOverrides(c *cli.Command, lc *lifecycle) (*metadata.Overrides, error) {
	if c.String("metadata-overrides") == "" {
		return nil, nil
	}
	return metadata.OpenOverrides(c.String("metadata-overrides"), overridesInterval, lc.log)
}
