package metadata

import (
	"context"
	"fmt"
	"sync"
	"time"

	"tonql/internal/chain"
)

// Worker follows contents. It has one owner, who calls Run once.
type Worker struct {
	queue         Queue
	options       Options
	fetcher       *fetcher
	metrics       *metrics
	statusCounter statusCounter
}

// New makes a worker for a queue.
func New(q Queue, o Options) (*Worker, error) {
	o = o.withDefaults()
	f, err := newFetcher(o)
	if err != nil {
		return nil, err
	}
	return &Worker{queue: q, options: o, fetcher: f, metrics: newMetrics(o.Registerer)}, nil
}

// Bounds of the queue's operations.
const (
	queueTimeout = 10 * time.Second
	busyPause    = 200 * time.Millisecond // between two queries of a queue that has more
	traitBatch   = 200                    // items whose traits are read at once
	putOffFor    = 30 * time.Second       // a job whose host is crowded
)

// Run works until the context ends. Then it leaves what it has not ended; the queue hands that out again.
func (w *Worker) Run(ctx context.Context) error {
	defer w.fetcher.client.Close()
	var running sync.WaitGroup
	defer running.Wait()
	line := newWaitingLine(w.options)
	ended := make(chan task, w.options.Concurrency) // room for all: nobody waits to end
	pull := time.NewTimer(0)
	defer pull.Stop()
	misses := 0
	for {
		select {
		case <-ctx.Done():
			return nil
		case e := <-ended:
			line.end(e)
		case <-pull.C:
			var more bool
			more, misses = w.pull(ctx, line, misses)
			more = w.readTraits(ctx) || more
			pull.Reset(w.pause(more, misses))
		}
		for e, ok := line.next(); ok; e, ok = line.next() {
			begun := e // the loop copies e while the job runs
			running.Go(func() {
				begun.took = w.do(ctx, begun)
				ended <- begun
			})
		}
		w.show(line)
	}
}

// pause is the delay before the next query of the queue.
func (w *Worker) pause(more bool, misses int) time.Duration {
	switch {
	case misses > 0:
		return around(min(w.options.Poll<<min(misses, 5), time.Minute))
	case more:
		return min(busyPause, w.options.Poll)
	default:
		return w.options.Poll
	}
}

// pull takes due jobs from the queue into the line. It reports whether the queue has more, and how often in a row the
// queue failed.
func (w *Worker) pull(ctx context.Context, line *waitingLine, misses int) (bool, int) {
	room := line.room()
	if room < max(w.options.Batch/4, 1) {
		return true, misses // a few are not worth a query
	}
	polling, cancel := context.WithTimeout(ctx, queueTimeout)
	defer cancel()
	jobs, err := w.queue.Next(polling, room)
	if err != nil {
		w.queueFailed(ctx, "jobs due", err)
		return false, misses + 1
	}
	w.statusCounter.change(func(s *Status) { s.QueueError, s.QueueErrorAt = "", time.Time{} })
	for _, j := range jobs {
		if line.present[keyOf(j)] {
			continue // handed out again while it is still here
		}
		w.admit(ctx, line, j)
	}
	return len(jobs) >= room, 0
}

// readTraits reads traits from metadata that was stored. It reports whether there is more to read.
func (w *Worker) readTraits(ctx context.Context) bool {
	reading, cancel := context.WithTimeout(ctx, queueTimeout)
	defer cancel()
	n, err := w.queue.ReadTraits(reading, traitBatch)
	if err != nil {
		w.queueFailed(ctx, "traits", err)
	}
	return n == traitBatch
}

// admit puts a job into the line, or off when its host has enough of them there.
func (w *Worker) admit(ctx context.Context, line *waitingLine, j chain.MetadataJob) {
	e := task{job: j}
	if uri := j.Content["uri"]; uri != "" {
		e.fault = contained("uri", func() (f *failure) { // here a panic would end the program
			e.place, f = w.fetcher.locate(uri, j.Tries)
			return f
		})
	}
	if !line.crowded(e.place.host) {
		line.add(e)
		return
	}
	again := w.options.Now().Add(around(putOffFor))
	w.store(ctx, chain.MetadataResult{Job: j, Tries: j.Tries, NextTry: &again})
	w.metrics.putOff.Inc()
	w.statusCounter.change(func(s *Status) { s.PutOff++ })
}

// do makes one try and ends the job with its result. It returns how long the try took.
func (w *Worker) do(ctx context.Context, e task) (took time.Duration) {
	began := time.Now()
	m, f := w.try(ctx, e)
	took = time.Since(began)
	if ctx.Err() == nil { // otherwise the failure may be our own end; the job comes back
		w.store(ctx, w.result(e.job, m, f))
	}
	return took
}

// try follows a content. It gives metadata always, a failure beside it when they are not all they could be.
func (w *Worker) try(ctx context.Context, e task) (m *chain.Metadata, f *failure) {
	defer func() {
		// An untrusted document must not end the program.
		if r := recover(); r != nil {
			m = &chain.Metadata{Indexed: true}
			f = &failure{reason: reasonInternal, detail: "the content cannot be read", err: fmt.Errorf("%v", r)}
		}
	}()
	var document map[string]any
	fault := e.fault
	if len(e.job.Content) == 0 {
		fault = failf(reasonContent, "the token has no readable content").finally()
	} else if fault == nil && e.job.Content["uri"] != "" {
		began := time.Now()
		document, fault = w.fetcher.document(ctx, e.place)
		w.metrics.seconds.Observe(time.Since(began).Seconds())
	}
	m, memberFault := merge(e.job.Content, document)
	m.Valid = fault == nil || document != nil
	if fault == nil {
		fault = memberFault
	}
	return m, fault
}

// result says what to remember of a try and when to make the next.
func (w *Worker) result(j chain.MetadataJob, m *chain.Metadata, f *failure) chain.MetadataResult {
	now := w.options.Now()
	m.Address, m.Kind, m.FetchedAt = j.Address, j.Kind, now
	r := chain.MetadataResult{Job: j, Metadata: m}
	if f != nil {
		m.Reason, m.Error = f.reason, line(f.detail, 1024)
		w.metrics.failed.WithLabelValues(f.reason).Inc()
		w.statusCounter.change(func(s *Status) { s.Failed[f.reason]++ })
		w.options.Logger.Debug("metadata not complete", "account", j.Address.String(), "url", chain.Quote(j.Content["uri"]),
			"kind", f.reason, "reason", f.detail, "err", f.err)
	}
	switch {
	case m.Valid:
		w.metrics.fetched.WithLabelValues(j.Kind.String()).Inc()
		w.statusCounter.change(func(s *Status) { s.Fetched++ })
		if w.options.Refresh > 0 && mayChange(j.Content["uri"]) {
			r.NextTry = new(now.Add(around(w.options.Refresh)))
		}
	case !f.final && j.Tries+1 < w.options.Tries:
		r.Tries = j.Tries + 1
		r.NextTry = new(now.Add(w.options.wait(r.Tries, f.retryAfter)))
	default:
		r.Tries = j.Tries + 1
	}
	return r
}

// store ends a job. The result of work that is done is worth a moment, even when the context has ended.
func (w *Worker) store(ctx context.Context, r chain.MetadataResult) {
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), queueTimeout)
	defer cancel()
	if err := w.queue.Store(storing, r); err != nil {
		w.queueFailed(ctx, "result of "+r.Job.Address.String(), err)
	}
}

// queueFailed records a failure of the queue; the operation is repeated, because the queue did not store it.
func (w *Worker) queueFailed(ctx context.Context, what string, err error) {
	if ctx.Err() != nil {
		return
	}
	w.metrics.queueErrors.Inc()
	w.options.Logger.Warn("metadata queue failed", "operation", what, "err", err)
	w.statusCounter.change(func(s *Status) { s.QueueError, s.QueueErrorAt = err.Error(), w.options.Now() })
}

// show publishes how full the line is.
func (w *Worker) show(line *waitingLine) {
	w.metrics.waiting.Set(float64(len(line.waiting)))
	w.metrics.running.Set(float64(line.active))
	w.statusCounter.change(func(s *Status) { s.Waiting, s.Running = len(line.waiting), line.active })
}
