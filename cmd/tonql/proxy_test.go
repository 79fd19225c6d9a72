package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// proxyHost is the name in the configurations of deploy/proxy.
const proxyHost = "tonql.example"

// proxied is a gateway behind a reverse proxy.
type proxied struct {
	address string // of the proxy
	trust   *x509.CertPool
}

// client returns a client that connects to the proxy from an address of this machine.
func (p proxied) client(t *testing.T, from string) *http.Client {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	transport := &http.Transport{
		ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: p.trust, ServerName: proxyHost, MinVersion: tls.VersionTLS12},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, p.address)
		},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// certificate writes a certificate of proxyHost and its key.
func certificate(t *testing.T, folder string) (cert, key string, trust *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: proxyHost}, DNSNames: []string{proxyHost},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	cert, key = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}), 0o644))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}), 0o600))
	parsed, err := x509.ParseCertificate(signed)
	require.NoError(t, err)
	trust = x509.NewCertPool()
	trust.AddCert(parsed)
	return cert, key, trust
}

// freeAddress returns an address of this machine where nothing listens at the moment.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().String()
}

// replaced returns a file of deploy/proxy with other texts, each of which occurs in it.
func replaced(t *testing.T, name string, pairs ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(deployFolder, "proxy", name))
	require.NoError(t, err)
	for i := 0; i < len(pairs); i += 2 {
		require.Contains(t, string(data), pairs[i], name)
	}
	return strings.NewReplacer(pairs...).Replace(string(data))
}

// runProxy runs a proxy until the test ends.
func runProxy(t *testing.T, address, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_DATA_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait() // the status after a signal depends on the program
		if t.Failed() {
			t.Logf("%s\n%s", program, output.String())
		}
	})
	eventually(t, time.Minute, "the proxy listens", func() bool {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	})
}

// proxyProgram returns the path of a proxy, or skips the test.
func proxyProgram(t *testing.T, name string) string {
	t.Helper()
	for _, candidate := range []string{name, "/usr/sbin/" + name} {
		if path, err := exec.LookPath(candidate); err == nil {
			return path
		}
	}
	skipUnlessRequired(t, "TONQL_REQUIRE_PROXIES", name+" is not installed")
	return ""
}

func TestProxy_NginxPassesEverything(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	program := proxyProgram(t, "nginx")
	folder := t.TempDir()
	cert, key, trust := certificate(t, folder)
	address, gateway := freeAddress(t), freeAddress(t)
	site := replaced(t, "nginx.conf",
		"server 127.0.0.1:8080;", "server "+gateway+";", "    listen [::]:443 ssl http2;\n", "", "listen 443 ssl", "listen "+address+" ssl",
		"    listen [::]:80;\n", "", "listen 80;", "listen "+freeAddress(t)+";",
		"/etc/ssl/tonql.example.pem", cert, "/etc/ssl/private/tonql.example.key", key)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "site.conf"), []byte(site), 0o600))
	var temporary strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temporary, "%s_temp_path %s;\n", kind, filepath.Join(folder, kind))
	}
	// Root would hand the temporary folders to another account, which cannot enter the folder of the test.
	account := ""
	if os.Geteuid() == 0 {
		account = "user root;\n"
	}
	conf := fmt.Sprintf("%sdaemon off;\npid %s/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n%s\ninclude %s/site.conf;\n}\n", account, folder, temporary.String(), folder)
	path := filepath.Join(folder, "nginx.conf")
	require.NoError(t, os.WriteFile(path, []byte(conf), 0o600))
	out, err := exec.CommandContext(t.Context(), program, "-t", "-c", path, "-p", folder, "-e", "stderr").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NotContains(t, string(out), "[warn]")
	checkProxy(t, proxied{address, trust}, gateway, func() { runProxy(t, address, program, "-c", path, "-p", folder, "-e", "stderr") })
}

func TestProxy_CaddyPassesEverything(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	program := proxyProgram(t, "caddy")
	folder := t.TempDir()
	cert, key, trust := certificate(t, folder)
	address, gateway := freeAddress(t), freeAddress(t)
	host, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	site := replaced(t, "Caddyfile",
		"tonql.example {", fmt.Sprintf("{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind %s\n}\n\n%s:%s {\n\ttls %s %s", host, proxyHost, port, cert, key),
		"127.0.0.1:8080", gateway)
	path := filepath.Join(folder, "Caddyfile")
	require.NoError(t, os.WriteFile(path, []byte(site), 0o600))
	out, err := exec.CommandContext(t.Context(), program, "validate", "--adapter", "caddyfile", "--config", path).CombinedOutput()
	require.NoError(t, err, "%s", out)
	checkProxy(t, proxied{address, trust}, gateway, func() { runProxy(t, address, program, "run", "--adapter", "caddyfile", "--config", path) })
}

// checkProxy starts a gateway and a proxy, and checks what only works when the proxy is configured for it.
func checkProxy(t *testing.T, p proxied, gateway string, run func()) {
	t.Helper()
	service := start(t, "up", "--data", filepath.Join(t.TempDir(), "data"), "--listen", gateway, "--trusted-proxy", "127.0.0.1",
		"--limit-without-key", "5", "--block-interval", "500ms")
	service.expect(`(tonql is up)`, 2*time.Minute)
	eventually(t, 2*time.Minute, "the first block is indexed", func() bool {
		status, _ := get(t, "http://"+gateway+"/readyz")
		return status == http.StatusOK
	})
	run()
	base := "https://" + proxyHost
	client := p.client(t, "127.0.0.1")
	do := func(client *http.Client, request *http.Request) (*http.Response, string) {
		response, err := client.Do(request)
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response, string(body)
	}
	request := func(method, path, body string) *http.Request {
		r, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
		require.NoError(t, err)
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		return r
	}
	// HTTP/2 to the proxy; pages have their policy, and HTTPS is required from then on.
	response, _ := do(client, request(http.MethodGet, "/", ""))
	require.Equal(t, 200, response.StatusCode)
	require.Equal(t, 2, response.ProtoMajor)
	require.Equal(t, "max-age=31536000", response.Header.Get("Strict-Transport-Security"))
	for _, path := range []string{"/metrics", "/readyz", "/healthz"} {
		response, _ = do(client, request(http.MethodGet, path, ""))
		require.Equal(t, 404, response.StatusCode, path)
	}
	// The proxy accepts what tonql accepts: a URL with a thousand addresses, and a body of a megabyte. tonql itself refuses more.
	addresses := strings.Repeat("&address=0:"+strings.Repeat("a", 64), 1000)
	response, body := do(p.client(t, "127.0.0.2"), request(http.MethodGet, "/api/v3/accountStates?include_boc=false"+addresses, ""))
	require.NotContains(t, []int{400, 413, 414, 431, 502}, response.StatusCode, body)
	call := `{"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo","params":{},"padding":"` + strings.Repeat(" ", 1<<20-200) + `"}`
	response, body = do(p.client(t, "127.0.0.3"), request(http.MethodPost, "/api/v2/jsonRPC", call))
	require.NotContains(t, []int{413, 502}, response.StatusCode, body)
	// The longest body that /api/v3 reads, and one that it refuses in its own form.
	estimate := func(size int) string {
		return `{"address":"0:` + strings.Repeat("a", 64) + `"}` + strings.Repeat(" ", size-100)
	}
	response, body = do(p.client(t, "127.0.0.9"), request(http.MethodPost, "/api/v3/estimateFee", estimate(4<<20)))
	require.Equal(t, 200, response.StatusCode, body)
	response, body = do(p.client(t, "127.0.0.9"), request(http.MethodPost, "/api/v3/estimateFee", estimate(4<<20+200)))
	require.Equal(t, 413, response.StatusCode, body)
	require.Contains(t, body, `"error"`)

	checkClientAddress(t, p, base)
	checkEventStream(t, p.client(t, "127.0.0.4"), base)
	checkSocket(t, p.client(t, "127.0.0.5"), base)
	service.interrupt(10 * time.Second)
	checkDeparture(t, p.client(t, "127.0.0.8"), base, gateway)
}

// checkClientAddress requires that limits are those of the client's address, whatever it writes itself.
func checkClientAddress(t *testing.T, p proxied, base string) {
	t.Helper()
	send := func(from string) map[int]int {
		client := p.client(t, from)
		found := map[int]int{}
		for i := range 30 {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/api/v3/masterchainInfo", http.NoBody)
			require.NoError(t, err)
			r.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i)) // a forged one
			response, err := client.Do(r)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			found[response.StatusCode]++
		}
		return found
	}
	first := send("127.0.0.6")
	require.Positive(t, first[429], "%v: forged addresses do not lift the limit", first)
	second, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/api/v3/masterchainInfo", http.NoBody)
	require.NoError(t, err)
	response, err := p.client(t, "127.0.0.7").Do(second)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, 200, response.StatusCode, "another address has its own limit")
}

// checkEventStream requires that events arrive while the stream is open.
func checkEventStream(t *testing.T, client *http.Client, base string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/graphql", strings.NewReader(`{"query":"subscription { blocks(where: {workchain: -1}) { mcSeqno } }"}`))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	response, err := client.Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }() // in the middle of the stream
	require.Equal(t, "text/event-stream", strings.Split(response.Header.Get("Content-Type"), ";")[0])
	lines, events := bufio.NewScanner(response.Body), 0
	for events < 3 && lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data: {") {
			events++
		}
	}
	require.Equal(t, 3, events, "%v", lines.Err())
}

// checkDeparture requires that the request of a client that goes ends at the gateway, in whose place a server sends nothing after the header of a stream.
func checkDeparture(t *testing.T, client *http.Client, base, gateway string) {
	t.Helper()
	listener, err := net.Listen("tcp", gateway)
	require.NoError(t, err)
	gone, stop := make(chan struct{}), make(chan struct{})
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Accel-Buffering", "no")
		_ = http.NewResponseController(w).Flush() // a connection that is lost ends the context
		select {
		case <-r.Context().Done():
			close(gone)
		case <-stop:
		}
	})}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() {
		close(stop)
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-served, http.ErrServerClosed)
	}()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/stream", http.NoBody)
	require.NoError(t, err)
	response, err := client.Do(r)
	require.NoError(t, err)
	require.Equal(t, 200, response.StatusCode)
	cancel()
	_ = response.Body.Close() // the request was cancelled
	select {
	case <-gone:
	case <-time.After(time.Minute):
		require.Fail(t, "the gateway does not see that the client has gone")
	}
}

// checkSocket requires that a WebSocket passes.
func checkSocket(t *testing.T, client *http.Client, base string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	transport, ok := client.Transport.(*http.Transport)
	require.True(t, ok)
	transport.ForceAttemptHTTP2 = false // a WebSocket is an upgrade of HTTP/1.1
	transport.TLSClientConfig.NextProtos = []string{"http/1.1"}
	ws, _, err := websocket.Dial(ctx, base+"/graphql", &websocket.DialOptions{HTTPClient: client, Subprotocols: []string{"graphql-transport-ws"}})
	require.NoError(t, err)
	defer func() { _ = ws.CloseNow() }() // it may be closed already
	require.NoError(t, wsjson.Write(ctx, ws, map[string]string{"type": "connection_init"}))
	require.NoError(t, wsjson.Write(ctx, ws, json.RawMessage(`{"type":"subscribe","id":"1","payload":{"query":"subscription { blocks(where: {workchain: -1}) { mcSeqno } }"}}`)))
	for events := 0; events < 2; {
		var message struct{ Type string }
		require.NoError(t, wsjson.Read(ctx, ws, &message))
		require.NotContains(t, []string{"error", "complete"}, message.Type)
		if message.Type == "next" {
			events++
		}
	}
}
