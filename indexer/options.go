package indexer

import (
	"io"
	"log/slog"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tonql/indexer/detect"
	"tonql/indexer/replay"
	"tonql/internal/chain"
)

// Verify says how far transactions are checked.
type Verify uint8

// The ways to verify.
const (
	Replay Verify = iota // execute every transaction again and compare
	Proof                // trust the proven blocks; keep of each account the state after a block only
)

// String is the word on the command line.
func (v Verify) String() string {
	if v == Proof {
		return "proof"
	}
	return "replay"
}

// ParseVerify reads replay and proof; the empty text is [Replay].
func ParseVerify(s string) (Verify, error) {
	switch s {
	case "", "replay":
		return Replay, nil
	case "proof":
		return Proof, nil
	default:
		return Replay, chain.Invalidf("verify should be one of: replay, proof; not %s", chain.Quote(s))
	}
}

// Detection says whether the contracts of touched accounts are looked into.
type Detection uint8

// The ways of detection.
const (
	Detect   Detection = iota // contracts, their history and what they were ordered to do
	NoDetect                  // accounts and transactions only
)

// String is the word on the command line.
func (d Detection) String() string {
	if d == NoDetect {
		return "off"
	}
	return "on"
}

// ParseDetection reads on and off; the empty text is [Detect].
func ParseDetection(s string) (Detection, error) {
	switch s {
	case "", "on":
		return Detect, nil
	case "off":
		return NoDetect, nil
	default:
		return Detect, chain.Invalidf("detect should be one of: on, off; not %s", chain.Quote(s))
	}
}

// From is the lowest masterchain seqno the index should hold. The zero value is the beginning of the chain. Whatever it
// is, an index has no holes: what lies between two indexed runs is always filled.
type From struct {
	seqno uint32 // absolute, when back is not set
	back  uint32 // that many blocks ending with the head, as it is when the index is started empty
}

// ParseFrom reads a seqno, "latest" (the head at the first start) or "-N" (N blocks up to the head at the first start).
func ParseFrom(s string) (From, error) {
	if s == "" {
		return From{}, nil
	}
	if s == "latest" {
		return From{back: 1}, nil
	}
	if n, err := strconv.ParseInt(s, 10, 33); err == nil {
		switch {
		case n < 0 && n >= -1<<31:
			return From{back: uint32(-n)}, nil
		case n >= 0 && n < 1<<32:
			return From{seqno: uint32(n)}, nil
		}
	}
	return From{}, chain.Invalidf("from should be a seqno, latest, or -N for the newest N blocks; not %s", chain.Quote(s))
}

// floor is the lowest wanted seqno. A relative From counts from the head only while nothing is indexed: afterwards the
// index goes on from where it began.
func (f From) floor(head uint32, ledger []chain.SeqnoRange) uint32 {
	switch {
	case f.back == 0:
		return max(f.seqno, 1) // there is no block 0
	case len(ledger) > 0:
		return ledger[0].First
	case f.back > head:
		return 1
	default:
		return max(head-f.back+1, 1)
	}
}

// Options tune an Indexer. Zero values take the defaults named with them.
type Options struct {
	From      From
	Verify    Verify
	Detect    Detection
	Workers   int           // batches refilled at once: the number of processors
	Batch     int           // masterchain blocks in a batch: 128
	Group     int           // masterchain blocks that may share a commit while catching up: 1, each its own
	Ahead     int           // masterchain blocks fetched ahead of their turn, by following and by each worker: 8
	Recheck   time.Duration // how often the ledger is searched for gaps: 30 s
	Replay    replay.Options
	Contracts detect.Options // bounds of detection
	Logger    *slog.Logger   // nothing is logged without it
	Progress  io.Writer      // a terminal shows a bar; anything else, or nil, gives one log line a second
	// Registerer publishes the metrics; nothing is measured without it.
	Registerer prometheus.Registerer
}

func (o Options) withDefaults() Options {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Batch <= 0 {
		o.Batch = 128
	}
	if o.Group <= 0 {
		o.Group = 1
	}
	if o.Ahead <= 0 {
		o.Ahead = 8
	}
	if o.Recheck <= 0 {
		o.Recheck = 30 * time.Second
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Contracts.Logger == nil {
		o.Contracts.Logger = o.Logger
	}
	return o
}
