package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"syscall"
	"time"
)

// process is a running tonql, whose log is in a file. A nil process does not run. Safe for concurrent use.
type process struct {
	name  string
	cmd   *exec.Cmd
	log   *os.File
	ended chan struct{}
	err   error // after ended

	mu     sync.Mutex
	output bytes.Buffer // beginning of standard output
}

// maxOutput bounds what is retained of standard output: the lines of the start.
const maxOutput = 1 << 16

func (p *process) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.output.Write(text[:min(len(text), maxOutput-p.output.Len())])
	return len(text), nil
}

// run starts tonql. The processes of a name share a log.
func (c *cluster) run(ctx context.Context, name string, args ...string) (*process, error) {
	if err := os.MkdirAll(c.dir, 0o755); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(c.folder(name+".log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	p := &process{name: name, log: log, ended: make(chan struct{})}
	p.cmd = exec.CommandContext(context.WithoutCancel(ctx), c.tonql, args...)
	p.cmd.Stdout, p.cmd.Stderr = p, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{
		Setpgid:   true,            // Ctrl-C ends them in the order of stop
		Pdeathsig: syscall.SIGKILL, // they end with this program; main has locked its thread
	}
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), log.Close())
	}
	go func() {
		p.err = p.cmd.Wait()
		_ = log.Close() // all of it is written
		close(p.ended)
	}()
	return p, nil
}

func (p *process) runs() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// startTimeout bounds the start of one process.
const startTimeout = 2 * time.Minute

// printed waits until standard output matches and returns the first group.
func (p *process) printed(ctx context.Context, pattern string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	re := regexp.MustCompile(pattern)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		p.mu.Lock()
		found := re.FindSubmatch(p.output.Bytes())
		p.mu.Unlock()
		if found != nil {
			return string(found[1]), nil
		}
		select {
		case <-p.ended:
			return "", p.failed(p.err)
		case <-ctx.Done():
			return "", p.failed(ctx.Err())
		case <-tick.C:
		}
	}
}

// wait waits for a command that ends by itself.
func (p *process) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	select {
	case <-p.ended:
		return p.failed(p.err)
	case <-ctx.Done():
		return p.failed(ctx.Err())
	}
}

func (p *process) failed(err error) error {
	if err != nil {
		return fmt.Errorf("%s, see %s: %w", p.name, p.log.Name(), err)
	}
	return nil
}

// kill ends a running process at once, as a loss of the machine would.
func (p *process) kill() error {
	err := p.cmd.Process.Kill()
	<-p.ended
	return err
}

// interrupt ends the process in an orderly way.
func (p *process) interrupt(ctx context.Context) error {
	if !p.runs() {
		return nil
	}
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return p.failed(err)
	}
	select {
	case <-p.ended:
		return p.failed(p.err)
	case <-ctx.Done():
		return errors.Join(p.failed(ctx.Err()), p.cmd.Process.Kill())
	}
}
