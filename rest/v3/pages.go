package v3

import (
	"sync"
	"time"
)

// pages remembers answers for a moment, because explorers and wallets ask the same pages over and over. What is
// remembered was read after the head it is filed under, so a client that has seen a head never gets an older page; and
// it is dropped with the next head or after pagesTTL, whichever comes first, since backfilling changes pages without
// moving the head.
type pages struct {
	mu    sync.Mutex
	head  uint32
	until time.Time
	bytes int
	byKey map[string]*page // never changed once stored
}

// page is an answer and what its headers tell.
type page struct {
	mcSeqno uint32
	next    string // cursor of the next page
	body    []byte
}

const (
	pagesTTL = 250 * time.Millisecond
	// maxPages bounds what is remembered at one time, in bytes.
	maxPages = 16 << 20
)

// get gives the answer remembered under key as of head, nil when there is none. It must not be changed.
func (p *pages) get(head uint32, key string) *page {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); head != p.head || now.After(p.until) {
		p.head, p.until, p.bytes, p.byKey = head, now.Add(pagesTTL), 0, make(map[string]*page)
	}
	return p.byKey[key]
}

// put remembers an answer that was read after head was known. Late and superfluous answers are dropped.
func (p *pages) put(head uint32, key string, response page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	size := len(key) + len(response.body)
	if _, known := p.byKey[key]; known || head != p.head || p.bytes+size > maxPages {
		return
	}
	p.bytes += size
	response.body = append([]byte(nil), response.body...)
	p.byKey[key] = &response
}
