package node

import (
	"context"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/adnl"
	"tonql/internal/chain"
)

// Survey is what one liteserver claims about itself. Nothing of it is proven.
type Survey struct {
	Name      string // address and port
	Err       error  // why the server could not be surveyed; the rest is empty then
	HeadSeqno uint32
	HeadTime  time.Time     // of the newest masterchain block
	Clock     time.Time     // of the server, in seconds
	RoundTrip time.Duration // of the query for Clock
	Version   int32         // of its protocol
	// OldestSeqno is the oldest masterchain block that the server has, up to a factor of two in its distance from the head;
	// 1 for an archive.
	OldestSeqno uint32
}

// Limits of a survey.
const (
	maxSurveyed   = 64 // servers
	surveyed      = 16 // servers at the same time
	maxDepthSteps = 34 // queries for the oldest block of a server: twice the bits of a seqno
)

// SurveyServers queries every liteserver of the configuration that the options name, up to a limit, in its order.
func SurveyServers(ctx context.Context, o Options) ([]Survey, error) {
	o = o.withDefaults()
	n, err := readNetwork(ctx, o)
	if err != nil {
		return nil, err
	}
	list := make([]Survey, min(len(n.endpoints), maxSurveyed))
	slots := make(chan struct{}, surveyed)
	var all sync.WaitGroup
	for i := range list {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			list[i] = survey(ctx, n.endpoints[i], o.Timeout)
		})
	}
	all.Wait()
	return list, nil
}

// survey queries one server.
func survey(ctx context.Context, e endpoint, timeout time.Duration) Survey {
	s := Survey{Name: e.addr}
	dialing, cancel := context.WithTimeout(ctx, timeout)
	conn, err := adnl.Dial(dialing, e.addr, e.key)
	cancel()
	if err != nil {
		s.Err = &brokenError{"cannot be reached", err}
		return s
	}
	defer conn.Close()
	start := time.Now()
	clock, err := surveyCall[ton.CurrentTime](ctx, conn, ton.GetTime{}, timeout)
	if err != nil {
		s.Err = err
		return s
	}
	s.Clock, s.RoundTrip = time.Unix(int64(clock.Now), 0), time.Since(start)
	if version, err := surveyCall[ton.Version](ctx, conn, ton.GetVersion{}, timeout); err == nil {
		s.Version = version.Version
	}
	info, err := surveyCall[ton.MasterchainInfoExt](ctx, conn, ton.GetMasterchainInfoExt{}, timeout)
	if err != nil || info.Last == nil {
		s.Err = err
		if err == nil {
			s.Err = lie(nil, "returned no head")
		}
		return s
	}
	s.HeadSeqno, s.HeadTime = info.Last.SeqNo, time.Unix(int64(info.LastUTime), 0)
	s.OldestSeqno, s.Err = oldest(ctx, conn, s.HeadSeqno, timeout)
	return s
}

// oldest looks for the oldest masterchain block of a server: block 1 first, then blocks at distances from the head that
// double.
func oldest(ctx context.Context, conn *adnl.Conn, head uint32, timeout time.Duration) (uint32, error) {
	has := func(seqno uint32) (bool, error) {
		short := &ton.BlockInfoShort{Workchain: chain.MasterchainID, Shard: -1 << 63, Seqno: int32(seqno)}
		_, err := surveyCall[ton.BlockHeader](ctx, conn, ton.LookupBlock{Mode: bySeqno, ID: short}, timeout)
		if declined(err) {
			return false, nil
		}
		return err == nil, err
	}
	if found, err := has(min(1, head)); found || err != nil {
		return min(1, head), err
	}
	found := head
	for distance, step := uint32(1), 0; distance < head && step < maxDepthSteps; distance, step = distance*2, step+1 {
		ok, err := has(head - distance)
		if err != nil || !ok {
			return found, err
		}
		found = head - distance
	}
	return found, nil
}

// surveyCall sends one query and expects a response of type T.
func surveyCall[T any](ctx context.Context, conn *adnl.Conn, request tl.Serializable, timeout time.Duration) (T, error) {
	var none T
	raw, err := tl.Serialize(request, true)
	if err != nil {
		return none, err
	}
	response, err := conn.QueryWithin(ctx, raw, timeout)
	if err != nil {
		return none, &brokenError{"does not respond to " + queryName(request), err}
	}
	parsed, err := parseResponse(response)
	if err != nil {
		return none, err
	}
	return expect[T](parsed, queryName(request))
}
