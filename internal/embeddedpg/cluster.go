package embeddedpg

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// clusterDir is where the database files are.
func clusterDir(dir string) string { return filepath.Join(dir, "cluster") }

// clusterMajor reads which major version made the cluster; 0 means there is none
// yet. A folder with files that are no cluster is refused: it is never overwritten.
func clusterMajor(cluster string) (int, error) {
	entries, err := os.ReadDir(cluster)
	if errors.Is(err, fs.ErrNotExist) || (err == nil && len(entries) == 0) {
		return 0, nil
	}
	if errors.Is(err, fs.ErrPermission) {
		return 0, foreign(cluster)
	}
	if err != nil {
		return 0, fmt.Errorf("database folder: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(cluster, "PG_VERSION"))
	major, parseErr := strconv.Atoi(strings.TrimSpace(string(text)))
	_, controlErr := os.Stat(filepath.Join(cluster, "global", "pg_control"))
	if err := errors.Join(err, parseErr, controlErr); err != nil {
		return 0, damaged(cluster, "PG_VERSION or global/pg_control is missing or unreadable")
	}
	return major, nil
}

func damaged(cluster, why string) error {
	return &sentence{is: ErrCluster, text: fmt.Sprintf(
		"database folder %s is damaged (%s): restore it from a backup, or move it away to start with an empty index", cluster, why)}
}

// makeCluster creates a new cluster beside its final place and moves it there once
// it is complete, so that an interrupted start leaves no incomplete cluster.
func makeCluster(ctx context.Context, b binaries, opts Options, a account) error {
	dir := opts.Dir
	unfinished := clusterDir(dir) + ".new"
	if err := os.RemoveAll(unfinished); err != nil {
		return fmt.Errorf("new database: %w", err)
	}
	if err := errors.Join(os.Mkdir(unfinished, 0o700), a.take(unfinished)); err != nil {
		return fmt.Errorf("new database: %w", err)
	}
	program, args := b.creation(opts)
	cmd, release, err := command(unfinished, a, program, args...)
	if err != nil {
		return err
	}
	defer release()
	if err := named(runGroup(ctx, cmd), clusterDir(dir), openFolder, unfinished); err != nil {
		_ = os.RemoveAll(unfinished)
		switch {
		case noSpace(err.Error()):
			return diskFull(dir)
		case ctx.Err() != nil:
			return fmt.Errorf("new database by %s: %w", program, err)
		default:
			return &endedError{fmt.Errorf("new database by %s: %w", program, err)}
		}
	}
	// An empty folder of that name may exist; one with files in it stays.
	_ = os.Remove(clusterDir(dir))
	if err := os.Rename(unfinished, clusterDir(dir)); err != nil {
		return fmt.Errorf("new database: %w", err)
	}
	return syncDir(dir)
}

// creation returns the program that makes a cluster and its arguments.
func (b binaries) creation(opts Options) (program string, args []string) {
	if opts.Primary != "" {
		program, args = b.baseBackup(), []string{
			"--dbname=" + opts.Primary, "--wal-method=stream", "--checkpoint=fast", "--write-recovery-conf",
		}
	} else {
		program, args = b.initdb(), []string{
			"--username=" + superuser, "--encoding=UTF8", "--locale=C",
			"--auth-local=trust", "--auth-host=reject", "--no-instructions",
		}
	}
	switch {
	case opts.Fast:
		args = append(args, "--no-sync")
	case opts.Primary == "":
		args = append(args, "--data-checksums") // damage of the disk is an error instead of a wrong row
	}
	return program, args
}

// syncDir makes a rename in dir survive a power failure.
func syncDir(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	return nil
}

// adopt makes an existing cluster usable for the account. A copy may have the wrong owner
// or be accessible to others; the server refuses both.
func adopt(cluster string, a account) error {
	if err := a.takeAll(cluster); err != nil {
		return fmt.Errorf("database folder: %w", err)
	}
	if err := os.Chmod(cluster, 0o700); err != nil {
		return foreign(cluster)
	}
	return nil
}

func foreign(cluster string) error {
	return &sentence{is: ErrCluster, text: fmt.Sprintf(
		"database folder %s belongs to another user: run tonql as that user or choose another folder with --data", cluster)}
}

// command prepares a program of PostgreSQL that works on the cluster as the
// account. release is called once the program has been started.
func command(cluster string, a account, program string, args ...string) (cmd *exec.Cmd, release func(), err error) {
	return commandOn(cluster, a, program, func(path string) []string { return append([]string{"-D", path}, args...) })
}

// openFolder is the path of an open folder that a program receives as its descriptor 3.
const openFolder = "/proc/self/fd/3"

// named returns err with the path of a folder in place of others by which programs know it: errors name what the user can look at.
func named(err error, folder string, others ...string) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	for _, other := range others {
		text = strings.ReplaceAll(text, other, folder)
	}
	if text == err.Error() {
		return err
	}
	return &sentence{is: err, text: text}
}

// commandOn is command for programs that take the folder in another argument than -D.
func commandOn(cluster string, a account, program string, args func(path string) []string) (cmd *exec.Cmd, release func(), err error) {
	cmd = exec.Command(program) //nolint:noctx // the server outlives the context of its start; runGroup minds the rest
	cmd.Dir = "/"               // the account may be unable to enter tonql's own folder
	cmd.Env = environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: a.credential()}
	release = func() {}
	path := cluster
	switch {
	case !a.drop: // same account, plain path
	case canPassDescriptor():
		folder, err := os.Open(cluster)
		if err != nil {
			return nil, nil, fmt.Errorf("database folder: %w", err)
		}
		cmd.ExtraFiles = []*os.File{folder} // descriptor 3 of the child
		path = openFolder
		release = func() { _ = folder.Close() }
	case !a.mayPass(cluster):
		return nil, nil, fmt.Errorf("PostgreSQL does not run as root, and user %d may not pass to %s: choose a folder open to it with --data or run tonql as another user", a.uid, cluster)
	}
	cmd.Args = append([]string{program}, args(path)...)
	return cmd, release, nil
}

// canPassDescriptor reports whether open folders have paths of the form /proc/self/fd/N.
func canPassDescriptor() bool {
	info, err := os.Stat("/proc/self/fd")
	return err == nil && info.IsDir()
}

// runGroup runs a program to its end. When ctx ends first, the program and all it
// started are killed, and the program is when this process is: pg_basebackup would
// continue for hours to write into a folder that the next backup uses.
func runGroup(ctx context.Context, cmd *exec.Cmd) error {
	// The kernel takes the end of this thread for the end of the parent.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	killWithParent(cmd.SysProcAttr)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.WaitDelay = 5 * time.Second
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	group := -cmd.Process.Pid
	stop := context.AfterFunc(ctx, func() { _ = syscall.Kill(group, syscall.SIGKILL) })
	err := cmd.Wait()
	if !stop() {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, lastLines(output.String()))
	}
	return nil
}

// lastLines returns what a failing program wrote at the end. Warnings are left out behind an error: a program that cannot remove what it has written warns of each file.
func lastLines(text string) string {
	var lines []string
	failed := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		failed = failed || strings.Contains(line, ": error: ")
		if line != "" && (!failed || !strings.Contains(line, ": warning: ")) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-maxLines):], "; ")
}

// environment is what PostgreSQL's programs get: nothing that would point them to
// another server, change the language of their messages, or let them report to systemd
// in place of tonql.
func environment() []string {
	env := []string{"LC_ALL=C"}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "PG") && !strings.HasPrefix(name, "LC_") && name != "LANG" && name != "LANGUAGE" && name != "NOTIFY_SOCKET" {
			env = append(env, entry)
		}
	}
	return env
}
