package indexer

import (
	"log/slog"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tonql/indexer/detect"
	"tonql/indexer/replay"
	"tonql/internal/chain"
)

// Verify selects how far transactions are checked.
type Verify uint8

// The ways to verify.
const (
	Replay Verify = iota // re-execute every transaction and compare the result
	Proof                // trust the proven blocks; store only the state of each account after a block
)

// String returns the value of the flag --verify.
func (v Verify) String() string {
	if v == Proof {
		return "proof"
	}
	return "replay"
}

// ParseVerify parses replay or proof; an empty string is [Replay].
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

// Detection selects whether the contracts of changed accounts are detected.
type Detection uint8

// The ways of detection.
const (
	Detect   Detection = iota // contracts, their history, and their transfers and burns
	NoDetect                  // accounts and transactions only
)

// String returns the value of the flag --detect.
func (d Detection) String() string {
	if d == NoDetect {
		return "off"
	}
	return "on"
}

// ParseDetection parses on or off; an empty string is [Detect].
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

// From is the lowest masterchain seqno to index. The zero value is the beginning of the chain. Gaps between two indexed
// ranges are always filled, also below From.
type From struct {
	seqno uint32 // absolute; used when back is 0
	back  uint32 // number of blocks up to the head at the first start
}

// ParseFrom parses a seqno, "latest" (the head at the first start) or "-N" (N blocks up to the head at the first start).
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
	return From{}, chain.Invalidf("%s is not a seqno, latest, or -N for the newest N blocks", chain.Quote(s))
}

// floor returns the lowest seqno to index. A relative From counts from the head only while nothing is indexed; afterwards
// floor returns the first indexed seqno.
func (f From) floor(head uint32, indexed []chain.SeqnoRange) uint32 {
	switch {
	case f.back == 0:
		return max(f.seqno, 1) // there is no block 0
	case len(indexed) > 0:
		return indexed[0].First
	case f.back > head:
		return 1
	default:
		return max(head-f.back+1, 1)
	}
}

// Options configure an Indexer. The zero value of a field means the default in its comment.
type Options struct {
	From      From
	Verify    Verify
	Detect    Detection
	Workers   int             // batches filled in parallel; default: the number of processors
	Batch     int             // masterchain blocks in a batch; default: 128
	Keep      chain.Retention // what is retained; default: everything
	Group     int             // maximum masterchain blocks per commit while catching up; default: 1
	Ahead     int             // masterchain blocks fetched ahead, by following and by each worker; default: 8
	Recheck   time.Duration   // interval between searches for gaps; default: 30 s
	Replay    replay.Options
	Contracts detect.Options // bounds of detection
	Move      MoveOptions    // of rows of earlier versions; the logger and the progress are those of the indexer
	Logger    *slog.Logger   // nil: no logs
	Progress  func(Status)   // receives the progress once a second; nil: it is logged, at most every 30 s at the head
	// Registerer registers the metrics; nil: no metrics.
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
