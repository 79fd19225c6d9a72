package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/payment"
)

// counter is a webhook receiver that counts the deliveries of each event.
type counter struct {
	mu     sync.Mutex
	events map[string]int    // by webhook-id
	bodies map[string]string // the bytes of each
	wrong  []string
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.mu.Lock()
	defer c.mu.Unlock()
	id := r.Header.Get("Webhook-Id")
	var event struct {
		Data struct{ Reference, Status string }
	}
	if err := json.Unmarshal(body, &event); err != nil || id != payment.EventID(event.Data.Reference, payment.Success) {
		c.wrong = append(c.wrong, string(body))
	}
	if before, seen := c.bodies[id]; seen && before != string(body) {
		c.wrong = append(c.wrong, "other bytes under "+id)
	}
	c.events[id]++
	c.bodies[id] = string(body)
}

func (c *counter) count() (events, deliveries int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.events {
		deliveries += n
	}
	return len(c.events), deliveries
}

func fromEnvironment(t testing.TB, name string, fallback int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return fallback
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, name)
	return n
}

// tonql and its PostgreSQL are killed at random moments during a run of payments: each payment is notified at least
// once, with one id and the same bytes, and no other one. TONQL_TEST_KILLS and TONQL_TEST_PAYMENTS make it longer.
func TestPayments_SurviveKills(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	kills, payments := fromEnvironment(t, "TONQL_TEST_KILLS", 4), fromEnvironment(t, "TONQL_TEST_PAYMENTS", 40)
	chainData, data := filepath.Join(t.TempDir(), "chain"), filepath.Join(t.TempDir(), "data")
	net := start(t, "devnet", "--data", chainData, "--no-scenario", "--block-interval", "250ms", "--devnet-admin", "127.0.0.1:0")
	config := net.expect(`global config +(\S+)`, time.Minute)
	admin := net.expect(`admin +(http://[^/]+/)`, time.Minute)
	run := func() (*process, string) {
		p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--global-config", config, "--from", "1",
			"--limit-merchant-key", "none", "--limit-merchant-address", "none")
		return p, "http://" + p.expect(`page +http://([^/]+)/`, 2*time.Minute)
	}
	p, base := run()
	key := submatch(t, `(tqpay_\S+)`, runCommand(t, "merchants", "create", "shop", "--data", data))
	received := &counter{events: map[string]int{}, bodies: map[string]string{}}
	receiver := httptest.NewServer(received)
	t.Cleanup(receiver.Close)
	runCommand(t, "merchants", "endpoint", "shop", "--data", data, "--url", receiver.URL)

	references := make([]string, payments)
	for i := range references {
		references[i] = register(t, base, key, i)
	}
	unpaid := register(t, base, key, payments)
	paying := &faucetPayer{admin: admin}
	paidAll := make(chan error, 1)
	go func() { paidAll <- paying.payAll(references) }()
	random := rand.New(rand.NewPCG(1, 2))
	inFlight := 0
	for i := range kills {
		// At a random payment of its share, and at a random moment between two blocks.
		place := int64(i*payments/kills + random.IntN(max(1, payments/kills)))
		eventually(t, 2*time.Minute, "payments continue", func() bool { return paying.made.Load() >= place })
		pause := time.NewTimer(time.Duration(random.IntN(500)) * time.Millisecond)
		<-pause.C
		if paying.made.Load() < int64(payments) {
			inFlight++
		}
		if i%2 == 0 {
			require.NoError(t, p.cmd.Process.Kill())
			<-p.ended
			p, base = run()
			continue
		}
		require.True(t, killPostgres(t, data), "there was a server to kill")
	}
	require.NoError(t, <-paidAll)
	eventually(t, 4*time.Minute, "every payment is notified", func() bool {
		select {
		case <-p.ended: // without its database it may have ended
			p, base = run()
		default:
		}
		events, _ := received.count()
		return events >= payments
	})
	for _, reference := range references {
		eventually(t, time.Minute, "the transaction of the webhook is indexed and committed by the masterchain", func() bool {
			status, body := get(t, base+"/api/merchant/v1/transfer?reference="+reference)
			if status != 200 || !bytes.Contains(body, []byte(`"status":"success"`)) {
				return false
			}
			var event struct{ TxHash string }
			require.NoError(t, json.Unmarshal(body, &event))
			status, body = get(t, base+"/api/v3/transactions?hash="+event.TxHash)
			return status == 200 && regexp.MustCompile(`"mc_block_seqno":[1-9]`).Match(body)
		})
	}
	_, body := get(t, base+"/api/merchant/v1/transfer?reference="+unpaid)
	require.Contains(t, string(body), `"status":"pending"`)
	events, deliveries := received.count()
	require.Equal(t, payments, events, "one event id per payment")
	require.Empty(t, received.wrong)
	t.Logf("%d payments, %d kills, %d of them while payments were made, %d deliveries", payments, kills, inFlight, deliveries)
	p.interrupt(20 * time.Second)
	net.interrupt(20 * time.Second)
}

func register(t *testing.T, base, key string, i int) string {
	t.Helper()
	body := fmt.Sprintf(`{"amount":0.01,"asset":"TON","recipientAddr":"0:%064x","senderAddr":"0:%064x"}`, 1000+i, 1)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/api/merchant/v1/create-transfer", strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("X-Api-Key", key)
	client := http.Client{Timeout: 20 * time.Second}
	resp, err := client.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	var made struct{ Reference string }
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&made))
	require.NotEmpty(t, made.Reference)
	return made.Reference
}

// faucetPayer sends payments from the faucet of a local chain.
type faucetPayer struct {
	admin string
	made  atomic.Int64 // payments that the chain has accepted
}

// payAll sends a payment for each reference, with the reference as the comment.
func (c *faucetPayer) payAll(references []string) error {
	client := http.Client{Timeout: 30 * time.Second}
	defer client.CloseIdleConnections()
	for i, reference := range references {
		body := fmt.Sprintf(`{"to":"0:%064x","amount":"10000000","comment":%q}`, 1000+i, reference)
		for try := 0; ; try++ {
			resp, err := client.Post(c.admin+"faucet", "application/json", strings.NewReader(body))
			if err != nil {
				return err
			}
			output, err := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if err != nil {
				return err
			}
			if resp.StatusCode == http.StatusOK {
				break
			}
			if try > 50 {
				return fmt.Errorf("faucet: %s", bytes.TrimSpace(output))
			}
			pause := time.NewTimer(200 * time.Millisecond)
			<-pause.C
		}
		c.made.Add(1)
	}
	return nil
}

// killPostgres kills the server of a data folder, and reports whether there was one: it may just be starting.
func killPostgres(t *testing.T, data string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(data, "postgres", "*", "postmaster.pid"))
	require.NoError(t, err)
	if len(files) == 0 {
		return false
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(strings.SplitN(string(text), "\n", 2)[0]))
	require.NoError(t, err)
	return syscall.Kill(pid, syscall.SIGKILL) == nil
}
