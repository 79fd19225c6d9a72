package indexer

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"tonql/indexer/detect"
	"tonql/indexer/replay"
	"tonql/internal/boundedvm"
	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/moves"
)

// metrics is the Prometheus collector of the indexer.
type metrics struct {
	head         prometheus.Gauge
	indexed      prometheus.Gauge
	lagBlocks    prometheus.Gauge
	lagSeconds   prometheus.Gauge
	missing      prometheus.Gauge
	blocks       prometheus.Counter
	transactions prometheus.Counter
	replayed     *prometheus.CounterVec
	unverified   *prometheus.CounterVec
	oldRules     *prometheus.CounterVec
	fetched      prometheus.Counter
	retries      prometheus.Counter
	apply        prometheus.Histogram
	replaying    prometheus.Histogram
	detections   *prometheus.CounterVec
	gas          prometheus.Counter
	detecting    prometheus.Histogram
	moved        *prometheus.CounterVec
	moving       *prometheus.GaugeVec
	unmoved      *prometheus.GaugeVec

	droppedBlocks, droppedTransactions, removedCells, failedBatches prometheus.Counter
}

func newMetrics() *metrics {
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "tonql", Subsystem: "indexer", Name: name, Help: help})
	}
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "tonql", Subsystem: "indexer", Name: name, Help: help})
	}
	seconds := func(name, help string) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "tonql", Subsystem: "indexer", Name: name, Help: help,
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 14),
		})
	}
	m := &metrics{
		head:         gauge("head_seqno", "Seqno of the newest masterchain block of the network."),
		indexed:      gauge("indexed_seqno", "Seqno of the newest masterchain block in the index."),
		lagBlocks:    gauge("lag_blocks", "Number of masterchain blocks between the head and the index."),
		lagSeconds:   gauge("lag_seconds", "Age of the newest indexed block in seconds."),
		missing:      gauge("missing_blocks", "Number of masterchain blocks to index below the newest one that are missing."),
		blocks:       counter("blocks_total", "Number of masterchain blocks written."),
		transactions: counter("transactions_total", "Number of transactions written."),
		replayed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "tonql", Subsystem: "indexer", Name: "replay_total",
			Help: "Number of transactions by the result of their re-execution: replayed, mismatch, unverified (over budget), old_rules (made by rules that are not executed), proven (not executed).",
		}, []string{"result"}),
		unverified: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "tonql", Subsystem: "indexer", Name: "replay_unverified_total",
			Help: "Number of transactions whose re-execution exceeded its budget, by resource: time, memory, cells.",
		}, []string{"reason"}),
		oldRules: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "tonql", Subsystem: "indexer", Name: "replay_old_rules_total",
			Help: "Number of transactions made by rules of old global versions that are not executed, by the rule.",
		}, []string{"rule"}),
		droppedBlocks:       counter("dropped_blocks_total", "Number of masterchain blocks that were dropped because they are older than what is retained."),
		droppedTransactions: counter("dropped_transactions_total", "Number of transactions that were dropped with their blocks."),
		removedCells:        counter("removed_cells_total", "Number of rows of cells that were removed because no state refers to them any more."),

		failedBatches: counter("failed_batches_total", "Number of batches of old masterchain blocks that could not be written and are retried later."),

		fetched:   counter("account_fetches_total", "Number of account states fetched from the network."),
		retries:   counter("node_retries_total", "Number of failed requests to the network that were repeated."),
		apply:     seconds("apply_seconds", "Duration of writing a group of masterchain blocks in seconds."),
		replaying: seconds("replay_seconds", "Duration of re-executing a masterchain block in seconds."),
		detections: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "tonql", Subsystem: "indexer", Name: "detect_total",
			Help: "Number of accounts examined by detection, by result: detected, undetected (over budget, or a referenced account is not available), failed (internal error).",
		}, []string{"result"}),
		gas:       counter("detect_gas_total", "Number of units of gas that get-methods of detection used."),
		detecting: seconds("detect_seconds", "Duration of detecting the contracts of a masterchain block in seconds."),
		moved: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "tonql", Subsystem: "move", Name: "rows_total",
			Help: "Number of rows of earlier versions that were brought into the form of this version, by move.",
		}, []string{"move"}),
		moving: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: "tonql", Subsystem: "move", Name: "examined_ratio",
			Help: "Share of the rows that a move has examined, estimated; 1 at its end.",
		}, []string{"move"}),
		unmoved: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: "tonql", Subsystem: "move", Name: "remaining_rows",
			Help: "Number of transactions that stay in the form of an earlier version, by reason: without_raw (no raw transaction), differing (damaged, or raw transaction and columns contradict each other), without_rest (tonql index complete adds it).",
		}, []string{"reason"}),
	}
	// Series begin with 0, so that the first event of a kind is an increase.
	m.replay(replay.Stats{})
	for _, resource := range boundedvm.Resources() {
		m.unverified.WithLabelValues(resource)
	}
	return m
}

func (m *metrics) all() []prometheus.Collector {
	return []prometheus.Collector{
		m.head, m.indexed, m.lagBlocks, m.lagSeconds, m.missing, m.blocks, m.transactions,
		m.replayed, m.unverified, m.oldRules, m.fetched, m.retries, m.apply, m.replaying, m.detections, m.gas, m.detecting,
		m.moved, m.moving, m.unmoved, m.droppedBlocks, m.droppedTransactions, m.removedCells, m.failedBatches,
	}
}

// Describe implements [prometheus.Collector].
func (m *metrics) Describe(ch chan<- *prometheus.Desc) {
	for _, c := range m.all() {
		c.Describe(ch)
	}
}

// Collect implements [prometheus.Collector].
func (m *metrics) Collect(ch chan<- prometheus.Metric) {
	for _, c := range m.all() {
		c.Collect(ch)
	}
}

// statuses sets the gauges of moves. They stay as they are when the database cannot be read.
func (m *metrics) statuses(ctx context.Context, w *store.Writer) {
	list, err := w.MoveStatuses(ctx)
	if err != nil {
		return
	}
	for i := range list {
		s := &list[i]
		m.moved.WithLabelValues(s.Name)
		m.moving.WithLabelValues(s.Name).Set(s.Share)
		if s.Name == moves.OfTransactions {
			m.unmoved.WithLabelValues("without_raw").Set(float64(s.Rest.WithoutRaw))
			m.unmoved.WithLabelValues("differing").Set(float64(s.Rest.Differing))
			m.unmoved.WithLabelValues("without_rest").Set(float64(s.Rest.WithoutRest))
		}
	}
}

func (m *metrics) replay(s replay.Stats) {
	m.replayed.WithLabelValues(chain.Replayed.String()).Add(float64(s.Replayed))
	m.replayed.WithLabelValues(chain.Mismatch.String()).Add(float64(s.Mismatched))
	unverified := 0
	for reason, n := range s.Unverified {
		unverified += n
		m.unverified.WithLabelValues(reason).Add(float64(n))
	}
	m.replayed.WithLabelValues(chain.Unverified.String()).Add(float64(unverified))
	old := 0
	for rule, n := range s.OldRules {
		old += n
		m.oldRules.WithLabelValues(rule).Add(float64(n))
	}
	m.replayed.WithLabelValues(chain.OldRules.String()).Add(float64(old))
	proven := 0
	for _, n := range s.Proven {
		proven += n
	}
	m.replayed.WithLabelValues(chain.Proven.String()).Add(float64(proven))
	m.fetched.Add(float64(s.Fetched))
}

// reverified counts the transactions that Reverify executed.
func (m *metrics) reverified(changed map[chain.TransactionKey]chain.Verification) {
	for _, v := range changed {
		m.replayed.WithLabelValues(v.String()).Inc()
	}
}

func (m *metrics) detected(s detect.Stats) {
	m.detections.WithLabelValues("detected").Add(float64(s.Accounts - s.Undetected))
	m.detections.WithLabelValues("undetected").Add(float64(s.Undetected))
	m.detections.WithLabelValues("failed").Add(float64(s.Failed))
	m.gas.Add(float64(s.Gas))
	m.fetched.Add(float64(s.Fetched))
}

func (m *metrics) wrote(blocks []*chain.MasterBlock) {
	m.blocks.Add(float64(len(blocks)))
	for _, b := range blocks {
		m.transactions.Add(float64(len(b.Transactions)))
	}
}

func (m *metrics) show(s Status) {
	m.head.Set(float64(s.Head))
	m.indexed.Set(float64(s.Indexed))
	m.lagBlocks.Set(float64(s.LagBlocks))
	m.lagSeconds.Set(s.LagSeconds)
	m.missing.Set(float64(s.Remaining))
}
