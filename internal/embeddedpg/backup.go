package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrBackup means that a folder is no complete backup of a private server.
var ErrBackup = errors.New("unusable backup")

// Backup writes a base backup of the private server of opts.Dir to the new folder into, with the log that makes it consistent,
// and verifies it. The server has to run, in this process or another one; it continues to serve.
func Backup(ctx context.Context, opts Options, into string) error {
	t, err := openTools(ctx, opts)
	if err != nil {
		return err
	}
	url, running := RunningDSN(opts)
	if !running {
		return fmt.Errorf("base backup: no server runs on %s", opts.Dir)
	}
	if err := errors.Join(os.Mkdir(into, 0o700), t.account.take(into)); err != nil {
		return fmt.Errorf("base backup: %w", err)
	}
	if err := t.run(ctx, into, t.bin.baseBackup(), func(path string) []string {
		return []string{"-D", path, "--dbname=" + url, "--wal-method=stream", "--checkpoint=fast", "--format=plain"}
	}); err != nil {
		if strings.Contains(err.Error(), "max_wal_senders") || strings.Contains(err.Error(), "wal_level") {
			return fmt.Errorf("the running server was started by a version of tonql without backups: restart it first (%w)", err)
		}
		if noSpace(err.Error()) {
			return &sentence{is: ErrDiskFull, text: fmt.Sprintf("the disk of %s is full: free some space, or choose another folder", filepath.Dir(into))}
		}
		return fmt.Errorf("base backup: %w", err)
	}
	return t.verify(ctx, into)
}

// VerifyBackup compares a base backup with its manifest, file by file, and checks that the log is complete.
func VerifyBackup(ctx context.Context, opts Options, backup string) error {
	major, err := clusterMajor(backup)
	if err != nil || major == 0 {
		return &sentence{is: ErrBackup, text: backup + " has no base backup of PostgreSQL"}
	}
	t, err := findTools(ctx, opts, backup, major)
	if err != nil {
		return err
	}
	return t.verify(ctx, backup)
}

// Restore verifies a base backup and copies it into opts.Dir, which must have no cluster yet. The first start recovers it to the
// state at the end of the backup.
func Restore(ctx context.Context, opts Options, backup string) error {
	if err := VerifyBackup(ctx, opts, backup); err != nil {
		return err
	}
	opts, err := opts.withDefaults()
	if err != nil {
		return err
	}
	claim, err := lock(opts.Dir)
	if err != nil {
		return err
	}
	defer claim.Close()
	cluster := clusterDir(opts.Dir)
	if major, err := clusterMajor(cluster); err != nil || major != 0 {
		return &sentence{is: ErrCluster, text: fmt.Sprintf("%s has a database already: restore into another folder, or move it away", opts.Dir)}
	}
	unfinished := cluster + ".new" // which a start removes
	if err := os.RemoveAll(unfinished); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	if err := copyTree(ctx, backup, unfinished); err != nil {
		_ = os.RemoveAll(unfinished)
		if noSpace(err.Error()) {
			return diskFull(opts.Dir)
		}
		return fmt.Errorf("restore: %w", named(err, cluster, unfinished))
	}
	_ = os.Remove(cluster) // an empty folder of that name may exist
	if err := os.Rename(unfinished, cluster); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	return syncDir(opts.Dir)
}

// tools are the programs of the version that made a cluster.
type tools struct {
	bin     binaries
	account account
}

func openTools(ctx context.Context, opts Options) (tools, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return tools{}, err
	}
	cluster := clusterDir(opts.Dir)
	major, err := clusterMajor(cluster)
	if err != nil {
		return tools{}, err
	}
	return findTools(ctx, opts, cluster, major)
}

func findTools(ctx context.Context, opts Options, cluster string, major int) (tools, error) {
	a, err := serverAccount(cluster)
	if err != nil {
		return tools{}, err
	}
	b, err := findBinaries(ctx, opts.Binaries.withDefaults(), major, a)
	if err != nil {
		return tools{}, err
	}
	for _, program := range []string{b.baseBackup(), b.verifyBackup()} {
		if !isProgram(program) {
			return tools{}, &sentence{is: ErrNoBinaries, text: fmt.Sprintf(
				"%s is missing: install PostgreSQL %d with its client programs (Debian: apt-get install postgresql-%d)", program, b.major, b.major)}
		}
	}
	return tools{bin: b, account: a}, nil
}

// run runs a program on a folder to its end.
func (t tools) run(ctx context.Context, folder, program string, args func(path string) []string) error {
	cmd, release, err := commandOn(folder, t.account, program, args)
	if err != nil {
		return err
	}
	defer release()
	return named(runGroup(ctx, cmd), folder, openFolder)
}

func (t tools) verify(ctx context.Context, backup string) error {
	err := t.run(ctx, backup, t.bin.verifyBackup(), func(path string) []string { return []string{"--exit-on-error", "--quiet", path} })
	if err != nil && ctx.Err() == nil {
		return &sentence{is: ErrBackup, text: fmt.Sprintf("the backup %s is damaged: %v", backup, err)}
	}
	return err
}

// copyTree copies folders and regular files, and flushes them to disk. A base backup of a private server has nothing else.
func copyTree(ctx context.Context, from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		switch {
		case entry.IsDir():
			return os.Mkdir(target, 0o700)
		case entry.Type().IsRegular():
			return copyFile(path, target)
		default:
			return fmt.Errorf("%s is neither a file nor a folder", path)
		}
	})
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Sync(), target.Close())
}
