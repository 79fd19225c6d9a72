package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/ctxtime"
	"tonql/internal/store"
	"tonql/internal/store/cellsweep"
	"tonql/internal/store/locks"
	"tonql/migrations"
)

func rangeCommand() *cli.Command {
	return &cli.Command{
		Name:  "range",
		Usage: "keep old blocks on other PostgreSQL servers: list, move, thaw, freeze, adopt, drop",
		Description: `Moves the rows of the oldest masterchain blocks to the database of another PostgreSQL server, and back. All APIs respond as before: requests for
blocks that were moved are read there, through postgres_fdw, by the same statements. While that server does not respond, requests that need its rows fail with 503, and the others are served.
Indexer and gateways can run at the same time. One command at a time moves or drops blocks; the second is refused. docs/scale.md has what moves and what stays.

   tonql range move --to postgres://tonql@archive/tonql --through 45000000
   tonql range list
   tonql range thaw --from 44000000`,
		Commands: []*cli.Command{
			{
				Name: "list", Usage: "print the cold servers and their blocks",
				Flags:  join(dataFlags(), logFlags()),
				Action: checked(listCold),
			},
			{
				Name: "move", Usage: "move the oldest blocks to a cold server",
				Description: `Moves blocks in steps, each of which is committed by itself: interrupted at any moment, every row is in one place, and the same command continues. At the end the
tables of the cold server are vacuumed and frozen. The URL must be one by which both this command and the server of the index reach the cold server. The database there must exist
and be empty; its tables are created. The index needs the extension postgres_fdw, and its user the right to create servers.`,
				Flags: join(config.Arguments(
					text("to", "", "URL of the database on the cold server (postgres://…)").URL().Check(store.CheckColdURL),
					number("through", 0, "last masterchain seqno to move (0: --older-than determines it)").Between(0, math.MaxUint32),
					duration("older-than", 0, "move blocks that are older than the newest one by this time (0: --through names the last one)").Within(0, maxColdAge),
					number("step", 1000, "transactions of a step: new blocks wait for about 0.2 ms for each").Between(1, 1_000_000),
				), dataFlags(), logFlags()),
				Action: checked(moveCold),
			},
			{
				Name: "thaw", Usage: "move the newest blocks of cold servers back",
				Flags: join(config.Arguments(
					number("from", 0, "first masterchain seqno to move back; the step that has it is moved completely (0: all)").Between(0, math.MaxUint32),
				), dataFlags(), logFlags()),
				Action: checked(thawCold),
			},
			{
				Name: "adopt", Usage: "make this copy of the index the one that a cold server belongs to",
				Description: `A cold server belongs to one copy of the index: another one, as a restored backup is, reads it as long as both have the same blocks there, and changes nothing. After
the restore of a backup of the index or of the cold server, when the copy before is not used any more, this command lets the index change the server again, and removes from it the blocks that
the index has itself. The other copy, if it still runs, cannot change the server from then on.`,
				Flags:  join(config.Arguments(coldServer("cold server to adopt")), dataFlags(), logFlags()),
				Action: checked(adoptCold),
			},
			{
				Name: "freeze", Usage: "vacuum and freeze the tables of cold servers",
				Flags:  join(config.Arguments(coldServer("cold server (default: all)")), dataFlags(), logFlags()),
				Action: checked(freezeCold),
			},
			{
				Name: "drop", Usage: "drop the blocks of the cold server that has the oldest ones",
				Description: `Drops the blocks for good, as --keep does: requests for them fail with RANGE_DROPPED. The database on the cold server is left as it is.
A server that was dropped is not dropped again: the same command prints the same and succeeds. Its name is not used again.`,
				Flags:  join(config.Arguments(coldServer("cold server to drop")), dataFlags(), logFlags()),
				Action: checked(dropCold),
			},
		},
	}
}

func coldServer(usage string) config.Setting {
	return text("server", "", "name of the "+usage+", as 'tonql range list' prints it")
}

func listCold(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	return withDatabase(ctx, c, log, func(_ *lifecycle, db *store.DB) error { return writeCold(ctx, c.Root().Writer, db) })
}

// writeCold prints the cold servers and the blocks of the index itself.
func writeCold(ctx context.Context, to io.Writer, db *store.DB) error {
	list, err := db.Reader().ColdRanges(ctx)
	if err != nil {
		return err
	}
	ranges, err := db.Reader().Ranges(ctx)
	if err != nil {
		return err
	}
	var all error
	line := func(format string, args ...any) {
		_, err := fmt.Fprintf(to, format+"\n", args...)
		all = errors.Join(all, err)
	}
	for _, r := range list {
		if r.Steps == 0 {
			line("%s  %s: no blocks", r.Server, r.Address)
			continue
		}
		line("%s  %s: masterchain blocks %d to %d, %s transactions in %d steps, until %s", r.Server, r.Address, r.Blocks.First, r.Blocks.Last,
			grouped(uint64(r.Transactions)), r.Steps, time.Unix(int64(r.Utime), 0).UTC().Format(time.RFC3339))
	}
	for _, r := range ranges {
		line("here: masterchain blocks %d to %d", r.First, r.Last)
	}
	return all
}

// maxColdAge bounds --older-than, as --keep is bounded.
const maxColdAge = 100 * 365 * 24 * time.Hour

// coldPause is the time between the connection of a cold server and the first step, in which all gateways have read that it exists.
const coldPause = 3 * time.Second

// withRanges is withDatabase for commands that change which blocks cold servers have. One runs at a time.
func withRanges(ctx context.Context, c *cli.Command, log *slog.Logger, fn func(*lifecycle, *store.DB, *locks.Lock) error) error {
	return withDatabase(ctx, c, log, func(lc *lifecycle, db *store.DB) error {
		lock, err := db.Writer().LockRanges(ctx)
		if err != nil {
			return err
		}
		defer lock.Release()
		return fn(lc, db, lock)
	})
}

func moveCold(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	return withRanges(ctx, c, log, func(lc *lifecycle, db *store.DB, lock *locks.Lock) error {
		url := c.String("to")
		if url == "" {
			return chain.Invalidf("--to is required: the URL of the database on the cold server")
		}
		bound, err := coldBound(ctx, c, db)
		if err != nil {
			return err
		}
		if err := warnOfGaps(ctx, db, log, bound); err != nil {
			return err
		}
		if err := migrateCold(ctx, lc, url); err != nil {
			return err
		}
		name, err := db.Cold().Connect(ctx, url)
		if err != nil {
			return err
		}
		if !ctxtime.Sleep(ctx, coldPause) {
			return ctx.Err()
		}
		progress, total := newProgressLog(log), 0
		for {
			if err := lock.Check(ctx); err != nil {
				return err
			}
			step, err := db.Writer().MoveCold(ctx, name, bound, c.Int("step"))
			if errors.Is(err, cellsweep.ErrSweeping) && ctxtime.Sleep(ctx, coldPause) {
				continue // the indexer removes unused cells; it is the only other reason to wait
			}
			if err != nil {
				return err
			}
			if step.Blocks.Last == 0 {
				break
			}
			if total += step.Transactions; progress.advance("") {
				log.Info("moving blocks", "server", name, "last", step.Blocks.Last, "to", bound, "transactions", total)
			}
			if !ctxtime.Sleep(ctx, step.Locked) { // the writer of new blocks has half of the time
				return ctx.Err()
			}
		}
		if err := db.Cold().Freeze(ctx, name); err != nil {
			return err
		}
		return writeCold(ctx, c.Root().Writer, db)
	})
}

// coldBound returns the last masterchain block to move. The newest range is not moved completely.
func coldBound(ctx context.Context, c *cli.Command, db *store.DB) (uint32, error) {
	ranges, err := db.Reader().Ranges(ctx)
	if err != nil {
		return 0, err
	}
	if len(ranges) == 0 {
		return 0, chain.NotFoundf("nothing is indexed yet")
	}
	newest := ranges[len(ranges)-1]
	through, age := uint32(c.Int("through")), c.Duration("older-than")
	switch {
	case (through == 0) == (age == 0):
		return 0, chain.Invalidf("either --through or --older-than is required")
	case age > 0:
		if through, err = db.Reader().NewestOlder(ctx, time.Now(), int64(age/time.Second)); err != nil {
			return 0, err
		}
	}
	if through >= newest.Last {
		return 0, chain.Invalidf("block %d is the newest one that is indexed: it stays", newest.Last)
	}
	return through, nil
}

// warnOfGaps logs the gaps of the index before blocks that are to be moved.
func warnOfGaps(ctx context.Context, db *store.DB, log *slog.Logger, bound uint32) error {
	ranges, err := db.Reader().Ranges(ctx)
	if err != nil || len(ranges) == 0 || ranges[0].First > bound {
		return err
	}
	for _, gap := range (chain.SeqnoRange{First: ranges[0].First, Last: bound}).MissingIn(ranges) {
		if gap.Last < bound {
			log.Warn("gap of the index is not filled while later blocks are on a cold server", "first", gap.First, "last", gap.Last)
		}
	}
	return nil
}

// migrateCold gives the database of a cold server the tables of the index.
func migrateCold(ctx context.Context, lc *lifecycle, url string) error {
	there, err := store.Open(ctx, store.Config{WriteURL: url, MaxReadConns: 1, MaxWriteConns: 1})
	if err != nil {
		return fmt.Errorf("cold server: %w", err)
	}
	defer there.Close()
	handle := there.SQLDB()
	defer func() { _ = handle.Close() }() // a failed close of an idle handle loses nothing
	if _, err := migrations.UpLogged(ctx, handle, migrationLoggers(lc)); err != nil {
		return fmt.Errorf("cold server: %w", err)
	}
	return nil
}

func thawCold(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	return withRanges(ctx, c, log, func(_ *lifecycle, db *store.DB, lock *locks.Lock) error {
		progress, total := newProgressLog(log), 0
		for {
			if err := lock.Check(ctx); err != nil {
				return err
			}
			list, err := db.Reader().ColdRanges(ctx)
			if err != nil {
				return err
			}
			last := uint32(0)
			for _, r := range list {
				last = max(last, r.Blocks.Last)
			}
			if last == 0 || last < uint32(c.Int("from")) {
				return writeCold(ctx, c.Root().Writer, db)
			}
			step, err := db.Writer().ThawCold(ctx)
			if err != nil {
				return err
			}
			if total += step.Transactions; progress.advance("") {
				log.Info("moving blocks back", "first", step.Blocks.First, "from", c.Int("from"), "transactions", total)
			}
			if !ctxtime.Sleep(ctx, step.Locked) {
				return ctx.Err()
			}
		}
	})
}

func freezeCold(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	return withDatabase(ctx, c, log, func(_ *lifecycle, db *store.DB) error { return db.Cold().Freeze(ctx, c.String("server")) })
}

func adoptCold(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	return withRanges(ctx, c, log, func(_ *lifecycle, db *store.DB, _ *locks.Lock) error {
		name := c.String("server")
		if name == "" {
			return chain.Invalidf("--server is required; 'tonql range list' names the cold servers")
		}
		if err := db.Cold().Adopt(ctx, name); err != nil {
			return err
		}
		return writeCold(ctx, c.Root().Writer, db)
	})
}

func dropCold(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	return withRanges(ctx, c, log, func(_ *lifecycle, db *store.DB, _ *locks.Lock) error {
		name := c.String("server")
		if name == "" {
			return chain.Invalidf("--server is required; 'tonql range list' names the cold servers")
		}
		n, err := db.Writer().DropCold(ctx, name)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(c.Root().Writer, "%s: %s transactions were dropped; its database still has them and can be removed\n", name, grouped(uint64(n))); err != nil {
			return err
		}
		return writeCold(ctx, c.Root().Writer, db)
	})
}

// hideCold removes the views of cold servers if there are migrations to apply, which could not change the tables that the views read.
func hideCold(ctx context.Context, db *store.DB, handle *sql.DB) error {
	applied, embedded, err := migrations.Version(ctx, handle)
	if err != nil || applied >= embedded || applied == 0 {
		return err
	}
	return db.Cold().Hide(ctx)
}

// showCold migrates cold servers whose views were removed, and creates the views.
func showCold(ctx context.Context, db *store.DB, lc *lifecycle) error {
	hidden, err := db.Cold().Hidden(ctx)
	if err != nil || !hidden {
		return err
	}
	if err := db.Cold().URLs(ctx, func(ctx context.Context, name, url string) error {
		return db.Cold().Upgrade(ctx, name, url, func(ctx context.Context, url string) error { return migrateCold(ctx, lc, url) })
	}); err != nil {
		return err
	}
	return db.Cold().Show(ctx)
}

// showInterval is how often a service tries to migrate cold servers that were not reached when it started.
const showInterval = time.Minute

// showColdLater is [showCold] for services: the index does not wait for a cold server that does not respond, or belongs to another copy.
func showColdLater(ctx context.Context, db *store.DB, lc *lifecycle) {
	err := showCold(ctx, db, lc)
	if err == nil || ctx.Err() != nil {
		return
	}
	lc.log.Warn("cold servers are not migrated, requests for moved blocks fail", "err", err)
	lc.background("cold servers", func(ctx context.Context) error {
		for ctxtime.Sleep(ctx, showInterval) {
			if showCold(ctx, db, lc) == nil {
				lc.log.Info("cold servers migrated")
				return waitEnd(ctx)
			}
		}
		return nil
	})
}

// coldInterval is how often a service checks its cold servers.
const coldInterval = 30 * time.Second

// watchCold adds the metrics of cold servers.
func watchCold(lc *lifecycle, db *store.DB, r *prometheus.Registry) {
	all := prometheus.NewGauge(prometheus.GaugeOpts{Name: "tonql_cold_servers", Help: "Number of cold servers of the index."})
	failing := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "tonql_cold_servers_failing", Help: "Number of cold servers that do not respond, or lack blocks: requests for their blocks fail.",
	})
	r.MustRegister(all, failing)
	lc.background("checks of cold servers", func(ctx context.Context) error {
		for {
			n, down := db.ColdFailing(ctx)
			if ctx.Err() == nil {
				all.Set(float64(n))
				failing.Set(float64(down))
			}
			if !ctxtime.Sleep(ctx, coldInterval) {
				return nil
			}
		}
	})
}

// waitEnd waits for the end of the service, as a component that ends by itself would end it.
func waitEnd(ctx context.Context) error {
	<-ctx.Done()
	return nil
}
