package embeddedpg

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"tonql/internal/pacetest"
	"tonql/internal/temptest"
)

// ownerDirEnv names the variable that makes this test binary run [runOwner] on the folder in it.
const ownerDirEnv = "EMBEDDEDPG_TEST_MINDER"

// programEnv names the variable that makes this test binary run a program that writes its process id into the file in it and does not end.
const programEnv = "EMBEDDEDPG_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if dir := os.Getenv(ownerDirEnv); dir != "" {
		if err := runOwner(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	if file := os.Getenv(programEnv); file != "" {
		cmd := exec.Command("sh", "-c", `echo $$ > "$0.new" && mv "$0.new" "$0" && exec sleep 1000`, file)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		fmt.Println(runGroup(context.Background(), cmd))
		return
	}
	goleak.VerifyTestMain(testRunner{m})
}

// testRunner runs the tests with a temporary folder that it removes, because tests that kill processes leave files
// behind.
type testRunner struct{ tests *testing.M }

func (r testRunner) Run() int {
	temptest.InMemory()
	dir, remove, err := temptest.Folder("epg-")
	if err == nil {
		err = errors.Join(os.Chmod(dir, 0o755), os.Setenv("TMPDIR", dir))
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer remove() // what stays is removed by the next run
	return r.tests.Run()
}

// runOwner starts a server, prints its address and stops it on SIGTERM.
func runOwner(dir string) error {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	s, err := Start(ctx, Options{Dir: dir, Fast: true})
	if err != nil {
		return err
	}
	fmt.Println(s.DSN())
	<-ctx.Done()
	return s.Stop(context.Background())
}

// startOwner executes [runOwner] in a separate process and returns that process and the address of the server.
func startOwner(t *testing.T, dir string, prepare func(*exec.Cmd)) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), ownerDirEnv+"="+dir)
	cmd.Stderr = io.Discard
	if prepare != nil {
		prepare(cmd)
	}
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		requireNoServer(t, dir)
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, line)
	require.True(t, strings.HasPrefix(line, "postgres://"), line)
	return cmd, strings.TrimSpace(line)
}

// testContext returns a context that ends before the timeout of the test binary.
func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), pacetest.Slow*2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// start starts a fast server on dir and stops it at the end of the test.
func start(t *testing.T, dir string) *Server {
	t.Helper()
	return startWith(t, Options{Dir: dir, Fast: true})
}

func startWith(t *testing.T, opts Options) *Server {
	t.Helper()
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	s, err := Start(testContext(t), opts)
	require.NoError(t, err)
	t.Cleanup(func() {
		if s.life.Err() == nil { // not stopped by the test
			stop(t, s)
		}
	})
	return s
}

func stop(t *testing.T, s *Server) {
	t.Helper()
	require.NoError(t, s.Stop(testContext(t)))
	requireNoServer(t, s.opts.Dir)
	require.NoDirExists(t, s.socket)
	require.NoFileExists(t, socketNote(s.opts.Dir))
}

func requireNoServer(t *testing.T, dir string) {
	t.Helper()
	for _, cluster := range []string{clusterDir(dir), clusterDir(dir) + ".new"} {
		eventually(t, func() bool { return len(serversOn(cluster)) == 0 }, "processes left on "+cluster)
	}
}

// eventually waits for a condition that depends on another process.
func eventually(t *testing.T, ok func() bool, what string) {
	t.Helper()
	require.Eventually(t, ok, time.Minute, 10*time.Millisecond, what)
}

// requireClosed waits for a channel to be closed.
func requireClosed(t *testing.T, ch <-chan struct{}) {
	t.Helper()
	select {
	case <-ch:
	case <-time.After(30 * time.Second):
		require.Fail(t, "the server does not end")
	}
}

// insertValue inserts a row; [insertedValues] returns those of this and earlier runs.
func insertValue(t *testing.T, dsn, value string) {
	t.Helper()
	db := connect(t, dsn)
	_, err := db.Exec(testContext(t), "create table if not exists memory (id bigserial, word text)")
	require.NoError(t, err)
	_, err = db.Exec(testContext(t), "insert into memory (word) values ($1)", value)
	require.NoError(t, err)
	require.NoError(t, db.Close(testContext(t)))
}

func insertedValues(t *testing.T, dsn string) []string {
	t.Helper()
	db := connect(t, dsn)
	rows, err := db.Query(testContext(t), "select word from memory order by id")
	require.NoError(t, err)
	values, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.NoError(t, db.Close(testContext(t)))
	return values
}

func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	db, err := pgx.Connect(testContext(t), dsn)
	require.NoError(t, err)
	return db
}

// postmaster returns the process id of the server on dir.
func postmaster(t *testing.T, dir string) int {
	t.Helper()
	pid := recordedPostmaster(clusterDir(dir))
	require.Positive(t, pid)
	return pid
}

// needRoot skips a test that only root can set up.
func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("changing accounts needs root")
	}
}

// needLinux skips a test that needs /proc.
func needLinux(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/self/cwd"); err != nil {
		t.Skip("there is no /proc")
	}
}

// privateFolder returns the path of a data folder inside a folder that only the account of the tests may enter.
func privateFolder(t *testing.T) string {
	t.Helper()
	outer := t.TempDir()
	require.NoError(t, os.Chmod(outer, 0o700))
	return filepath.Join(outer, "data", "postgres")
}

// publicFolder makes a folder that every account may enter, unlike t.TempDir, whose parent is private.
func publicFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "public-") //nolint:usetesting // t.TempDir is in a private folder
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755))
	return dir
}

// self returns the account of the tests.
func self() account { return account{uid: uint32(os.Geteuid()), gid: uint32(os.Getegid())} }
