package webhook_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/outbound"
	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/internal/store/payments"
	"tonql/internal/testdb"
	"tonql/rest/webhook"
)

// TestMain runs all tests in parallel: they wait for the schedule of deliveries, not for a CPU.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "8"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	testdb.Main(m)
}

// bench is a database and a running dispatcher.
type bench struct {
	t        *testing.T
	db       *store.DB
	payments *payments.Store
	vault    *payment.Vault
}

func newBench(t *testing.T, change func(*webhook.Options)) *bench {
	t.Helper()
	b := idleBench(t)
	b.run(change)
	return b
}

// idleBench is a bench whose dispatcher does not run yet.
func idleBench(t *testing.T) *bench {
	t.Helper()
	vault, err := payment.OpenVault(payment.NewVaultKey())
	require.NoError(t, err)
	db := testdb.New(t)
	return &bench{t: t, db: db, payments: db.Payments(), vault: vault}
}

// run starts the dispatcher.
func (b *bench) run(change func(*webhook.Options)) {
	b.t.Helper()
	o := webhook.Options{Payments: b.payments, Vault: b.vault, Local: true, Version: "test", Logger: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&o)
	}
	d := webhook.New(o)
	done := make(chan error, 1)
	go func() { done <- d.Run(b.t.Context()) }()
	b.t.Cleanup(func() { require.NoError(b.t, <-done) }) // the context of the test has ended by then
}

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// endpoint creates a merchant with an endpoint.
func (b *bench) endpoint(url string) *payment.Endpoint {
	b.t.Helper()
	m := &payment.Merchant{Name: testdb.Hash().Hex(), Network: "devnet"}
	require.NoError(b.t, b.payments.CreateMerchant(b.t.Context(), m))
	id, err := b.payments.CreateEndpoint(b.t.Context(), m.ID, url, b.vault.Seal(secret, (&payment.Endpoint{Merchant: m.ID}).Owner()))
	require.NoError(b.t, err)
	e, err := b.payments.Endpoint(b.t.Context(), id)
	require.NoError(b.t, err)
	return e
}

// send delivers a sample.
func (b *bench) send(e *payment.Endpoint) int64 {
	b.t.Helper()
	id, err := b.payments.SendTest(b.t.Context(), e, &payment.Info{
		Amount: "1", RawAmount: big.NewInt(1e9), Asset: "TON", Status: payment.Success, Reference: "test_" + payment.NewReference(),
		CommentToRecipient: "Заказ <7> & \u2028", Date: time.Now(), TxHash: new(testdb.Hash()), TraceID: new(testdb.Hash()),
	})
	require.NoError(b.t, err)
	return id
}

// ended waits until a delivery has ended, and returns it with its attempts.
func (b *bench) ended(id int64, within time.Duration) (*payment.Delivery, []payment.Attempt) {
	b.t.Helper()
	var d *payment.Delivery
	require.Eventually(b.t, func() bool {
		var err error
		d, err = b.payments.Delivery(b.t.Context(), id)
		require.NoError(b.t, err)
		return !d.State.Open()
	}, within, 50*time.Millisecond, "delivery %d does not end", id)
	attempts, err := b.payments.Attempts(b.t.Context(), id)
	require.NoError(b.t, err)
	return d, attempts
}

// receiver records the requests that it receives.
type receiver struct {
	mu      sync.Mutex
	bodies  [][]byte
	headers []http.Header
	at      []time.Time
	handler http.HandlerFunc
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	r.bodies, r.headers, r.at = append(r.bodies, body), append(r.headers, q.Header.Clone()), append(r.at, time.Now())
	handler := r.handler
	r.mu.Unlock()
	handler(w, q)
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		_, _ = io.WriteString(w, "says "+strconv.Itoa(code))
	}
}

func hijack(then func(net.Conn)) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			then(conn)
			_ = conn.Close()
		}
	}
}

func flood(w http.ResponseWriter, _ *http.Request) {
	chunk := bytes.Repeat([]byte("x"), 64<<10)
	for range 1 << 30 / len(chunk) {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

// The response of a receiver decides the state of the delivery. Each receiver has its own endpoint; all run
// concurrently.
func TestDeliver_ResponseDecidesTheState(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	b := newBench(t, nil)
	over := make(chan struct{})
	const untrusted = "untrusted certificate"
	var names []string
	var checks []func(*testing.T)
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		state   payment.DeliveryState
		status  int
		error   string
		excerpt string
	}{
		{"200", status(200), payment.DeliveryDelivered, 200, "", "says 200"},
		{"204", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, payment.DeliveryDelivered, 204, "", ""},
		{"299", status(299), payment.DeliveryDelivered, 299, "", "says 299"},
		{"1 GB with 200", flood, payment.DeliveryDelivered, 200, "", "xxx"},
		{"301", func(w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, "/other", http.StatusMovedPermanently)
		}, payment.DeliveryExhausted, 0, "redirects", ""},
		{"307 to loopback", func(w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
		}, payment.DeliveryExhausted, 0, "redirects", ""},
		{"304 without a place", status(304), payment.DeliveryExhausted, 304, "304", ""},
		{"400", status(400), payment.DeliveryExhausted, 400, "400", "says 400"},
		{"410", status(410), payment.DeliveryExhausted, 410, "410", "says 410"},
		{"500", status(500), payment.DeliveryExhausted, 500, "500", "says 500"},
		{"503", status(503), payment.DeliveryExhausted, 503, "503", "says 503"},
		{"1 GB with 500", func(w http.ResponseWriter, q *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			flood(w, q)
		}, payment.DeliveryExhausted, 500, "500", "xxx"},
		{"reset", hijack(func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) }), payment.DeliveryExhausted, 0, "unreachable", ""},
		{"closed", hijack(func(net.Conn) {}), payment.DeliveryExhausted, 0, "too early", ""},
		{"no HTTP", hijack(func(c net.Conn) { _, _ = io.WriteString(c, "hello\r\n\r\n") }), payment.DeliveryExhausted, 0, "unreachable", ""},
		{"hang", hijack(func(net.Conn) { <-over }), payment.DeliveryExhausted, 0, "in time", ""},
		{"slow headers", hijack(func(c net.Conn) { drip(c, "HTTP/1.1 200 OK\r\n", over) }), payment.DeliveryExhausted, 0, "in time", ""},
		{"slow body", hijack(func(c net.Conn) { drip(c, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", over) }), payment.DeliveryDelivered, 200, "", ""},
		{untrusted, status(200), payment.DeliveryExhausted, 0, "certificate is not trusted", ""},
		{"big headers", hijack(func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("y", 1<<20)+"\r\n\r\n")
		}), payment.DeliveryExhausted, 0, "headers", ""},
	} {
		r := &receiver{handler: c.handler}
		server := httptest.NewUnstartedServer(r)
		server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
		if c.name == untrusted {
			server.StartTLS()
		} else {
			server.Start()
		}
		t.Cleanup(server.Close)
		id := b.send(b.endpoint(server.URL + "/hook")) // sent at once
		checks = append(checks, func(t *testing.T) {
			t.Helper()
			d, attempts := b.ended(id, 90*time.Second)
			require.Equal(t, c.state, d.State, d.Reason)
			want := 1
			if c.state == payment.DeliveryExhausted {
				want = payment.MaxAttempts
			}
			require.Len(t, attempts, want)
			r.mu.Lock()
			defer r.mu.Unlock()
			for _, body := range r.bodies {
				require.Equal(t, string(d.Body), string(body), "the stored bytes")
			}
			for i, h := range r.headers {
				require.Equal(t, payment.Sign(secret, d.Body), h.Get("X-Pay-Signature"))
				require.Equal(t, h.Get("X-Pay-Signature"), h.Get("X-TonPay-Signature"))
				require.Equal(t, d.EventID, h.Get("Webhook-Id"))
				require.Equal(t, strconv.Itoa(i+1), h.Get("X-TonPay-Attempt"))
				require.Equal(t, "1", h.Get("X-TonPay-Test"))
				require.Equal(t, "tonql/test", h.Get("User-Agent"))
				require.Equal(t, "application/json", h.Get("Content-Type"))
			}
			for i, a := range attempts {
				require.Equal(t, c.status, a.Status)
				require.Contains(t, a.Error, c.error)
				require.Contains(t, a.Excerpt, c.excerpt)
				require.LessOrEqual(t, a.Duration, payment.ResponseTimeout+pacetest.Slow*2*time.Second)
				if i == 0 {
					continue
				}
				before := attempts[i-1]
				delay, ok := payment.RetryDelay(i)
				require.True(t, ok)
				require.WithinDuration(t, before.StartedAt.Add(before.Duration+delay), a.StartedAt, slack, "attempt %d", i+1)
			}
		})
		names = append(names, c.name)
	}
	t.Cleanup(func() { close(over) })
	for i, check := range checks {
		t.Run(names[i], check)
	}
}

// slack is the tolerated delay of an attempt.
const slack = pacetest.Slow * 500 * time.Millisecond

// drip writes begin, then one byte every 300 ms.
func drip(c net.Conn, begin string, over <-chan struct{}) {
	_, _ = io.WriteString(c, begin)
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return
		case <-tick.C:
			if _, err := io.WriteString(c, "x"); err != nil {
				return
			}
		}
	}
}

// Outside a local chain a delivery to a URL that is not public https is skipped, or fails when it connects.
func TestDeliver_ForbiddenAddressesAreNotReached(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	local := httptest.NewTLSServer(status(200))
	t.Cleanup(local.Close)
	// Every name resolves to loopback.
	b := newBench(t, func(o *webhook.Options) {
		o.Local = false
		o.Outbound = func(to *outbound.Options) { to.AnyPort, to.Resolver = true, resolverTo(t, "127.0.0.1") }
	})
	port := local.URL[strings.LastIndexByte(local.URL, ':'):]
	var names []string
	var checks []func(*testing.T)
	for _, c := range []struct {
		url   string
		state payment.DeliveryState
		says  string
	}{
		{"http://shop.example/", payment.DeliverySkipped, "only https"},
		{"ftp://shop.example/", payment.DeliverySkipped, "only http"},
		{"https://user:word@shop.example/", payment.DeliverySkipped, "user name"},
		{"https://127.0.0.1" + port, payment.DeliverySkipped, "loopback"},
		{"https://2130706433/", payment.DeliverySkipped, "not written as four"},
		{"https://0x7f.1/", payment.DeliverySkipped, "not written as four"},
		{"https://0177.0.0.1/", payment.DeliverySkipped, "not written as four"},
		{"https://[::1]/", payment.DeliverySkipped, "loopback"},
		{"https://[::ffff:127.0.0.1]/", payment.DeliverySkipped, "IPv4 address"},
		{"https://[fd00::1]/", payment.DeliverySkipped, "private"},
		{"https://[fe80::1%25eth0]/", payment.DeliverySkipped, "link-local"},
		{"https://10.0.0.1/", payment.DeliverySkipped, "private"},
		{"https://169.254.169.254/latest/meta-data", payment.DeliverySkipped, "metadata"},
		{"https://localhost/", payment.DeliverySkipped, "local network"},
		{"https://metadata.google.internal/", payment.DeliverySkipped, "local network"},
		{"https://rebound.example" + port + "/", payment.DeliveryExhausted, "loopback"},
	} {
		id := b.send(b.endpoint(c.url)) // sent at once
		checks = append(checks, func(t *testing.T) {
			t.Helper()
			d, attempts := b.ended(id, 60*time.Second)
			require.Equal(t, c.state, d.State, d.Reason)
			require.Contains(t, d.Reason, c.says)
			if c.state == payment.DeliverySkipped {
				require.Empty(t, attempts)
			} else {
				require.Len(t, attempts, payment.MaxAttempts)
			}
		})
		names = append(names, c.url)
	}
	for i, check := range checks {
		t.Run(names[i], check)
	}
}

// resolverTo returns a resolver that resolves every name to one IPv4 address.
func resolverTo(t *testing.T, address string) *net.Resolver {
	t.Helper()
	socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
	require.NoError(t, err)
	var done sync.WaitGroup
	done.Go(func() {
		packet := make([]byte, 1500)
		for {
			n, from, err := socket.ReadFrom(packet)
			if err != nil {
				return
			}
			_, _ = socket.WriteTo(dnsReply(packet[:n], netip.MustParseAddr(address)), from)
		}
	})
	t.Cleanup(func() { _ = socket.Close(); done.Wait() })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp4", socket.LocalAddr().String())
	}}
}

// dnsReply returns the response to a packet with one query (RFC 1035).
func dnsReply(q []byte, a netip.Addr) []byte {
	end := 12 + bytes.IndexByte(q[12:], 0) + 5 // behind name, type and class
	reply := append(append([]byte{}, q[:2]...), 0x85, 0x80, 0, 1, 0, 0, 0, 0, 0, 0)
	reply = append(reply, q[12:end]...)
	if q[end-3] != 1 { // not an A query
		return reply
	}
	reply[7] = 1
	return append(append(reply, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4), a.AsSlice()...)
}

func TestDeliver_TrustedCertificateAtTLS12IsAccepted(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(status(200))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	trusting := newBench(t, func(o *webhook.Options) { o.Outbound = func(to *outbound.Options) { to.RootCAs = roots } })
	d, _ := trusting.ended(trusting.send(trusting.endpoint(server.URL)), 30*time.Second)
	require.Equal(t, payment.DeliveryDelivered, d.State, d.Reason)
}
