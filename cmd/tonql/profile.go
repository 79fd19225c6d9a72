package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/internal/config"
	"tonql/internal/logs"
)

// profileFlags configure the profiles of long-running commands.
func profileFlags() []config.Setting {
	return config.Theme("Diagnostics",
		text("admin-listen", "", "address (host:port) of a second HTTP server for /metrics, /healthz and /readyz, which the main one then does not serve (default: none)").Check(config.Address),
		text("profile-listen", "", "loopback address (host:port) to serve Go runtime profiles on, at /debug/pprof/ (default: none)").Check(config.LoopbackAddress),
	)
}

// startProfiles serves runtime profiles when --profile-listen is given. A profile contains memory of the process, keys
// included, so only loopback addresses are accepted.
func startProfiles(ctx context.Context, c *cli.Command, lc *lifecycle) error {
	address := c.String("profile-listen")
	if address == "" {
		return nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("--profile-listen %s: %w", address, err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: mux, ErrorLog: logs.Standard(lc.log, "net/http"), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 2 * time.Minute}
	lc.background("profiles", func(ctx context.Context) error {
		stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // interrupts a profile that is being written
		defer stop()
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	lc.log.Info("serving profiles", "url", "http://"+listener.Addr().String()+"/debug/pprof/")
	return nil
}
