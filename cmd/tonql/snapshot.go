package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/indexer"
	"tonql/indexer/trace"
	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/snapshot"
	"tonql/internal/store"
	"tonql/internal/terminal"
)

func snapshotCommand() *cli.Command {
	return &cli.Command{
		Name:  "snapshot",
		Usage: "copy the index into another database: export, import",
		Description: `A snapshot is a folder with the rows of the index as of one moment. A new machine imports it in a fraction of the time that
indexing takes, and follows the chain from there. API keys, merchants and payments are not part of it; 'tonql backup' has them.

   tonql snapshot export /snapshots/monday
   tonql snapshot import /snapshots/monday --data /new/folder`,
		Commands: []*cli.Command{exportCommand(), importCommand()},
	}
}

func exportCommand() *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "write a snapshot of the index into a new folder", ArgsUsage: "DIR",
		Description: `Writes all rows of the index as of one moment. Indexer and gateways can run at the same time; the database retains dead rows
until the export ends, and an interrupted export begins again. It prints the SHA-256 of the manifest, which names all files by
their hashes: who imports the snapshot can require it.`,
		Flags: join(config.Arguments(copiesFlag()), dataFlags(), logFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Len() != 1 {
				return chain.Invalidf("expected the folder of the snapshot; see tonql snapshot export --help")
			}
			return onSnapshots(ctx, c, exportSnapshot)
		},
	}
}

func importCommand() *cli.Command {
	return &cli.Command{
		Name: "import", Usage: "copy snapshots into an empty database, and check them", ArgsUsage: "DIR...",
		Description: `Copies a snapshot of the same schema into a database without an index, or continues to. Then it reads a sample of blocks from the
network, with proofs, executes them again and compares them with the rows: the first and the last block, and ranges of 10 blocks
between. A snapshot of someone else is as trustworthy as its source until 'tonql verify' has compared all of it. After a complete import the same
command changes nothing and succeeds.

Several snapshots of different blocks become one index, as if it had indexed all of them: parts of a long history, which several
machines indexed into databases of their own ('tonql index --from --to'). An indexer fills what is missing between them.

   tonql snapshot import /snapshots/monday --network mainnet --database-url postgres://host/tonql
   tonql snapshot import /snapshots/monday --sha256 4c9f… --sample 1000
   tonql snapshot import /snapshots/2021 /snapshots/2022 /snapshots/2023 --copies 8`,
		Flags: join(config.Arguments(
			copiesFlag(),
			list("sha256", nil, "SHA-256 of the manifest that 'tonql snapshot export' printed; another one is refused; of several snapshots one for each, in their order"),
			number("sample", 50, "masterchain blocks of each snapshot to compare with the network").Between(2, 1_000_000),
			boolean("offline", "check the sample by the hashes that its rows give, without connecting to the network"),
			boolean("restart", "discard what an unfinished import of another snapshot has copied"),
			verifyFlag("how the sample is compared: replay (execute the transactions again) or proof (only the last state of an account in a block)"),
		), replayFlags(), dataFlags(), networkFlags(), logFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			return onSnapshots(ctx, c, importSnapshots)
		},
	}
}

func copiesFlag() config.Setting {
	return number("copies", 2, "files that are copied at once").Between(1, 64)
}

// onSnapshots runs a command on the folders that its arguments name.
func onSnapshots(ctx context.Context, c *cli.Command, run func(context.Context, *cli.Command, *lifecycle, []string) error) error {
	if c.Args().Len() == 0 {
		return chain.Invalidf("expected the folder of the snapshot; see tonql snapshot %s --help", c.Name)
	}
	log, err := logger(c)
	if err != nil {
		return err
	}
	slog.SetDefault(log)
	folders := c.Args().Slice()
	for i := range folders {
		if folders[i], err = filepath.Abs(folders[i]); err != nil {
			return err
		}
	}
	lc := newLifecycle(ctx, log)
	defer lc.stopAll()
	return run(ctx, c, lc, folders)
}

func exportSnapshot(ctx context.Context, c *cli.Command, lc *lifecycle, folders []string) error {
	folder := folders[0]
	db, err := openCurrent(ctx, c, lc)
	if err != nil {
		return err
	}
	handle := db.SQLDB()
	defer func() { _ = handle.Close() }() // a failed close of an idle handle loses nothing
	lock, err := db.Writer().ShareRanges(ctx)
	if err != nil {
		return err
	}
	defer lock.Release()
	m, sum, err := snapshot.Export(ctx, handle, snapshot.ExportOptions{
		Into: folder, Version: version, Workers: c.Int("copies"), Progress: showCopies(lc.log), Guard: lock.Check,
	})
	if err != nil {
		return err
	}
	total := m.Total()
	_, err = fmt.Fprintf(c.Root().Writer, "snapshot %s is complete\n   newest masterchain block: %d\n   %s rows, %s in %d files of %s\n   SHA-256 of the manifest: %s\n",
		folder, m.Head.Seqno, grouped(uint64(total.Rows)), megabytes(total.Bytes), total.Files, megabytes(total.Size), sum)
	return err
}

// importWait is how long an import waits for an indexer that is ending.
const importWait = 10 * time.Second

// snapshotSources are the folders with the hashes of the flag, if it has any.
func snapshotSources(c *cli.Command, folders []string) ([]snapshot.Source, error) {
	from, sums := snapshot.Folders(folders...), c.StringSlice("sha256")
	if len(sums) > 0 && len(sums) != len(from) {
		return nil, chain.Invalidf("--sha256: %d hashes for %d snapshots", len(sums), len(from))
	}
	for i, sum := range sums {
		from[i].SHA256 = sum
	}
	return from, nil
}

func importSnapshots(ctx context.Context, c *cli.Command, lc *lifecycle, folders []string) error {
	started := time.Now()
	mode, err := indexer.ParseVerify(c.String("verify"))
	if err != nil {
		return err
	}
	from, err := snapshotSources(c, folders)
	if err != nil {
		return err
	}
	m, sum, err := snapshot.ReadAll(from)
	if err != nil {
		return err
	}
	db, err := openDatabaseBeside(ctx, c, lc)
	if err != nil {
		return err
	}
	if err := applyMigrations(ctx, db, lc); err != nil {
		return err
	}
	handle := db.SQLDB()
	defer func() { _ = handle.Close() }() // a failed close of an idle handle loses nothing
	if imported, err := snapshot.Imported(ctx, handle, sum); err != nil || imported {
		if err == nil {
			_, err = fmt.Fprintf(c.Root().Writer, "the snapshot was imported before: %s rows up to masterchain block %d\n", grouped(uint64(m.Total().Rows)), m.Head.Seqno)
		}
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, importWait)
	defer cancel()
	lock, err := db.Writer().Lock(waiting, nil)
	if err != nil {
		if waiting.Err() != nil && ctx.Err() == nil {
			return chain.Invalidf("an indexer or another import runs on the database: end it first")
		}
		return err
	}
	defer lock.Release()
	check := func(ctx context.Context, m *snapshot.Manifest) error { return checkRows(ctx, c, db, m) }
	if !c.Bool("offline") {
		opts := indexer.Options{Verify: mode}
		replayBudget(c, &opts.Replay)
		if check, err = networkCheck(ctx, c, lc, db, m, opts); err != nil {
			return err
		}
	}
	m, err = snapshot.Import(ctx, handle, snapshot.ImportOptions{
		From: from, Workers: c.Int("copies"), Restart: c.Bool("restart"), Progress: showCopies(lc.log), Check: check, Joiner: classifying(db.Writer()),
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Root().Writer, "imported %s rows up to masterchain block %d in %s, and checked a sample\n", grouped(uint64(m.Total().Rows)), m.Head.Seqno,
		time.Since(started).Round(time.Second))
	return err
}

// classifying is a writer that classifies the traces that it completes.
func classifying(w *store.Writer) *store.Writer {
	w.SetClassifier(trace.Classifier{})
	return w
}

// networkCheck connects to the network of the flags, which has to be that of the snapshot, and returns the check of the sample.
func networkCheck(ctx context.Context, c *cli.Command, lc *lifecycle, db *store.DB, m *snapshot.Manifest, opts indexer.Options) (func(context.Context, *snapshot.Manifest) error, error) {
	config, err := networkAtRest(ctx, c, lc)
	if err != nil {
		return nil, err
	}
	client, err := openNode(ctx, c, lc, config, nil)
	if err != nil {
		return nil, err
	}
	zerostate := client.Zerostate()
	if found := zerostate.RootHash.Hex(); !zerostate.RootHash.IsZero() && m.Network.RootHash != "" && found != m.Network.RootHash {
		return nil, chain.Invalidf("the snapshot holds the chain with zerostate %s, and this network began with %s", chain.Quote(m.Network.RootHash), found)
	}
	opts.Logger = lc.log
	ix := indexer.New(client, db, opts)
	return func(ctx context.Context, m *snapshot.Manifest) error {
		return eachSample(c, m, func(within chain.SeqnoRange) (indexer.Report, error) { return ix.VerifyRange(ctx, within) })
	}, nil
}

// checkRows checks the sample without a network.
func checkRows(ctx context.Context, c *cli.Command, db *store.DB, m *snapshot.Manifest) error {
	return eachSample(c, m, func(within chain.SeqnoRange) (indexer.Report, error) {
		return indexer.VerifyRows(ctx, db.Reader(), within, 0)
	})
}

// eachSample checks ranges of the sample until one differs.
func eachSample(c *cli.Command, m *snapshot.Manifest, check func(chain.SeqnoRange) (indexer.Report, error)) error {
	for _, within := range sample(m.Spans(), c.Int("sample")) {
		report, err := check(within)
		if err != nil {
			return fmt.Errorf("masterchain blocks %d to %d: %w", within.First, within.Last, err)
		}
		if !report.OK() {
			return errors.Join(chain.Invalidf("the snapshot is not an index of the chain, and the database is not accepted: import another one with --restart"),
				verified(c, &report))
		}
		if _, err := fmt.Fprintf(c.Root().Writer, "%s the chain: %d transactions, %d executed again\n", matching(within), report.Transactions, report.Replayed); err != nil {
			return err
		}
	}
	return nil
}

// matching begins the line of a range that matches.
func matching(within chain.SeqnoRange) string {
	if within.First == within.Last {
		return fmt.Sprintf("masterchain block %d matches", within.First)
	}
	return fmt.Sprintf("masterchain blocks %d to %d match", within.First, within.Last)
}

// sampleBlocks is the length of a range of the sample.
const sampleBlocks = 10

// sample chooses about n masterchain blocks of indexed ranges: the first, the last, and ranges between that nobody can foresee.
func sample(spans []chain.SeqnoRange, n int) []chain.SeqnoRange {
	first, last := spans[0].First, spans[len(spans)-1].Last
	list := []chain.SeqnoRange{{First: last, Last: last}}
	if first < last {
		list = append(list, chain.SeqnoRange{First: first, Last: first})
	}
	var total uint64
	for _, s := range spans {
		total += uint64(s.Last-s.First) + 1
	}
	if uint64(n) >= total {
		return spans
	}
	for n -= len(list); n > 0; n -= sampleBlocks {
		at := rand.Uint64N(total)
		for _, s := range spans {
			length := uint64(s.Last-s.First) + 1
			if at >= length {
				at -= length
				continue
			}
			from := s.First + uint32(at)
			list = append(list, chain.SeqnoRange{First: from, Last: uint32(min(uint64(from)+uint64(min(n, sampleBlocks))-1, uint64(s.Last)))})
			break
		}
	}
	return list
}

// showCopies draws progress in the status line, and logs it.
func showCopies(log *slog.Logger) func(snapshot.Progress) {
	lines := newProgressLog(log)
	step := ""
	return func(p snapshot.Progress) {
		if statusLine != nil {
			done := 100
			if p.Total > 0 {
				done = p.Done * 100 / p.Total
			}
			statusLine.Set(terminal.Part{Text: fmt.Sprintf("%s: %d of %d, %d %%", p.Step, p.Done, p.Total, done), Color: terminal.Green},
				terminal.Part{Text: fmt.Sprintf(", %s rows, %s", grouped(uint64(p.Rows)), megabytes(p.Bytes))})
		}
		if lines.advance("") || p.Step != step {
			step = p.Step
			log.Info("snapshot", "step", p.Step, "count", p.Done, "of", p.Total, "rows", p.Rows, "bytes", p.Bytes)
		}
	}
}
