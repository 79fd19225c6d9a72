package nodetest

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/adnl"
)

// upstreamTimeout bounds one query to the liteserver behind a proxy, the longest wait for a block included.
const upstreamTimeout = 20 * time.Second

// Proxy is a liteserver that forwards queries to a real one and misbehaves on demand. It ends with its test.
type Proxy struct {
	*Server
	addr string
	key  []byte

	mu       sync.Mutex
	conn     *adnl.Conn // dialed when first needed, and again after it broke
	fault    Fault
	received map[string]int
}

// NewProxy starts a proxy in front of a liteserver, given its entry of a global configuration.
func NewProxy(t testing.TB, upstream liteclient.LiteserverConfig) *Proxy {
	t.Helper()
	addr, key, err := endpoint(upstream)
	require.NoError(t, err)
	p := &Proxy{addr: addr, key: key, received: map[string]int{}}
	t.Cleanup(p.disconnect) // runs after the server's own clean-up
	p.Server = Serve(t, p.response)
	return p
}

// Break makes the proxy misbehave from the next query on; connections stay open.
func (p *Proxy) Break(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
}

// Heal makes the proxy honest again.
func (p *Proxy) Heal() { p.Break(nil) }

// QueryCount counts the queries of one type, named as in package ton (GetBlockData), prefixes not counted.
func (p *Proxy) QueryCount(query string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.received[query]
}

// response forwards a query, through the fault when there is one.
func (p *Proxy) response(ctx context.Context, query tl.Serializable) tl.Serializable {
	p.mu.Lock()
	fault := p.fault
	p.received[reflect.TypeOf(innerQuery(query)).Name()]++
	p.mu.Unlock()
	if fault != nil {
		return fault(ctx, query, p.forward)
	}
	return p.forward(ctx, query)
}

// innerQuery returns the query without the prefix that makes it wait.
func innerQuery(query tl.Serializable) tl.Serializable {
	if list, ok := query.([]tl.Serializable); ok && len(list) > 0 {
		return list[len(list)-1]
	}
	return query
}

// forward returns the real response. When the real server does not respond, neither does the proxy.
func (p *Proxy) forward(ctx context.Context, query tl.Serializable) tl.Serializable {
	ctx, cancel := context.WithTimeout(ctx, upstreamTimeout)
	defer cancel()
	raw, err := serialize(query)
	if err != nil {
		return ton.LSError{Code: -400, Text: err.Error()}
	}
	conn, err := p.connect(ctx)
	if err != nil {
		return HangUp{}
	}
	response, err := conn.Query(ctx, raw)
	if err != nil {
		return nil
	}
	var parsed tl.Serializable
	if _, err := tl.Parse(&parsed, response, true); err != nil {
		return tl.Raw(response)
	}
	return parsed
}

// serialize serializes a query with its prefixes.
func serialize(query tl.Serializable) ([]byte, error) {
	list, ok := query.([]tl.Serializable)
	if !ok {
		return tl.Serialize(query, true)
	}
	var raw []byte
	for _, part := range list {
		b, err := tl.Serialize(part, true)
		if err != nil {
			return nil, err
		}
		raw = append(raw, b...)
	}
	return raw, nil
}

func (p *Proxy) connect(ctx context.Context) (*adnl.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil && p.conn.Err() == nil {
		return p.conn, nil
	}
	conn, err := adnl.Dial(ctx, p.addr, p.key)
	if err != nil {
		return nil, err
	}
	if p.conn != nil {
		p.conn.Close()
	}
	p.conn = conn
	return conn, nil
}

func (p *Proxy) disconnect() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil {
		p.conn.Close()
	}
}
