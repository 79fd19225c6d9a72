package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/urfave/cli/v3"

	"tonql/internal/filelock"
)

// listenFlags are the flags of addresses that 'tonql up' listens on. With devnet, it runs a local chain.
func listenFlags(devnet bool) []string {
	flags := []string{"listen", "admin-listen", "profile-listen"}
	if devnet {
		flags = append(flags, "devnet-listen", "devnet-admin")
	}
	return flags
}

// checkAddresses refuses addresses that this process cannot listen on, before it starts or creates anything. Listeners are open at
// the same time, so that one address in two flags is refused, and are closed again: while a process starts, its clients should be
// refused and not wait.
func checkAddresses(ctx context.Context, c *cli.Command, flags ...string) error {
	var open []net.Listener
	defer func() {
		for _, l := range open {
			_ = l.Close() // nothing was accepted
		}
	}()
	for _, name := range flags {
		address := c.String(name)
		if address == "" || address == noAdmin {
			continue
		}
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
		if err != nil {
			return fmt.Errorf("--%s %s: %w%s", name, address, err, inUse(c, err))
		}
		open = append(open, listener)
	}
	return nil
}

// inUse says what to do about an address that cannot be listened on because it is in use.
func inUse(c *cli.Command, err error) string {
	if !errors.Is(err, syscall.EADDRINUSE) {
		return ""
	}
	return cmp.Or(beside(c), "; stop the program that listens there, or choose another address")
}

// beside names the process that runs the database or the local chain of the data folder, which may be the one that listens.
func beside(c *cli.Command) string {
	for _, lock := range []string{filepath.Join("postgres", "lock"), filepath.Join("devnet", "lock")} {
		note, locked, _ := filelock.Held(filepath.Join(c.String("data"), lock)) // without a lock nothing runs
		if owner, _, _ := strings.Cut(note, "\n"); locked && owner != "" {
			return "; data folder " + c.String("data") + " is in use by another tonql (process " + owner + ")"
		}
	}
	return ""
}
