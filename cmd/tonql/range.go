package main

import (
	"context"
	"math"

	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/store"
)

// rangeFlags select a range of masterchain blocks.
func rangeFlags() []config.Setting {
	return config.Arguments(
		number("from", 0, "first masterchain seqno of the range (default: the first that is indexed)").Between(0, math.MaxUint32),
		number("to", 0, "last masterchain seqno of the range (default: the last that is indexed)").Between(0, math.MaxUint32),
	)
}

// indexedRange returns the range of masterchain blocks between --from and --to, by default everything that is indexed. It may
// contain gaps.
func indexedRange(ctx context.Context, c *cli.Command, db *store.DB) (*chain.SeqnoRange, error) {
	ranges, err := db.Reader().Ranges(ctx)
	if err != nil {
		return nil, err
	}
	if len(ranges) == 0 {
		return nil, chain.NotFoundf("nothing is indexed yet")
	}
	within := &chain.SeqnoRange{First: ranges[0].First, Last: ranges[len(ranges)-1].Last}
	for flag, into := range map[string]*uint32{"from": &within.First, "to": &within.Last} {
		if n := c.Int(flag); n > 0 {
			*into = uint32(n)
		}
	}
	if within.First > within.Last {
		return nil, chain.Invalidf("the range %d to %d is empty", within.First, within.Last)
	}
	return within, nil
}
