package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/store"
	"tonql/internal/store/digests"
)

func digestCommand() *cli.Command {
	return &cli.Command{
		Name:  "digest",
		Usage: "print a hash of the index for each 1,000 masterchain blocks",
		Description: `Prints a hash of everything that the index has derived from each range of 1,000 masterchain blocks: equal in every database that
has the range, in whatever order its blocks were indexed. A first or last range with fewer blocks has the hash of these. The digests of
full ranges that the indexer has stored are printed as they are; with --recompute they are computed from the rows and compared, and the
exit status is 1 when one differs. docs/scale.md says what a digest covers.

   tonql digest --from 45000000 --to 45100000
   tonql digest --recompute
   tonql digest --from 45000000 --to 45000999 --tables`,
		Flags: join(rangeFlags(), config.Arguments(
			boolean("recompute", "compute all digests from the rows, and compare those that are stored"),
			boolean("store", "store the digests that are computed, in place of earlier ones"),
			boolean("tables", "print the hash of each table, too; computes all digests from the rows"),
		), dataFlags(), networkFlags(), logFlags()),
		Action: checked(printDigests),
	}
}

func printDigests(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	return withDatabase(ctx, c, log, func(_ *lifecycle, db *store.DB) error {
		ctx, err := db.Reader().WithCold(ctx)
		if err != nil {
			return err
		}
		within, err := indexedRange(ctx, c, db)
		if err != nil {
			return err
		}
		p := digestPrinter{c: c, db: db, out: c.Root().Writer}
		total := sha256.New()
		for _, part := range chain.DigestRanges(*within) {
			d, err := p.print(ctx, part)
			if err != nil {
				return err
			}
			_, _ = total.Write(d.Hash[:])
		}
		if _, err := fmt.Fprintf(p.out, "%d to %d  %x\n", within.First, within.Last, total.Sum(nil)); err != nil {
			return err
		}
		if p.different > 0 {
			return cli.Exit(errors.New("stored digests differ from those of the rows: rows were changed by another program; tonql verify names those of blocks, transactions and states, and tonql digest --tables the hash of each table"), 1)
		}
		return nil
	})
}

// digestPrinter prints digests and compares stored ones with those of the rows.
type digestPrinter struct {
	c         *cli.Command
	db        *store.DB
	out       io.Writer
	different int
}

func (p *digestPrinter) print(ctx context.Context, part chain.SeqnoRange) (chain.RangeDigest, error) {
	full := part == chain.DigestRange(part.First)
	var stored *chain.RangeDigest
	if full {
		list, err := p.db.Reader().Digests(ctx, part)
		switch {
		case err == nil:
			stored = &list[0]
		case chain.KindOf(err) != chain.Unavailable || store.ConnectionLost(err):
			return chain.RangeDigest{}, err
		}
	}
	if stored != nil && !p.c.Bool("recompute") && !p.c.Bool("tables") && !p.c.Bool("store") {
		return *stored, p.line(stored, nil)
	}
	var d digests.Range
	var err error
	var saved bool
	if full && p.c.Bool("store") {
		d, saved, err = p.db.StoreDigest(ctx, part)
		if err == nil && !saved {
			err = chain.Unavailablef(nil, "the rows of masterchain blocks %d to %d change; try again in a moment", part.First, part.Last)
		}
	} else {
		d, err = p.db.Reader().RangeDigest(ctx, part)
	}
	if err != nil {
		return d.RangeDigest, err
	}
	if err := p.line(&d.RangeDigest, d.Tables); err != nil {
		return d.RangeDigest, err
	}
	if stored != nil && (stored.Hash != d.Hash || stored.CrossingHash != d.CrossingHash) {
		p.different++
		if _, err := fmt.Fprintf(p.out, "   stored: %s, crossing %s\n", stored.Hash.Hex(), stored.CrossingHash.Hex()); err != nil {
			return d.RangeDigest, err
		}
	}
	return d.RangeDigest, nil
}

// line prints one digest, with its tables when they are requested.
func (p *digestPrinter) line(d *chain.RangeDigest, tables []digests.Table) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d to %d  %s  rows: %d  crossing: %s, %d traces  action sets: %v", d.Range.First, d.Range.Last, d.Hash.Hex(), d.Rows,
		d.CrossingHash.Hex(), d.CrossingTraces, d.ActionSets)
	if d.WantingTraces > 0 {
		fmt.Fprintf(&b, "  may change with earlier blocks: %d traces", d.WantingTraces)
	}
	b.WriteByte('\n')
	if p.c.Bool("tables") {
		for _, t := range tables {
			fmt.Fprintf(&b, "   %-24s %9d rows  %s\n", t.Table, t.Rows, t.Hash.Hex())
		}
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}
