package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/urfave/cli/v3"

	"tonql/internal/logs"
	"tonql/internal/store"
	"tonql/internal/store/observe"
	"tonql/rest"
	"tonql/rest/handler"
)

// newRegistry returns a registry with the metrics of the Go runtime and of the process: goroutines, memory and open file
// descriptors; and with the version of the binary.
func newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	commit, date := build()
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "tonql_build_info", Help: "Always 1; the labels are the version of the binary.",
		ConstLabels: prometheus.Labels{"version": version, "commit": commit, "built": date, "goversion": runtime.Version()},
	})
	info.Set(1)
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), info)
	return r
}

// storeMetrics collects metrics of the pools and statements of the database.
type storeMetrics struct {
	database   atomic.Pointer[store.DB] // nil before it is open
	statements [observe.Write + 1]prometheus.Observer
	all        *prometheus.HistogramVec
	named      *prometheus.HistogramVec
}

var (
	poolConnections = prometheus.NewDesc("tonql_store_pool_connections", "Number of database connections by pool and state.", []string{"pool", "state"}, nil)
	poolMax         = prometheus.NewDesc("tonql_store_pool_max_connections", "Number of database connections that a pool can have.", []string{"pool"}, nil)
	poolAcquired    = prometheus.NewDesc("tonql_store_pool_acquired_total", "Number of connections taken from a pool.", []string{"pool"}, nil)
	poolWaited      = prometheus.NewDesc("tonql_store_pool_waited_total", "Number of connections taken from a pool after waiting for one.", []string{"pool"}, nil)
	poolWait        = prometheus.NewDesc("tonql_store_pool_wait_seconds_total", "Duration of all waiting for a connection of a pool in seconds.", []string{"pool"}, nil)
)

func newStoreMetrics() *storeMetrics {
	m := &storeMetrics{all: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "tonql_store_statement_seconds",
		Help:    "Duration of round trips to the database until the first result in seconds, by kind: snapshot (statements of the APIs), read, write.",
		Buckets: prometheus.ExponentialBuckets(0.0001, 2, 17),
	}, []string{"kind"}), named: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "tonql_store_query_seconds",
		Help:    "Duration of statements in seconds by name: command, table and column of the first condition. Of several that are sent together, each counts from the result before it.",
		Buckets: prometheus.ExponentialBuckets(0.0002, 4, 9),
	}, []string{"statement"})}
	for kind := range m.statements {
		m.statements[kind] = m.all.WithLabelValues(observe.Kind(kind).String())
	}
	return m
}

// slowSample is the duration of a statement from which on its sample is an exemplar with the request id.
const slowSample = 50 * time.Millisecond

func (m *storeMetrics) observe(ctx context.Context, s observe.Statement) {
	took := s.Took.Seconds()
	if !s.Follows {
		m.statements[s.Kind].Observe(took)
	}
	named := m.named.WithLabelValues(s.Name)
	if e, ok := named.(prometheus.ExemplarObserver); ok && s.Took >= slowSample {
		if id := handler.RequestID(ctx); id != "" {
			e.ObserveWithExemplar(took, prometheus.Labels{"request_id": id})
			return
		}
	}
	named.Observe(took)
}

// Describe implements [prometheus.Collector].
func (m *storeMetrics) Describe(ch chan<- *prometheus.Desc) {
	m.all.Describe(ch)
	m.named.Describe(ch)
	for _, d := range []*prometheus.Desc{poolConnections, poolMax, poolAcquired, poolWaited, poolWait} {
		ch <- d
	}
}

// Collect implements [prometheus.Collector].
func (m *storeMetrics) Collect(ch chan<- prometheus.Metric) {
	m.all.Collect(ch)
	m.named.Collect(ch)
	db := m.database.Load()
	if db == nil {
		return
	}
	read, write := db.Pools()
	for name, p := range map[string]store.PoolStats{"read": read, "write": write} {
		gauge := func(d *prometheus.Desc, v float64, labels ...string) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, append([]string{name}, labels...)...)
		}
		counter := func(d *prometheus.Desc, v float64) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, name)
		}
		gauge(poolConnections, float64(p.Busy), "busy")
		gauge(poolConnections, float64(p.Open-p.Busy), "idle")
		gauge(poolMax, float64(p.Max))
		counter(poolAcquired, float64(p.Acquired))
		counter(poolWaited, float64(p.Waited))
		counter(poolWait, p.Wait.Seconds())
	}
}

// registerLogs adds the metrics of the logger.
func registerLogs(r *prometheus.Registry, log *slog.Logger) {
	h, ok := log.Handler().(*logs.Handler)
	if !ok {
		return
	}
	for _, level := range logs.Levels {
		r.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "tonql_log_lines_total", Help: "Number of log lines written, by level.",
			ConstLabels: prometheus.Labels{"level": strings.ToLower(level.String())},
		}, func() float64 { return float64(h.Written(level)) }))
	}
	r.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "tonql_log_lines_skipped_total", Help: "Number of log lines not written, because too many had the same message.",
	}, func() float64 { return float64(h.Skipped()) }))
}

// serveAdmin serves metrics and health on --admin-listen, if it is given.
func serveAdmin(ctx context.Context, c *cli.Command, lc *lifecycle, opts rest.Options) error {
	address := c.String("admin-listen")
	if address == "" {
		return nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("--admin-listen %s: %w", address, err)
	}
	lc.adminAddress, opts.Metrics = listener.Addr().String(), lc.metrics
	server := &http.Server{
		Handler: rest.Admin(opts), ErrorLog: logs.Standard(lc.log, "net/http"), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
	const scrapers = 32 // connections
	lc.background("admin server", func(ctx context.Context) error {
		stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // nothing that is served here needs to be finished
		defer stop()
		if err := server.Serve(limitClients(listener, scrapers)); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	lc.log.Info("serving metrics and health", "url", "http://"+listener.Addr().String()+"/metrics")
	return nil
}
