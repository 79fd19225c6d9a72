package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/indexer"
	"tonql/internal/store"
)

// withDatabase opens the database of an index with the current schema, runs fn, and stops what was started.
func withDatabase(ctx context.Context, c *cli.Command, log *slog.Logger, fn func(*lifecycle, *store.DB) error) error {
	lc := newLifecycle(ctx, log)
	defer lc.stopAll()
	db, err := openCurrent(ctx, c, lc)
	if err != nil {
		return err
	}
	return fn(lc, db)
}

// openIndexer returns an Indexer for commands that correct rows of an index in place. It refuses a database that was
// filled from another network than the one of the flags.
func openIndexer(ctx context.Context, c *cli.Command, lc *lifecycle, db *store.DB, opts indexer.Options) (*indexer.Indexer, error) {
	config, err := networkAtRest(ctx, c, lc)
	if err != nil {
		return nil, err
	}
	client, err := openNode(ctx, c, lc, config, nil)
	if err != nil {
		return nil, err
	}
	if err := claimNetwork(ctx, client, db); err != nil {
		return nil, err
	}
	opts.Logger = lc.log
	return indexer.New(client, db, opts), nil
}

// progressInterval is the least time between two log lines of a progressLog.
const progressInterval = 5 * time.Second

// progressLog limits the progress lines of a long-running command, and logs how to continue when it is interrupted.
type progressLog struct {
	log    *slog.Logger
	logged time.Time
	resume string // the flag that continues; empty until something is done
}

func newProgressLog(log *slog.Logger) *progressLog {
	return &progressLog{log: log, logged: time.Now()}
}

// advance records the flag with which another run continues. It reports whether to log a line: not when the last one is
// recent.
func (p *progressLog) advance(resume string) bool {
	p.resume = resume
	if time.Since(p.logged) <= progressInterval {
		return false
	}
	p.logged = time.Now()
	return true
}

// interrupted logs how to continue after err, and returns err.
func (p *progressLog) interrupted(err error) error {
	if p.resume != "" {
		p.log.Error("interrupted", "continue_with", p.resume)
	}
	return err
}

// exitInterrupted is the exit status that shells give a program that ends by SIGINT.
const exitInterrupted = 130

// unfinished returns the error of a command that a signal ended before its work was done. Services end with status 0 then.
func unfinished(err error) error {
	if errors.Is(err, context.Canceled) {
		return cli.Exit("interrupted", exitInterrupted)
	}
	return err
}

// fromFlag is the flag that continues from a masterchain block; empty for 0, when none is done yet.
func fromFlag(mcSeqno uint32) string {
	if mcSeqno == 0 {
		return ""
	}
	return fmt.Sprintf("--from %d", mcSeqno)
}
