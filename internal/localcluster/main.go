package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	runtime.LockOSThread() // processes that it starts end with the thread
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "localcluster:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has run
	}
}

// stopTimeout bounds the orderly end of all processes.
const stopTimeout = time.Minute

func run(ctx context.Context, args []string, commands io.Reader, out io.Writer) (err error) {
	var opts options
	flags := flag.NewFlagSet("localcluster", flag.ContinueOnError)
	flags.StringVar(&opts.dir, "data", "tonql-cluster", "folder of the chain, the servers and the logs; must not exist")
	flags.StringVar(&opts.tonql, "tonql", "", "path of the tonql binary")
	flags.IntVar(&opts.gateways, "gateways", 2, "number of gateways")
	flags.StringVar(&opts.interval, "block-interval", "200ms", "time between two masterchain blocks")
	flags.StringVar(&opts.traffic, "traffic", "300", "actions of the local chain a minute")
	flags.BoolVar(&opts.durable, "durable", true, "write commits to disk; false is for tests")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if opts.dir, err = filepath.Abs(opts.dir); err != nil {
		return err
	}
	if _, err := os.Stat(opts.dir); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("folder %s exists: remove it, or name another one with -data", opts.dir)
	}
	if opts.tonql == "" || opts.gateways < 1 {
		return errors.New("-tonql is required, and at least one gateway")
	}
	c := &cluster{options: opts}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		err = errors.Join(err, c.stop(ctx))
	}()
	if err := c.start(ctx); err != nil {
		return err
	}
	if _, err := io.WriteString(out, c.summary()); err != nil {
		return err
	}
	return c.obey(ctx, commands, out)
}

// obey executes commands until they or ctx end.
func (c *cluster) obey(ctx context.Context, commands io.Reader, out io.Writer) error {
	received := make(chan string)
	go func() { // ends with standard input, at the latest with the process
		defer close(received)
		for scanner := bufio.NewScanner(commands); scanner.Scan(); {
			select {
			case received <- strings.Join(strings.Fields(scanner.Text()), " "):
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case command, open := <-received:
			if !open {
				return nil
			}
			reply := "done: " + command
			if err := c.execute(ctx, command); err != nil {
				reply = "failed: " + command + ": " + strings.ReplaceAll(err.Error(), "\n", "; ")
			}
			if _, err := fmt.Fprintln(out, reply); err != nil {
				return err
			}
		}
	}
}
