package lite

import (
	"context"
	"encoding/binary"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
)

const (
	// maxWait limits waitMasterchainSeqno, whatever the client requests.
	maxWait = 10 * time.Second
	// maxWaitAhead limits how far above the head the awaited block may be.
	maxWaitAhead = 100
)

var liteQueryID = tl.CRC("liteServer.query data:bytes = Object")

// request is one query with the prefixes that came before it.
type request struct {
	query tl.Serializable
	wait  *ton.WaitMasterchainSeqno
}

// query parses and executes one liteServer.query and returns the response.
func (s *Server) query(ctx context.Context, body []byte) (response tl.Serializable) {
	// The parsers below read input from the network; a defect in them must fail
	// one query, not the server.
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("liteserver panicked", "err", fmt.Sprint(p), "stack", string(debug.Stack()))
			response = fail(codeInternal, "internal error")
		}
	}()
	req, err := parseRequest(body)
	if err != nil {
		return asLSError(err)
	}
	if req.wait != nil {
		if err := s.api.wait(ctx, *req.wait); err != nil {
			return asLSError(err)
		}
	}
	if req.query == nil {
		return fail(codeProtocol, "empty query")
	}
	ctx, cancel := context.WithTimeout(ctx, s.queryTimeout)
	defer cancel()
	return s.handle(ctx, req.query)
}

// work is the innermost handler: it computes the response once a worker is free.
func (s *Server) work(ctx context.Context, query tl.Serializable) tl.Serializable {
	if ctx.Err() != nil { // the select below would choose at random
		return asLSError(ctx.Err())
	}
	select {
	case s.workers <- struct{}{}:
		defer func() { <-s.workers }()
	case <-ctx.Done():
		return asLSError(ctx.Err())
	}
	start := time.Now()
	response, err := s.api.response(ctx, query)
	if err != nil {
		ls := asLSError(err)
		s.log.Debug("liteserver query served", "query", fmt.Sprintf("%T", query), "code", ls.Code, "err", ls.Text)
		return ls
	}
	s.log.Debug("liteserver query served", "query", fmt.Sprintf("%T", query), "took", time.Since(start))
	return response
}

// parseRequest parses the envelope, the prefixes and the query.
func parseRequest(body []byte) (request, error) {
	if len(body) >= 4 && binary.LittleEndian.Uint32(body) == liteQueryID {
		inner, _, err := tl.FromBytes(body[4:])
		if err != nil {
			return request{}, fail(codeProtocol, "cannot parse query envelope: %v", err)
		}
		body = inner
	}
	var req request
	for len(body) > 0 {
		var v tl.Serializable
		rest, err := tl.Parse(&v, body, true)
		if err != nil {
			return request{}, fail(codeProtocol, "unknown query %#08x: %v", constructor(body), err)
		}
		switch q := v.(type) {
		case ton.WaitMasterchainSeqno:
			req.wait = &q
			body = rest
		case liteclient.LiteServerQueryPrefix:
			body = rest
		default:
			req.query = v
			return req, nil
		}
	}
	return req, nil
}

func constructor(body []byte) uint32 {
	if len(body) < 4 {
		return 0
	}
	return binary.LittleEndian.Uint32(body)
}

// wait blocks until the chain reaches the requested seqno.
func (a *api) wait(ctx context.Context, w ton.WaitMasterchainSeqno) error {
	seqno := uint32(w.Seqno)
	head := a.chain.Head()
	if head != nil && head.ID.SeqNo >= seqno {
		return nil
	}
	if head != nil && seqno > head.ID.SeqNo+maxWaitAhead {
		return fail(codeNotReady, "too big masterchain block seqno")
	}
	timeout := min(time.Duration(max(w.Timeout, 0))*time.Millisecond, maxWait)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := a.chain.WaitSeqno(ctx, seqno); err != nil {
		if ctx.Err() != nil {
			return fail(codeWaited, "timeout")
		}
		return fmt.Errorf("wait for block %d: %w", seqno, err)
	}
	return nil
}
