package snapshot

import "sync"

// Progress is how far an export or import is.
type Progress struct {
	// Step is what is being done: a verb and its object.
	Step        string
	Done, Total int
	Rows, Bytes int64 // of the files that are done; Bytes are uncompressed
}

// progress reports from several goroutines, one at a time.
type progress struct {
	mu     sync.Mutex
	now    Progress
	report func(Progress) // nil: nobody
}

// begin starts a step of so many pieces.
func (p *progress) begin(step string, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = Progress{Step: step, Total: total}
	p.publish()
}

// add reports that a piece is done.
func (p *progress) add(rows, bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Done++
	p.now.Rows += rows
	p.now.Bytes += bytes
	p.publish()
}

func (p *progress) publish() {
	if p.report != nil {
		p.report(p.now)
	}
}
