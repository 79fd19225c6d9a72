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
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is one run of the postmaster.
type process struct {
	cmd *exec.Cmd
	// done is closed when the postmaster has ended and err and the log are complete.
	done chan struct{}
	err  error // how it ended; valid after done
	log  serverLog
}

// launch starts the postmaster. Its goroutines end with the process.
func launch(cmd *exec.Cmd, release func(), cluster string, log *slog.Logger) (*process, error) {
	defer release()
	output, input, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("log of PostgreSQL: %w", err)
	}
	cmd.Stdout, cmd.Stderr = input, input
	dieWithParent(cmd.SysProcAttr)

	p := &process{cmd: cmd, done: make(chan struct{}), log: serverLog{log: log, cluster: cluster}}
	started := make(chan error, 1)
	go func() {
		// The kernel takes the end of this thread for the end of the parent.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		p.run(output, input, started)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%s: %w", cmd.Path, err)
	}
	return p, nil
}

// run starts the program, waits for its end and collects its log.
func (p *process) run(output, input *os.File, started chan<- error) {
	defer output.Close()
	err := p.cmd.Start()
	_ = input.Close() // the child has its own copy
	started <- err
	if err != nil {
		return
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.log.read(output)
	}()
	p.err = p.cmd.Wait()
	// A backend that outlives its postmaster keeps the pipe open; do not wait for it.
	_ = output.SetReadDeadline(time.Now().Add(time.Second))
	<-read
	close(p.done)
}

// stop ends the postmaster: with an orderly shutdown until ctx ends, then immediately.
func (p *process) stop(ctx context.Context) {
	_ = p.cmd.Process.Signal(syscall.SIGINT)
	select {
	case <-p.done:
		return
	case <-ctx.Done():
	}
	_ = p.cmd.Process.Signal(syscall.SIGQUIT)
	quit := time.NewTimer(immediateWait)
	defer quit.Stop()
	select {
	case <-p.done:
		return
	case <-quit.C:
	}
	_ = p.cmd.Process.Kill()
	<-p.done // nothing outlives that
}

// ended reports whether the postmaster is gone.
func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// serverLog writes the lines of the server to a logger and stores the last ones for errors.
type serverLog struct {
	log     *slog.Logger
	cluster string // the folder of the server
	mu      sync.Mutex
	last    []string // without LOG: lines
}

const maxLines = 6

// read consumes output until its end.
func (l *serverLog) read(output io.Reader) {
	lines := bufio.NewReaderSize(output, 4096)
	for {
		line, err := lines.ReadString('\n')
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			l.add(line)
		}
		if err != nil {
			return
		}
	}
}

func (l *serverLog) add(line string) {
	line = strings.ReplaceAll(line, openFolder, l.cluster)
	if !strings.HasPrefix(line, "LOG:") { // LOG: lines report normal operation
		l.mu.Lock()
		l.last = append(l.last, line)
		if len(l.last) > maxLines {
			l.last = slices.Delete(l.last, 0, 1)
		}
		l.mu.Unlock()
	}
	level, text := severity(line)
	l.log.Log(context.Background(), level, "PostgreSQL log", "component", "postgresql", "line", text)
}

// tail joins the stored lines.
func (l *serverLog) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.last, "; ")
}

// severity returns the level and the text of a line. Failed statements (ERROR) and failed
// connections (FATAL) have the level debug, because their clients report them.
func severity(line string) (slog.Level, string) {
	name, rest, ok := strings.Cut(line, ":")
	switch {
	case !ok || name != strings.ToUpper(name):
		return slog.LevelDebug, line
	case name == "PANIC" || name == "WARNING":
		return slog.LevelWarn, strings.TrimSpace(rest)
	default:
		return slog.LevelDebug, strings.TrimSpace(rest)
	}
}

// describe returns the error for a server that ended by itself.
func (p *process) describe() error {
	how := "exit status 0"
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		how = exit.Error()
	} else if p.err != nil {
		how = p.err.Error()
	}
	if tail := p.log.tail(); tail != "" {
		return fmt.Errorf("PostgreSQL ended by itself (%s): %s", how, tail)
	}
	return fmt.Errorf("PostgreSQL ended by itself (%s)", how)
}
