package devnet

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/address"

	"tonql/internal/chain"
	"tonql/internal/devnet/ledger"
	"tonql/internal/logs"
)

const (
	adminBody    = 64 << 10
	adminTimeout = 60 * time.Second
	maxMine      = 1000 // blocks per request
)

// admin is the administration API: its clients can make blocks, split and merge shards
// and take coins without authentication. It listens on loopback only and accepts JSON
// only, which pages in a browser cannot send across origins, under loopback names only,
// which excludes pages whose domain resolves to this machine.
type admin struct {
	d        *Devnet
	listener net.Listener
	server   *http.Server
	wg       sync.WaitGroup
}

func openAdmin(ctx context.Context, d *Devnet, addr string) (*admin, error) {
	if err := requireLoopback(addr); err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("devnet admin socket: %w", err)
	}
	a := &admin{d: d, listener: l}
	a.server = &http.Server{
		Handler: onlyLoopbackNames(a.router()), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		ErrorLog: logs.Standard(d.opts.Log, "net/http"),
	}
	a.wg.Go(func() { _ = a.server.Serve(l) }) // ends with ErrServerClosed
	return a, nil
}

// requireLoopback refuses addresses that other machines can reach.
func requireLoopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return chain.Invalidf("devnet admin address %q: expected host:port", addr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return chain.Invalidf("devnet admin address %q: only loopback addresses such as 127.0.0.1 are allowed", addr)
	}
	return nil
}

func (a *admin) addr() string { return a.listener.Addr().String() }

// close waits a moment for requests in progress, then ends them.
func (a *admin) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := a.server.Shutdown(ctx)
	if err != nil {
		err = a.server.Close()
	}
	a.wg.Wait()
	if err != nil {
		return fmt.Errorf("devnet admin: %w", err)
	}
	return nil
}

// onlyLoopbackNames refuses requests whose Host is no loopback address.
func onlyLoopbackNames(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if ip := net.ParseIP(strings.Trim(host, "[]")); host != "localhost" && !ip.IsLoopback() {
			http.Error(w, "Host should be a loopback address such as 127.0.0.1", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// handle writes a response or an error as JSON.
func (a *admin) handle(f func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), adminTimeout)
		defer cancel()
		r.Body = http.MaxBytesReader(w, r.Body, adminBody)
		response, err := f(r.WithContext(ctx))
		status := http.StatusOK
		if err != nil {
			status, response = adminStatus(err), map[string]string{"error": err.Error()}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(response)
	}
}

func adminStatus(err error) int {
	var refused *ledger.ExternalError
	if errors.As(err, &refused) {
		return http.StatusConflict
	}
	switch chain.KindOf(err) {
	case chain.Invalid, chain.TooLarge:
		return http.StatusBadRequest
	case chain.NotFound:
		return http.StatusNotFound
	case chain.Unavailable, chain.Behind:
		return http.StatusServiceUnavailable
	default:
		return http.StatusInternalServerError
	}
}

// read parses the request's JSON object. With an empty body all members keep their defaults.
func read(r *http.Request, into any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return chain.Invalidf("Content-Type must be application/json")
	}
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return chain.Invalidf("request body: %v", err)
	}
	return nil
}

// Status is the response of GET /status.
type Status struct {
	Seqno        uint32        `json:"seqno"`
	GenUtime     uint32        `json:"gen_utime"`
	GlobalConfig string        `json:"global_config"`
	Faucet       string        `json:"faucet"`
	Consensus    Consensus     `json:"consensus"` // of the next block
	Shards       []ShardStatus `json:"shards"`
}

// ShardStatus is the newest block of a shard and the size of its out-queue.
type ShardStatus struct {
	Workchain int32  `json:"workchain"`
	Shard     string `json:"shard"`
	Seqno     uint32 `json:"seqno"`
	Queue     int    `json:"queue"`
}

func (a *admin) status(*http.Request) (any, error) {
	head := a.d.Chain.Head()
	s := Status{
		Seqno: head.ID.SeqNo, GenUtime: head.GenUtime,
		GlobalConfig: a.d.GlobalConfigPath(), Faucet: a.d.Faucet.Address().String(), Consensus: a.d.Chain.Consensus(), Shards: []ShardStatus{},
	}
	for _, q := range a.d.Chain.OutQueueSizes() {
		s.Shards = append(s.Shards, ShardStatus{
			Workchain: q.ID.Workchain, Shard: fmt.Sprintf("%016x", uint64(q.ID.Shard)), Seqno: q.ID.SeqNo, Queue: q.Size,
		})
	}
	return s, nil
}

func (a *admin) mine(r *http.Request) (any, error) {
	req := struct {
		Count int `json:"count"`
	}{Count: 1}
	if err := read(r, &req); err != nil {
		return nil, err
	}
	if req.Count < 1 || req.Count > maxMine {
		return nil, chain.Invalidf("count must be between 1 and %d", maxMine)
	}
	for range req.Count {
		if _, err := a.d.Advance(r.Context()); err != nil {
			return nil, err
		}
	}
	return a.status(r)
}

// shardRequest names a shard by its 16 hexadecimal digits; by default the full basechain.
type shardRequest struct {
	Workchain int32  `json:"workchain"`
	Shard     string `json:"shard"`
}

func (s shardRequest) id() (int64, error) {
	if s.Shard == "" {
		return -1 << 63, nil
	}
	v, err := strconv.ParseUint(s.Shard, 16, 64)
	if err != nil || v == 0 {
		return 0, chain.Invalidf("shard %q: expected 16 hexadecimal digits such as 8000000000000000", s.Shard)
	}
	return int64(v), nil
}

func (a *admin) split(r *http.Request) (any, error) { return a.reshape(r, a.d.Chain.RequestSplit) }
func (a *admin) merge(r *http.Request) (any, error) { return a.reshape(r, a.d.Chain.RequestMerge) }

func (a *admin) reshape(r *http.Request, request func(wc int32, shard int64) error) (any, error) {
	var req shardRequest
	if err := read(r, &req); err != nil {
		return nil, err
	}
	shard, err := req.id()
	if err != nil {
		return nil, err
	}
	if err := request(req.Workchain, shard); err != nil {
		return nil, err
	}
	return a.status(r)
}

func (a *admin) faucet(r *http.Request) (any, error) {
	var req struct {
		To      string `json:"to"`
		Amount  uint64 `json:"amount,string"` // nanotons
		Comment string `json:"comment"`
	}
	if err := read(r, &req); err != nil {
		return nil, err
	}
	to, err := parseAddress(req.To)
	if err != nil {
		return nil, err
	}
	if req.Amount == 0 {
		return nil, chain.Invalidf("amount must be a positive number of nanotons, as a string")
	}
	hash, err := a.d.Faucet.Pay(r.Context(), to, req.Amount, req.Comment)
	if err != nil {
		return nil, err
	}
	return FaucetPayment{Sent: true, Message: hex.EncodeToString(hash)}, nil
}

// FaucetPayment is the response of POST /faucet.
type FaucetPayment struct {
	Sent    bool   `json:"sent"`
	Message string `json:"message"` // hash of the external-in message, in hexadecimal
}

// parseAddress parses raw and user-friendly addresses.
func parseAddress(text string) (*address.Address, error) {
	if a, err := address.ParseRawAddr(text); err == nil {
		return a, nil
	}
	a, err := address.ParseAddr(text)
	if err != nil {
		return nil, chain.Invalidf("address %q is not valid", text)
	}
	return a, nil
}

func (a *admin) burst(r *http.Request) (any, error) {
	req := struct {
		Count int `json:"count"`
	}{Count: 1000}
	if err := read(r, &req); err != nil {
		return nil, err
	}
	if a.d.Scenario == nil {
		return nil, chain.Invalidf("this devnet runs without a scenario, which has the wallets for bursts")
	}
	if req.Count < 1 {
		return nil, chain.Invalidf("count must be positive")
	}
	sent, err := a.d.Scenario.Burst(r.Context(), req.Count)
	if err != nil {
		return nil, err
	}
	return map[string]int{"sent": sent}, nil
}

// consensus switches the consensus of the validators; the block with the switch is a key block.
func (a *admin) consensus(r *http.Request) (any, error) {
	var req struct {
		To string `json:"to"`
	}
	if err := read(r, &req); err != nil {
		return nil, err
	}
	to, err := ParseConsensus(req.To)
	if err != nil {
		return nil, err
	}
	if err := a.d.SetConsensus(r.Context(), to); err != nil {
		return nil, err
	}
	return a.status(r)
}
