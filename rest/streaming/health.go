package streaming

import (
	"encoding/json"
	"net/http"
	"time"

	"tonql/rest/handler"
)

// maxAge is the age of the newest masterchain block from which the health is bad, as published.
const maxAge = 15 * time.Second

// component is a part of the published service. This one has the index only, which the published name of the emulator stands for.
type component struct {
	OK        bool    `json:"ok"`
	Error     string  `json:"error,omitempty"`
	Finalized uint32  `json:"last_finalized_mc_block_time,omitempty"`
	Age       float64 `json:"finalized_age_seconds,omitempty"`
}

// health responds with the health report: 200, or 503 when the newest masterchain block is too old.
func (h *Handler) health(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		plain(w, http.StatusMethodNotAllowed, "Method Not Allowed")
		return
	}
	var c component
	now := time.Now()
	info, err := h.opts.Service.MasterchainInfo(r.Context())
	if err != nil {
		c.Error = "the index cannot be read or is empty"
	} else {
		c.Finalized = info.Last.GenUtime
		c.Age = now.Sub(time.Unix(int64(c.Finalized), 0)).Seconds()
		if c.OK = c.Age <= maxAge.Seconds(); !c.OK {
			c.Error = "the newest masterchain block is too old"
		}
	}
	body, err := json.Marshal(struct {
		OK         bool                 `json:"ok"`
		Now        int64                `json:"now"`
		Components map[string]component `json:"components"`
	}{c.OK, now.Unix(), map[string]component{"ton-trace-emulator": c}})
	if err != nil {
		body = []byte(`{"ok":false}`) // numbers and texts always have a form in JSON
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if !c.OK {
		handler.RecordOf(r.Context()).State = true
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = w.Write(body) // a client that has disconnected needs no response
}
