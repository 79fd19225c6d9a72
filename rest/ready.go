package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// readiness is the body of /readyz. Reasons are the causes why the service is not ready, Warnings are problems that do not
// affect readiness; both are sentences for operators.
type readiness struct {
	Ready    bool          `json:"ready"`
	Network  string        `json:"network"`
	Reasons  []string      `json:"reasons"`
	Warnings []string      `json:"warnings"`
	Index    *indexState   `json:"index"` // null while the index is unreadable or empty
	Servers  []serverState `json:"servers"`
}

type indexState struct {
	First      uint32      `json:"first"`
	Last       uint32      `json:"last"`
	LagSeconds float64     `json:"lag_seconds"` // age of the newest indexed masterchain block
	Ranges     [][2]uint32 `json:"ranges"`      // ranges of masterchain seqnos, both ends included
	Gaps       [][2]uint32 `json:"gaps"`
}

type serverState struct {
	Name      string `json:"name"`
	Usable    bool   `json:"usable"`
	SetAside  string `json:"set_aside,omitempty"` // the reason
	HeadSeqno uint32 `json:"head_seqno"`
	Failures  uint64 `json:"failures"`
}

const (
	readyTimeout = 2 * time.Second
	// maxRanges bounds the listed ranges and gaps; the newest are listed. The warnings contain the full number.
	maxRanges = 100
)

// readyz serves the readiness. It logs each change of it once, however often it is requested.
func readyz(opts Options) http.Handler {
	log := opts.Logger
	if log == nil {
		log = slog.Default()
	}
	var was atomic.Bool // what the last request reported
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		state := ready(ctx, opts)
		body, err := json.Marshal(state)
		if err != nil {
			handler.RecordOf(r.Context()).Err = err
			writeError(w, http.StatusInternalServerError, "internal error")
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		status := http.StatusOK
		if !state.Ready {
			status = http.StatusServiceUnavailable
			handler.RecordOf(r.Context()).State = true
		}
		switch {
		case was.Swap(state.Ready) == state.Ready:
		case state.Ready:
			log.Info("ready to serve")
		default:
			log.Warn("not ready to serve", "reason", strings.Join(state.Reasons, " "))
		}
		writeJSON(w, status, body)
	})
}

// ready returns the readiness of the service.
func ready(ctx context.Context, opts Options) readiness {
	state := readiness{Network: opts.Network, Reasons: []string{}, Warnings: []string{}, Servers: []serverState{}}
	if opts.Service != nil {
		state.Network = opts.Service.Network()
		state.judgeService(ctx, opts)
	}
	if opts.Servers != nil {
		state.judgeServers(opts.Servers())
	}
	if opts.Readiness != nil {
		state.Reasons = append(state.Reasons, opts.Readiness(ctx)...)
	}
	state.Ready = len(state.Reasons) == 0
	return state
}

func (r *readiness) judgeService(ctx context.Context, opts Options) {
	status, err := opts.Service.Status(ctx)
	switch {
	case err != nil:
		r.Reasons = append(r.Reasons, "The index cannot be read: "+chain.PublicMessage(err)+".")
	case status.Empty:
		r.Reasons = append(r.Reasons, "Nothing is indexed yet.")
	default:
		r.judgeIndex(status, opts.MaxLag)
	}
}

func (r *readiness) judgeIndex(s resolvers.Status, maxLag time.Duration) {
	r.Index = &indexState{
		First: s.First.Seqno, Last: s.Last.Seqno, LagSeconds: float64(s.Lag.Milliseconds()) / 1000,
		Ranges: pairs(s.Ranges), Gaps: pairs(s.Gaps),
	}
	if s.Lag > maxLag {
		r.Reasons = append(r.Reasons, fmt.Sprintf("The newest indexed masterchain block, %d, is %s old; more than %s counts as behind.",
			s.Last.Seqno, s.Lag.Round(time.Second), maxLag))
	}
	if len(s.Gaps) > 0 {
		missing := uint64(0)
		for _, g := range s.Gaps {
			missing += uint64(g.Len())
		}
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d masterchain blocks in %d gaps are not indexed yet, the newest of them %d.",
			missing, len(s.Gaps), s.Gaps[len(s.Gaps)-1].Last))
	}
}

func (r *readiness) judgeServers(servers []chain.ServerState) {
	usable := 0
	for _, s := range servers {
		r.Servers = append(r.Servers, serverState(s))
		if s.Usable {
			usable++
			continue
		}
		r.Warnings = append(r.Warnings, fmt.Sprintf("Liteserver %s is set aside: %s.", s.Name, s.SetAside))
	}
	if usable == 0 {
		r.Reasons = append(r.Reasons, fmt.Sprintf("None of %d liteservers can be used, so the index does not advance.", len(servers)))
	}
}

func pairs(ranges []chain.SeqnoRange) [][2]uint32 {
	out := make([][2]uint32, 0, len(ranges))
	for _, r := range ranges[max(0, len(ranges)-maxRanges):] {
		out = append(out, [2]uint32{r.First, r.Last})
	}
	return out
}
