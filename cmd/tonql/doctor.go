package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/doctor"
	"tonql/internal/embeddedpg"
	"tonql/internal/node"
	"tonql/internal/payment"
	"tonql/internal/store"
)

const doctorName = "doctor"

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  doctorName,
		Usage: "check the configuration, the liteservers, the database and the machine",
		Description: `Checks what 'tonql up', 'index' and 'serve' need, with the same flags and configuration file, and prints a line for each
result: ok, warn or fail, and what to do. It changes nothing, and works while tonql runs. Each check is limited in time. Exits
with status 1 when a check fails.

   tonql doctor --config tonql.yaml
   tonql doctor --json`,
		Flags: join(config.Arguments(
			boolean("json", "print one JSON object"),
			duration("check-timeout", 20*time.Second, "maximum time of one check").Within(time.Millisecond, time.Hour),
		), fileSettings()),
		Action: examine,
	}
}

func examine(ctx context.Context, c *cli.Command) error {
	results := []doctor.Result{{Name: "configuration", Status: doctor.OK, Detail: "all values are accepted"}}
	limit := c.Duration("check-timeout")
	if err := checkValues(c); err != nil { // the other checks depend on the values
		results = []doctor.Result{{Name: "configuration", Status: doctor.Fail, Detail: err.Error(), Advice: "see docs/configuration.md, or tonql config print"}}
	} else {
		e := &examination{c: c}
		results = append(results, doctor.Run(ctx, limit, e.checks(ctx, limit)...)...)
	}
	var err error
	if c.Bool("json") {
		err = doctor.WriteJSON(c.Root().Writer, version, results)
	} else {
		err = doctor.Write(c.Root().Writer, results)
	}
	if err == nil && doctor.Worst(results) == doctor.Fail {
		err = errors.New("a check failed")
	}
	return err
}

// examination shares between checks what takes long to find out.
type examination struct {
	c        *cli.Command
	surveyed func() ([]node.Survey, error)
}

func (e *examination) checks(ctx context.Context, limit time.Duration) []doctor.Check {
	// Each of these has the limit of one check, whichever check uses them first.
	e.surveyed = sync.OnceValues(func() ([]node.Survey, error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		return e.survey(ctx)
	})
	diagnosis := sync.OnceValues(func() (*store.Diagnosis, error) {
		url := e.url()
		if url == "" {
			return nil, nil
		}
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		return store.Diagnose(ctx, url)
	})
	one := func(r doctor.Result) []doctor.Result { return []doctor.Result{r} }
	return []doctor.Check{
		{Name: "data folder", Run: func(context.Context) []doctor.Result {
			return doctor.Folder(e.c.String("data"), e.c.String("database-url") == "")
		}},
		{Name: "limits of the system", Run: func(context.Context) []doctor.Result { return one(doctor.Descriptors()) }},
		{Name: "listen", Run: func(ctx context.Context) []doctor.Result {
			admin := e.c.String("admin-listen")
			results := one(listening(ctx, "listen", e.c.String("listen"), cmp.Or(admin, e.c.String("listen"))))
			if admin != "" {
				results = append(results, listening(ctx, "admin-listen", admin, admin))
			}
			return results
		}},
		{Name: "proxies", Run: func(context.Context) []doctor.Result { return e.exposed() }},
		{Name: "postgresql", Run: func(ctx context.Context) []doctor.Result { return e.database(ctx, diagnosis) }},
		{Name: "webhook key", Run: func(context.Context) []doctor.Result { return one(e.webhookKey(diagnosis)) }},
		{Name: "liteservers", Run: func(context.Context) []doctor.Result { return e.liteservers() }},
		{Name: "clock", Run: func(context.Context) []doctor.Result {
			list, _ := e.surveyed() // its error is a result of the liteservers
			return one(doctor.Clock(list, time.Now()))
		}},
		{Name: "trust", Run: func(ctx context.Context) []doctor.Result { return one(e.trust(ctx)) }},
	}
}

// url returns the URL of the database: --database-url, or that of the private PostgreSQL that another tonql runs. It is
// empty when none runs.
func (e *examination) url() string {
	if url := e.c.String("database-url"); url != "" {
		return url
	}
	options := embeddedpg.Options{Dir: filepath.Join(e.c.String("data"), "postgres")}
	if _, err := os.Stat(options.Dir); err != nil {
		return "" // the next line would create it
	}
	url, _ := embeddedpg.RunningDSN(options)
	return url
}

// globalConfig returns the global config to use; ok is false for a local chain that does not run.
func (e *examination) globalConfig(ctx context.Context) (globalConfig string, ok bool, err error) {
	globalConfig, err = networkBeside(ctx, e.c)
	return globalConfig, globalConfig != "" || e.c.String("network") != "devnet", err
}

func (e *examination) survey(ctx context.Context) ([]node.Survey, error) {
	globalConfig, ok, err := e.globalConfig(ctx)
	if err != nil || !ok {
		return nil, err
	}
	return node.SurveyServers(ctx, node.Options{
		GlobalConfig: globalConfig, Network: e.c.String("network"), Proofs: node.Fast, Timeout: e.c.Duration("node-timeout"),
	})
}

func (e *examination) liteservers() []doctor.Result {
	list, err := e.surveyed()
	switch {
	case err != nil:
		return []doctor.Result{{
			Name: "liteservers", Status: doctor.Fail, Detail: err.Error(),
			Advice: "check --global-config, or the access of this machine to the internet",
		}}
	case list == nil:
		return []doctor.Result{{Name: "liteservers", Status: doctor.OK, Detail: "the local chain does not run; 'tonql up' starts it"}}
	}
	first := uint32(0)
	if n, err := strconv.ParseUint(e.c.String("from"), 10, 32); err == nil { // otherwise it counts from the head
		first = uint32(n)
	}
	return doctor.Liteservers(list, time.Now(), first, e.c.String("network") == "devnet")
}

// trust proves the head, as the indexer does, with a copy of the proven blocks.
func (e *examination) trust(ctx context.Context) doctor.Result {
	const name = "trust"
	globalConfig, ok, err := e.globalConfig(ctx)
	switch {
	case err != nil:
		return doctor.Result{Name: name, Status: doctor.Fail, Detail: err.Error(), Advice: "check --global-config"}
	case !ok:
		return doctor.Result{Name: name, Status: doctor.OK, Detail: "the local chain does not run"}
	case e.c.String("proofs") == "fast":
		return doctor.Result{Name: name, Status: doctor.Warn, Detail: "--proofs fast: signatures are not checked, so liteservers can invent blocks", Advice: "use --proofs secure"}
	}
	client, err := e.openCopy(ctx, globalConfig)
	if err != nil {
		return doctor.Result{Name: name, Status: doctor.Fail, Detail: err.Error(), Advice: "check --trust and --global-config"}
	}
	defer client.Close()
	head, err := client.Wait(ctx, 1)
	if err != nil {
		if _, why := client.Head(ctx); why != nil { // what each liteserver lacks, rather than that the time is over
			err = why
		}
		return doctor.Result{
			Name: name, Status: doctor.Fail, Detail: "no head could be proven: " + err.Error(),
			Advice: "see the liteservers above; if they cannot prove their head, --trust or the init block of --global-config may be of another network; " +
				"with an old init block, proving takes longer: raise --check-timeout, or give a newer --trust",
		}
	}
	return doctor.Result{Name: name, Status: doctor.OK, Detail: fmt.Sprintf("block %d is proven by the signatures of validators from %s on", head.Seqno, e.c.String("trust"))}
}

// openCopy opens the network with a temporary copy of the proven blocks, because another tonql may write them.
func (e *examination) openCopy(ctx context.Context, globalConfig string) (*node.Client, error) {
	network := e.c.String("network")
	anchor, err := node.ParseAnchor(e.c.String("trust"))
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "tonql-doctor-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // the client has read the copy
	copied := filepath.Join(folder, "trust.json")
	stored, err := os.ReadFile(trustFile(e.c))
	if err == nil {
		err = os.WriteFile(copied, stored, 0o600)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return node.Open(ctx, node.Options{
		GlobalConfig: globalConfig, Network: network, Anchor: anchor, TrustFile: copied, Timeout: e.c.Duration("node-timeout"),
		Logger: slog.New(slog.DiscardHandler),
	})
}

func (e *examination) database(ctx context.Context, diagnosis func() (*store.Diagnosis, error)) []doctor.Result {
	d, err := diagnosis()
	switch {
	case err != nil:
		return []doctor.Result{{
			Name: "postgresql", Status: doctor.Fail, Detail: err.Error(),
			Advice: "check --database-url, that the server runs, and that pg_hba.conf lets this machine in",
		}}
	case d == nil:
		return []doctor.Result{{Name: "postgresql", Status: doctor.OK, Detail: "the private server does not run; 'tonql up' starts it"}}
	}
	connections := e.c.Int("database-connections")
	results := append(doctor.Postgres(d, connections), doctor.DatabaseClock(time.Until(d.Clock.Add(d.RoundTrip/2))), e.schema(ctx))
	results = append(append(results, doctor.Moves(d.Moves)...), doctor.Cold(d.Cold)...)
	results = append(results, doctor.KeyPools(d.Pools, e.c.String("network"), privateNames(e.c))...)
	for _, replica := range readURLs(e.c.String("read-database-url")) {
		r, err := store.Diagnose(ctx, replica)
		if err != nil {
			results = append(results, doctor.Result{Name: "replica", Status: doctor.Fail, Detail: err.Error(), Advice: "check --read-database-url"})
			continue
		}
		results = append(results, doctor.Replica(r, d, connections)...)
	}
	return results
}

// schema compares the schema of the database with that of this binary.
func (e *examination) schema(ctx context.Context) doctor.Result {
	err := store.CheckSchema(ctx, e.url())
	if err != nil {
		return doctor.Result{Name: "schema", Status: doctor.Warn, Detail: err.Error(), Advice: "'tonql up', 'index' and 'migrate' bring an older schema up to date"}
	}
	return doctor.Result{Name: "schema", Status: doctor.OK, Detail: "the one of this binary"}
}

func (e *examination) webhookKey(diagnosis func() (*store.Diagnosis, error)) doctor.Result {
	path, endpoints := filepath.Join(e.c.String("data"), vaultFile), 0
	if d, err := diagnosis(); err == nil && d != nil {
		endpoints = d.Endpoints
	}
	key, err := os.ReadFile(path)
	if err == nil {
		_, err = payment.OpenVault(string(key))
	}
	return doctor.WebhookKey(path, e.c.String("webhook-key") == "", err, endpoints)
}

func (e *examination) exposed() []doctor.Result {
	rate, rateErr := rateWithoutKey(e.c)
	proxies, err := access.ParseProxies(e.c.StringSlice("trusted-proxy"))
	if err := errors.Join(rateErr, err); err != nil {
		return []doctor.Result{{Name: "proxies", Status: doctor.Fail, Detail: err.Error(), Advice: "correct the setting"}}
	}
	return doctor.Exposed(doctor.Exposure{Listen: e.c.String("listen"), Network: e.c.String("network"), Proxies: proxies, Limited: rate > 0})
}

// listening checks whether the address is free, or whether a tonql listens there already, whose health is at another address
// with --admin-listen.
func listening(ctx context.Context, name, address, health string) doctor.Result {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err == nil {
		_ = listener.Close() // nothing was accepted
		return doctor.Result{Name: name, Status: doctor.OK, Detail: address + " is free"}
	}
	host, port, _ := net.SplitHostPort(health) // the configuration was checked
	if ip, parseErr := netip.ParseAddr(host); host == "" || parseErr == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	request, requestErr := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", http.NoBody)
	if requestErr == nil {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		if response, getErr := client.Do(request); getErr == nil {
			_ = response.Body.Close() // only the status counts
			switch response.StatusCode {
			case http.StatusOK:
				return doctor.Result{Name: name, Status: doctor.OK, Detail: "a service runs on " + address + " and is ready"}
			case http.StatusServiceUnavailable:
				return doctor.Result{Name: name, Status: doctor.Warn, Detail: "a service runs on " + address + " and is not ready", Advice: "its /readyz lists the reasons"}
			}
		}
	}
	return doctor.Result{Name: name, Status: doctor.Fail, Detail: err.Error(), Advice: "choose another --" + name + ", or stop the other program: " + chain.Quote(address)}
}
