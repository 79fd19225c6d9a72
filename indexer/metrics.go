package indexer

import (
	"github.com/prometheus/client_golang/prometheus"

	"tonql/indexer/detect"
	"tonql/indexer/replay"
	"tonql/internal/chain"
)

// metrics is one collector for everything the indexer measures.
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
	fetched      prometheus.Counter
	retries      prometheus.Counter
	apply        prometheus.Histogram
	replaying    prometheus.Histogram
	looked       *prometheus.CounterVec
	gas          prometheus.Counter
	detecting    prometheus.Histogram
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
	return &metrics{
		head:         gauge("head_seqno", "Newest masterchain block of the network."),
		indexed:      gauge("indexed_seqno", "Newest masterchain block in the index."),
		lagBlocks:    gauge("lag_blocks", "Masterchain blocks between head and index."),
		lagSeconds:   gauge("lag_seconds", "Age of the newest indexed block while behind the head."),
		missing:      gauge("missing_blocks", "Wanted masterchain blocks below the newest that are not indexed yet."),
		blocks:       counter("blocks_total", "Masterchain blocks written."),
		transactions: counter("transactions_total", "Transactions written."),
		replayed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "tonql", Subsystem: "indexer", Name: "replay_total",
			Help: "Transactions by the result of their re-execution: replayed, mismatch, unverified (over budget), proven (not executed).",
		}, []string{"result"}),
		unverified: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "tonql", Subsystem: "indexer", Name: "replay_unverified_total",
			Help: "Number of transactions whose re-execution exceeded its budget, by resource: time, memory, cells.",
		}, []string{"reason"}),
		fetched:   counter("account_fetches_total", "Account states asked from the network."),
		retries:   counter("node_retries_total", "Questions to the network that had to be repeated."),
		apply:     seconds("apply_seconds", "Time to write a group of masterchain blocks."),
		replaying: seconds("replay_seconds", "Time to re-execute a masterchain block."),
		looked: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "tonql", Subsystem: "indexer", Name: "detect_total",
			Help: "Accounts looked into by the result: detected, undetected (over budget, or what they depend on is gone), failed (a family broke).",
		}, []string{"result"}),
		gas:       counter("detect_gas_total", "Gas of all get-methods that detection ran."),
		detecting: seconds("detect_seconds", "Time to look into the accounts of a masterchain block."),
	}
}

func (m *metrics) all() []prometheus.Collector {
	return []prometheus.Collector{
		m.head, m.indexed, m.lagBlocks, m.lagSeconds, m.missing, m.blocks, m.transactions,
		m.replayed, m.unverified, m.fetched, m.retries, m.apply, m.replaying, m.looked, m.gas, m.detecting,
	}
}

// Describe is half of prometheus.Collector.
func (m *metrics) Describe(ch chan<- *prometheus.Desc) {
	for _, c := range m.all() {
		c.Describe(ch)
	}
}

// Collect is the other half.
func (m *metrics) Collect(ch chan<- prometheus.Metric) {
	for _, c := range m.all() {
		c.Collect(ch)
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
	proven := 0
	for _, n := range s.Proven {
		proven += n
	}
	m.replayed.WithLabelValues(chain.Proven.String()).Add(float64(proven))
	m.fetched.Add(float64(s.Fetched))
}

// reverified counts the verdicts that transactions got later.
func (m *metrics) reverified(changed map[chain.TransactionKey]chain.Verification) {
	for _, v := range changed {
		m.replayed.WithLabelValues(v.String()).Inc()
	}
}

func (m *metrics) detected(s detect.Stats) {
	m.looked.WithLabelValues("detected").Add(float64(s.Accounts - s.Undetected))
	m.looked.WithLabelValues("undetected").Add(float64(s.Undetected))
	m.looked.WithLabelValues("failed").Add(float64(s.Failed))
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
