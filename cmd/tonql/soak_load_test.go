package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// soakLoad sends mixed requests to a running tonql: every API, known and unknown keys, pages and single rows,
// executions, hostile input and event streams.
type soakLoad struct {
	base   string
	client *http.Client

	mu    sync.Mutex
	pools map[string][]string // addresses and hashes on the chain, by kind
	rnd   *rand.Rand

	sent, failed, broken atomic.Int64 // broken: internal errors
	statuses             [600]atomic.Int64
}

func newSoakLoad(base string) *soakLoad {
	return &soakLoad{
		base: base, pools: map[string][]string{}, rnd: rand.New(rand.NewPCG(17, 17)),
		client: &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 8}},
	}
}

const (
	maxPool    = 4096 // values of a kind, to bound the memory of the client
	maxReasons = 10   // failures whose reason is reported
)

func (l *soakLoad) learn(kind, value string) {
	if value == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pools[kind]) < maxPool {
		l.pools[kind] = append(l.pools[kind], value)
		return
	}
	l.pools[kind][l.rnd.IntN(maxPool)] = value
}

// any returns a value of the kind, or an unknown address when there is none.
func (l *soakLoad) any(kind string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.pools[kind]; len(p) > 0 {
		return p[l.rnd.IntN(len(p))]
	}
	return "0:" + l.hex(32)
}

func (l *soakLoad) hex(n int) string { return fmt.Sprintf("%x", l.bytes(n)) }

func (l *soakLoad) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(l.rnd.UintN(256))
	}
	return b
}

func (l *soakLoad) unknown() (address, hash string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return "0:" + l.hex(32), base64.URLEncoding.EncodeToString(l.bytes(32))
}

func (l *soakLoad) n(below int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rnd.IntN(below)
}

// refresh adds accounts, transactions and contracts of the newest pages.
func (l *soakLoad) refresh(ctx context.Context) {
	var page struct {
		Transactions []struct {
			Account, Hash string
			TraceID       string                  `json:"trace_id"`
			InMsg         *struct{ Hash string }  `json:"in_msg"`
			OutMsgs       []struct{ Hash string } `json:"out_msgs"`
		}
		JettonMasters []struct{ Address string }        `json:"jetton_masters"`
		JettonWallets []struct{ Address, Owner string } `json:"jetton_wallets"`
		NftItems      []struct{ Address string }        `json:"nft_items"`
	}
	for _, path := range []string{"transactions?limit=100", "jetton/masters?limit=50", "jetton/wallets?limit=100", "nft/items?limit=50"} {
		body := l.do(ctx, http.MethodGet, "/api/v3/"+path, "")
		if json.Unmarshal(body, &page) != nil {
			continue
		}
	}
	for _, t := range page.Transactions {
		l.learn("account", t.Account)
		l.learn("tx", t.Hash)
		l.learn("trace", t.TraceID)
		if t.InMsg != nil {
			l.learn("message", t.InMsg.Hash)
		}
	}
	for _, m := range page.JettonMasters {
		l.learn("master", m.Address)
	}
	for _, w := range page.JettonWallets {
		l.learn("wallet", w.Address)
		l.learn("owner", w.Owner)
	}
	for _, i := range page.NftItems {
		l.learn("nft", i.Address)
	}
}

func (l *soakLoad) do(ctx context.Context, method, path, body string) []byte {
	r, err := http.NewRequestWithContext(ctx, method, l.base+path, bytes.NewReader([]byte(body)))
	if err != nil {
		l.failed.Add(1)
		return nil
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	l.sent.Add(1)
	resp, err := l.client.Do(r)
	if err != nil {
		if ctx.Err() == nil && l.failed.Add(1) <= maxReasons {
			l.learn("reason", fmt.Sprintf("%s %s: %v", method, path, err))
		}
		return nil
	}
	defer resp.Body.Close()
	l.statuses[resp.StatusCode%600].Add(1)
	// The published v2 reports client errors with 500, too.
	if resp.StatusCode == http.StatusInternalServerError && !strings.HasPrefix(path, "/api/v2/") {
		l.broken.Add(1)
	}
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 4<<20))
	return text
}

func (l *soakLoad) graphql(ctx context.Context, text string, variables map[string]any) {
	body, _ := json.Marshal(map[string]any{"query": text, "variables": variables}) // maps of strings always encode
	l.do(ctx, http.MethodPost, "/graphql", string(body))
}

// stream holds one subscription open for a while and closes it.
func (l *soakLoad) stream(ctx context.Context, text string) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(1+l.n(8))*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.base+"/graphql?query="+url.QueryEscape(text), nil)
	if err != nil {
		return
	}
	r.Header.Set("Accept", "text/event-stream")
	l.sent.Add(1)
	resp, err := l.client.Do(r)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	l.statuses[resp.StatusCode%600].Add(1)
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
	}
}

// once sends one request of a random kind.
func (l *soakLoad) once(ctx context.Context) {
	account, tx, trace, message := l.any("account"), url.QueryEscape(l.any("tx")), url.QueryEscape(l.any("trace")), url.QueryEscape(l.any("message"))
	owner, master, nft := l.any("owner"), l.any("master"), l.any("nft")
	nobody, nothing := l.unknown()
	get := func(path string) { l.do(ctx, http.MethodGet, path, "") }
	kinds := []func(){
		func() { get("/api/v3/transactions?account=" + account + "&limit=50") },
		func() { get("/api/v3/transactions?hash=" + tx) },
		func() { get("/api/v3/transactions?hash=" + nothing) },
		func() { get("/api/v3/messages?msg_hash=" + message) },
		func() { get("/api/v3/messages?limit=100") },
		func() { get("/api/v3/traces?trace_id=" + trace + "&include_actions=true") },
		func() { get("/api/v3/actions?account=" + account + "&limit=50") },
		func() { get("/api/v3/actions?limit=100&include_accounts=true") },
		func() { get("/api/v3/events?limit=20") },
		func() { get("/api/v3/accountStates?address=" + account + "&address=" + nobody) },
		func() { get("/api/v3/addressBook?address=" + account + "&address=" + nobody + "&address=" + owner) },
		func() { get("/api/v3/metadata?address=" + master + "&address=" + nobody) },
		func() { get("/api/v3/walletStates?address=" + owner + "&address=" + nobody) },
		func() { get("/api/v3/jetton/wallets?owner_address=" + owner) },
		func() { get("/api/v3/jetton/transfers?owner_address=" + owner + "&limit=50") },
		func() { get("/api/v3/jetton/masters?limit=50") },
		func() { get("/api/v3/nft/items?owner_address=" + owner) },
		func() { get("/api/v3/nft/transfers?limit=50") },
		func() { get("/api/v3/topAccountsByBalance?limit=100") },
		func() { get("/api/v3/blocks?limit=100") },
		func() { get("/api/v3/balanceChanges?trace_id=" + trace) },
		func() { get("/api/v3/pendingTraces?account=" + account) },
		func() { get("/api/v3/addressInformation?address=" + account) },
		func() { get("/api/v3/walletInformation?address=" + nobody) },
		func() { get("/api/v3/" + nothing) },
		func() { get("/api/v2/getAddressInformation?address=" + account) },
		func() { get("/api/v2/getExtendedAddressInformation?address=" + nobody) },
		func() { get("/api/v2/getTransactions?address=" + account + "&limit=20") },
		func() { get("/api/v2/getTokenData?address=" + master) },
		func() { get("/api/v2/getMasterchainInfo") },
		func() {
			get(fmt.Sprintf("/api/v2/getBlockHeader?workchain=-1&shard=-9223372036854775808&seqno=%d", 1+l.n(200)))
		},
		func() { get(fmt.Sprintf("/api/v2/getShards?seqno=%d", 1+l.n(200))) },
		func() {
			get(fmt.Sprintf("/api/v2/lookupBlock?workchain=-1&shard=-9223372036854775808&seqno=%d", 1+l.n(200)))
		},
		func() { get(fmt.Sprintf("/api/v2/getConfigParam?config_id=%d", l.n(40))) },
		func() { get("/api/v2/getConfigAll") },
		func() {
			l.do(ctx, http.MethodPost, "/api/v2/jsonRPC", `{"jsonrpc":"2.0","id":1,"method":"getAddressBalance","params":{"address":"`+account+`"}}`)
		},
		func() {
			l.do(ctx, http.MethodPost, "/api/v2/runGetMethod", `{"address":"`+owner+`","method":"seqno","stack":[]}`)
		},
		func() {
			l.do(ctx, http.MethodPost, "/api/v3/runGetMethod", `{"address":"`+master+`","method":"get_jetton_data","stack":[]}`)
		},
		func() {
			l.do(ctx, http.MethodPost, "/api/v3/runGetMethod", `{"address":"`+nft+`","method":"get_nft_data","stack":[]}`)
		},
		func() {
			l.do(ctx, http.MethodPost, "/api/v3/estimateFee", `{"address":"`+owner+`","body":"te6cckEBAQEAAgAAAEysuc0=","ignore_chksig":true}`)
		},
		func() { l.do(ctx, http.MethodPost, "/api/v2/sendBoc", `{"boc":"`+nothing+`"}`) },
		func() { l.do(ctx, http.MethodPost, "/api/v3/message", `{"boc":"te6cckEBAQEAAgAAAEysuc0="}`) },
		func() {
			l.graphql(ctx, `query($a: Address!) { account(address: $a) { address domain interfaces state { balance status } transactions(first: 20) { nodes { hash lt inMessage { hash value } } } } }`, map[string]any{"a": account})
		},
		func() {
			l.graphql(ctx, `query($a: Address!) { simulate(message: {internal: {source: $a, destination: $a, value: "1000000000"}}, ignoreSignature: true) { accepted exitCode gasUsed trace { transactionCount } } }`, map[string]any{"a": owner})
		},
		func() {
			// A new text each time: caches by text must be bounded.
			l.graphql(ctx, fmt.Sprintf(`query Q%d { a%d: transactions(first: %d) { nodes { hash account { address } outMessages { hash } } } }`, l.n(1<<30), l.n(1<<30), 1+l.n(50)), nil)
		},
		func() { l.graphql(ctx, `{ search(query: "`+nobody+`") { __typename } }`, nil) },
		func() {
			l.graphql(ctx, `{ jettonMasters(first: 20) { nodes { address totalSupply } } nftItems(first: 20) { nodes { address } } }`, nil)
		},
		func() {
			l.graphql(ctx, `{ actions(first: 100) { nodes { __typename } } traces(first: 20) { nodes { transactionCount } } }`, nil)
		},
		func() {
			l.graphql(ctx, `{ serviceConfig { __typename } indexStatus { first { seqno } lagSeconds } }`, nil)
		},
		func() { l.graphql(ctx, `{ nonsense`+nobody+` }`, nil) },
		func() { l.stream(ctx, `subscription { blocks { cursor mcSeqno } }`) },
		func() { l.stream(ctx, `subscription { actions(includePending: true) { cursor mcSeqno } }`) },
		func() { l.stream(ctx, `subscription { accountStates(accounts: ["`+account+`"]) { cursor mcSeqno } }`) },
		func() { get("/") },
		func() { get("/explorer") },
		func() { get("/playground") },
		func() { get("/dashboard") },
		func() { get("/metrics") },
		func() { get("/readyz") },
		func() { get("/api/v3/") },
	}
	kinds[l.n(len(kinds))]()
}

// run sends requests at the rate until ctx ends, a few concurrently.
func (l *soakLoad) run(ctx context.Context, perSecond int) {
	const atOnce = 6
	var wg sync.WaitGroup
	tick := time.NewTicker(time.Second / time.Duration(perSecond))
	defer tick.Stop()
	slots := make(chan struct{}, atOnce)
	var refreshed time.Time
	for {
		select {
		case <-ctx.Done():
			wg.Wait()
			l.client.CloseIdleConnections()
			return
		case <-tick.C:
		}
		if time.Since(refreshed) > 10*time.Second {
			refreshed = time.Now()
			l.refresh(ctx)
		}
		select {
		case slots <- struct{}{}:
			wg.Go(func() {
				defer func() { <-slots }()
				l.once(ctx)
			})
		case <-ctx.Done():
		}
	}
}

// report logs the outcomes of the requests, and fails the test after internal errors.
func (l *soakLoad) report(t *testing.T) {
	t.Helper()
	var line strings.Builder
	fmt.Fprintf(&line, "%d requests, %d without a response;", l.sent.Load(), l.failed.Load())
	for status := range l.statuses {
		if n := l.statuses[status].Load(); n > 0 {
			fmt.Fprintf(&line, " %d: %d", status, n)
		}
	}
	t.Log(line.String())
	for _, reason := range l.pools["reason"] {
		t.Log(reason)
	}
	require.Zero(t, l.broken.Load(), "internal errors")
}
