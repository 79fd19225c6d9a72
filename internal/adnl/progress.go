package adnl

import (
	"net"
	"time"

	"tonql/internal/ctxtime"
)

const (
	longFrame = 250 * time.Millisecond // a frame that takes longer is a large response or comes over a slow link
	minRate   = 16 << 10               // bytes of a long frame in each second; below it the server stalls
	// maxExtension is how many times its timeout a query may take while long frames arrive.
	maxExtension = 4
)

// progress watches the bytes that arrive on a connection, so that a large response over a slow link is not taken for a
// server that does not respond. Only the reader of the connection writes to it.
type progress struct {
	nc net.Conn

	began time.Time // arrival of the first bytes of the frame that is being read; zero before
	bytes int64     // of that frame

	part ctxtime.Moment // the last bytes of a frame that is not complete; zero between frames
	long ctxtime.Moment // likewise of a long frame at a sufficient rate, also afterwards; zero when there was none
}

// begin marks the end of a frame and the start of the next.
func (p *progress) begin() {
	p.began, p.bytes = time.Time{}, 0
	p.part.Clear()
}

// Read extends the connection's deadline with every read, so that only silence ends a frame.
func (p *progress) Read(b []byte) (int, error) {
	_ = p.nc.SetReadDeadline(time.Now().Add(idleTimeout))
	n, err := p.nc.Read(b)
	if n > 0 {
		now := time.Now()
		if p.began.IsZero() {
			p.began = now
		}
		p.bytes += int64(n)
		p.part.Set(now)
		if age := now.Sub(p.began); age >= longFrame && float64(p.bytes) >= minRate*age.Seconds() {
			p.long.Set(now)
		}
	}
	return n, err
}

// lastLong returns the time of the last bytes of a long frame; zero when there was none.
func (p *progress) lastLong() time.Time { return p.long.Time() }

// lastPart returns the time of the last bytes of the frame that is being read; zero between frames.
func (p *progress) lastPart() time.Time { return p.part.Time() }
