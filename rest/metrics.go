package rest

import (
	"context"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tonql/resolvers"
	"tonql/rest/handler"
)

// metrics are the request metrics. The route label is a pattern, so the number of series is bounded.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
	cost     *prometheus.HistogramVec
	database *prometheus.HistogramVec
}

func newMetrics(registry *prometheus.Registry, svc *resolvers.Service) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tonql_http_requests_total", Help: "Number of HTTP requests by route, method and status.",
		}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tonql_http_request_seconds", Help: "Duration of HTTP requests in seconds by route, without waiting for a masterchain block that the client requires.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tonql_http_response_bytes_total", Help: "Number of response bytes by route, after compression.",
		}, []string{"route"}),
		cost: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "tonql_http_request_cost",
			Help:    "Cost of HTTP requests by route in tokens of the rate limit, also of requests without a limit.",
			Buckets: []float64{1, 2, 5, 10, 20, 50, 100},
		}, []string{"route"}),
		database: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "tonql_http_request_database_seconds",
			Help:    "Duration of the round trips to the database of HTTP requests in seconds by route; concurrent ones are added up.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route"}),
	}
	registry.MustRegister(m.requests, m.duration, m.bytes, m.cost, m.database)
	if svc != nil {
		registry.MustRegister(&served{svc: svc})
	}
	return m
}

// slow is the duration from which on a request is an exemplar of its bucket: its id leads to its log line. Fast requests are
// none, because an exemplar takes longer to store than the sample itself.
const slow = 50 * time.Millisecond

// dear is the cost from which on a request is an exemplar, in tokens.
const dear = 10

func (m *metrics) observe(f *handler.Finished) {
	route := f.Route
	if route == "" {
		route = "/*"
	}
	m.requests.WithLabelValues(route, methodLabel(f.Method), strconv.Itoa(f.Status)).Inc()
	observe(m.duration.WithLabelValues(route), f.Took.Seconds(), f.Took >= slow, f)
	m.bytes.WithLabelValues(route).Add(float64(f.Bytes))
	if f.Cost > 0 {
		observe(m.cost.WithLabelValues(route), f.Cost, f.Cost >= dear, f)
	}
	if f.Database > 0 {
		observe(m.database.WithLabelValues(route), f.Database.Seconds(), f.Database >= slow, f)
	}
}

// observe adds a sample, as an exemplar if it is one.
func observe(to prometheus.Observer, value float64, exemplar bool, f *handler.Finished) {
	if e, ok := to.(prometheus.ExemplarObserver); ok && exemplar {
		e.ObserveWithExemplar(value, prometheus.Labels{"request_id": f.ID})
		return
	}
	to.Observe(value)
}

// methodLabel maps methods that HTTP does not define to "other", which bounds the number of series.
func methodLabel(method string) string {
	switch method {
	case "GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH":
		return method
	default:
		return "other"
	}
}

// served collects metrics of the index that this process serves.
type served struct{ svc *resolvers.Service }

var (
	servedSeqno = prometheus.NewDesc("tonql_served_seqno", "Seqno of the newest indexed masterchain block that this process serves.", nil, nil)
	servedAge   = prometheus.NewDesc("tonql_served_age_seconds", "Age of the newest indexed masterchain block in seconds.", nil, nil)
	namesTotal  = prometheus.NewDesc("tonql_names_total", "Number of addresses looked up for address books, by source.",
		[]string{"from"}, nil)
)

// Describe implements prometheus.Collector.
func (*served) Describe(ch chan<- *prometheus.Desc) {
	ch <- servedSeqno
	ch <- servedAge
	ch <- namesTotal
}

// Collect implements prometheus.Collector; an unreadable or empty index yields no samples of the block.
func (s *served) Collect(ch chan<- prometheus.Metric) {
	memory, database := s.svc.NamesFrom()
	ch <- prometheus.MustNewConstMetric(namesTotal, prometheus.CounterValue, float64(memory), "memory")
	ch <- prometheus.MustNewConstMetric(namesTotal, prometheus.CounterValue, float64(database), "database")
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	info, err := s.svc.MasterchainInfo(ctx)
	if err != nil {
		return
	}
	ch <- prometheus.MustNewConstMetric(servedSeqno, prometheus.GaugeValue, float64(info.Last.Seqno))
	age := time.Since(time.Unix(int64(info.Last.GenUtime), 0)).Seconds()
	ch <- prometheus.MustNewConstMetric(servedAge, prometheus.GaugeValue, age)
}
