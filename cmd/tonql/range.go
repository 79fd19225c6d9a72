package main

import (
	"context"

	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/store"
)

// indexedRange returns the range of masterchain blocks between two flags, by default everything that is indexed. It may
// contain gaps.
func indexedRange(ctx context.Context, c *cli.Command, db *store.DB, first, last string) (*chain.SeqnoRange, error) {
	ranges, err := db.Reader().Ranges(ctx)
	if err != nil {
		return nil, err
	}
	if len(ranges) == 0 {
		return nil, chain.NotFoundf("nothing is indexed yet")
	}
	within := &chain.SeqnoRange{First: ranges[0].First, Last: ranges[len(ranges)-1].Last}
	for flag, into := range map[string]*uint32{first: &within.First, last: &within.Last} {
		n := c.Int(flag)
		if n < 0 || int64(n) > int64(^uint32(0)) {
			return nil, chain.Invalidf("--%s should be a masterchain seqno, not %d", flag, n)
		}
		if n > 0 {
			*into = uint32(n)
		}
	}
	if within.First > within.Last {
		return nil, chain.Invalidf("the range %d to %d is empty", within.First, within.Last)
	}
	return within, nil
}
