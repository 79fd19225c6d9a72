package main

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/internal/metadata"
	"tonql/internal/outbound"
	"tonql/internal/store"
)

// metadataFlags say whether and how the contents of tokens are followed to documents on the web.
func metadataFlags() []cli.Flag {
	return []cli.Flag{
		boolean("no-metadata", "do not fetch the documents that Jettons and NFTs name"),
		&cli.StringSliceFlag{Name: "ipfs-gateway", Usage: "gateways to IPFS, as https://ipfs.io (default: three public ones)", Sources: env("ipfs-gateway")},
		boolean("metadata-allow-loopback", "let documents come from this machine; only for chains whose tokens are your own"),
	}
}

// overridesFlag names the file that corrects what documents say.
func overridesFlag() cli.Flag {
	return text("metadata-overrides", "", "JSON file of addresses with name, symbol, description, image, is_nsfw, is_scam to show instead; read again when it changes")
}

// startMetadata follows the contents of tokens in the background.
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

// overridesInterval is how often the file of overrides is looked at.
const overridesInterval = 10 * time.Second

// openOverrides reads the file of overrides; nil when none is named.
func openOverrides(c *cli.Command, lc *lifecycle) (*metadata.Overrides, error) {
	if c.String("metadata-overrides") == "" {
		return nil, nil
	}
	return metadata.OpenOverrides(c.String("metadata-overrides"), overridesInterval, lc.log)
}
