package tokenimage

import (
	"context"
	"net/url"
	"strings"
	"sync"

	"tonql/internal/outbound"
)

// hosts divides requests by the host of their address: one that responds slowly, or of which many images are wanted, delays its own images only.
type hosts struct {
	limits, gateways hostLimits // of one host, and of all addresses that gateways serve

	mu     sync.Mutex
	byName map[string]*imageHost // those with clients or images
}

// hostLimits bound what a host takes.
type hostLimits struct {
	requests int // at a time
	waiting  int // clients that wait for its images, and images that are wanted
}

// imageHost is the state of one host.
type imageHost struct {
	limits          hostLimits
	clients, images int
	slots           chan struct{} // of its requests
}

func newHosts(limits, gateways hostLimits) *hosts {
	return &hosts{limits: limits, gateways: gateways, byName: map[string]*imageHost{}}
}

// hostOf returns the site of an address (see [outbound.Site]); empty for an address that gateways serve, and for data.
func hostOf(address string) string {
	scheme, _, _ := strings.Cut(address, "://")
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return outbound.Site(u)
}

// enter counts a client, or an image, of a host until leave is called. ok is false when there are too many.
func (h *hosts) enter(name string, image bool) (one *imageHost, leave func(), ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if one = h.byName[name]; one == nil {
		limits := h.limits
		if name == "" {
			limits = h.gateways
		}
		one = &imageHost{limits: limits, slots: make(chan struct{}, limits.requests)}
	}
	count := &one.clients
	if image {
		count = &one.images
	}
	if *count >= one.limits.waiting {
		return nil, nil, false
	}
	*count++
	h.byName[name] = one
	return one, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if *count--; one.clients+one.images == 0 {
			delete(h.byName, name)
		}
	}, true
}

// acquire waits for a slot of the host and returns what releases it.
func (o *imageHost) acquire(ctx context.Context) (release func(), err error) {
	select {
	case o.slots <- struct{}{}:
		return func() { <-o.slots }, nil
	case <-ctx.Done():
		return nil, ErrBusy
	}
}
