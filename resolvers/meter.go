package resolvers

import "context"

// What a walk reads for a token. Parsing 2 MiB of cells takes some 40 ms, and so do a thousand transactions or messages.
const (
	bytesPerToken = 2 << 20
	rowsPerToken  = 1000
)

// meter charges a request for what a walk reads to find its rows: a filter that few rows match reads as much as a list may. The first token is that
// of the request.
type meter struct {
	s       *Service
	read    float64 // in tokens
	charged float64
}

// add counts bytes of cells and rows that were read.
func (m *meter) add(ctx context.Context, bytes, rows int) {
	m.read += float64(bytes)/bytesPerToken + float64(rows)/rowsPerToken
	due := float64(int(m.read)) - m.charged
	if due > 0 && m.s.opts.Charge != nil {
		m.s.opts.Charge(ctx, due)
		m.charged += due
	}
}
