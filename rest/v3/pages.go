package v3

import (
	"sync"
	"time"
)

// pages caches responses briefly, because explorers and wallets request the same pages repeatedly. A page is read after
// the head it is stored under, so a client that has seen a head never receives an older page. All pages are dropped with
// the next head or after pagesTTL, because backfilling changes pages without advancing the head.
type pages struct {
	mu    sync.Mutex
	head  uint32
	until time.Time
	bytes int
	byKey map[string]*page // immutable once stored
}

// page is a cached response: its body and the values of its headers.
type page struct {
	mcSeqno uint32
	next    string // cursor of the next page
	body    []byte
}

const (
	pagesTTL = 250 * time.Millisecond
	// maxPages is the capacity of the cache in bytes.
	maxPages = 16 << 20
)

// get returns the response cached under key for head, or nil. The caller must not modify it.
func (p *pages) get(head uint32, key string) *page {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); head != p.head || now.After(p.until) {
		p.head, p.until, p.bytes, p.byKey = head, now.Add(pagesTTL), 0, make(map[string]*page)
	}
	return p.byKey[key]
}

// put caches a copy of a response that was read after head. It drops responses to an outdated head, duplicates, and
// responses that exceed the capacity.
func (p *pages) put(head uint32, key string, response page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	size := len(key) + len(response.body)
	if _, cached := p.byKey[key]; cached || head != p.head || p.bytes+size > maxPages {
		return
	}
	p.bytes += size
	response.body = append([]byte(nil), response.body...)
	p.byKey[key] = &response
}
