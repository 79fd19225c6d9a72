package adnl_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"go.uber.org/goleak"

	"tonql/internal/adnl"
	"tonql/internal/node/nodetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func dial(t *testing.T, s *nodetest.Server) *adnl.Conn {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(s.Liteserver().ID.Key)
	require.NoError(t, err)
	c, err := adnl.Dial(bounded(t, 10*time.Second), s.Name(), key)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func bounded(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func query(t *testing.T, q tl.Serializable) []byte {
	t.Helper()
	raw, err := tl.Serialize(q, true)
	require.NoError(t, err)
	return raw
}

// echo returns as many bytes as the seqno of the requested block.
func echo(_ context.Context, q tl.Serializable) tl.Serializable {
	get := q.(ton.GetBlockData)
	return ton.BlockData{ID: get.ID, Payload: bytes.Repeat([]byte{byte(get.ID.SeqNo)}, int(get.ID.SeqNo))}
}

func get(size uint32) ton.GetBlockData {
	return ton.GetBlockData{ID: &ton.BlockIDExt{SeqNo: size, RootHash: make([]byte, 32), FileHash: make([]byte, 32)}}
}

func TestQuery_ResponsesInAnyOrderReachTheirQueries(t *testing.T) {
	t.Parallel()
	c := dial(t, nodetest.Serve(t, echo))
	ctx := bounded(t, 30*time.Second)
	var wg sync.WaitGroup
	errs := make(chan error, 400)
	for i := range uint32(400) {
		size := i * i * 3 // from nothing to half a megabyte, in any order
		wg.Go(func() {
			raw, err := c.Query(ctx, query(t, get(size)))
			if err != nil {
				errs <- err
				return
			}
			var response ton.BlockData
			if _, err := tl.Parse(&response, raw, true); err != nil || len(response.Payload) != int(size) || response.ID.SeqNo != size {
				errs <- fmt.Errorf("response of %d bytes to %d: %w", len(response.Payload), size, err)
			}
		})
	}
	wg.Wait()
	require.Empty(t, errs)
	require.NoError(t, c.Err())
}

func TestQuery_BrokenConnectionFailsAllQueriesAtOnce(t *testing.T) {
	t.Parallel()
	received := make(chan struct{}, 8)
	s := nodetest.Serve(t, func(ctx context.Context, _ tl.Serializable) tl.Serializable {
		received <- struct{}{}
		<-ctx.Done()
		return nil
	})
	c := dial(t, s)
	ctx := bounded(t, time.Minute)
	failed, request := make(chan error, 8), query(t, get(1))
	for range 8 {
		go func() {
			_, err := c.Query(ctx, request)
			failed <- err
		}()
	}
	for range 8 {
		<-received
	}
	s.HangUp()
	for range 8 {
		require.Error(t, <-failed)
	}
	<-c.Done()
	require.Error(t, c.Err())
	_, err := c.Query(ctx, query(t, get(1)))
	require.Equal(t, c.Err(), err)
	require.NoError(t, ctx.Err(), "not by deadline")
}

func TestQuery_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := nodetest.Serve(t, func(ctx context.Context, q tl.Serializable) tl.Serializable {
		if q.(ton.GetBlockData).ID.SeqNo == 1 {
			<-ctx.Done()
			return nil
		}
		return echo(ctx, q)
	})
	c := dial(t, s)
	short := bounded(t, 20*time.Millisecond)
	_, err := c.Query(short, query(t, get(1)))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = c.Query(bounded(t, 10*time.Second), query(t, get(2)))
	require.NoError(t, err, "the connection outlives a query")
	c.Close()
	_, err = c.Query(bounded(t, 10*time.Second), query(t, get(2)))
	require.ErrorIs(t, err, adnl.ErrClosed)
}

func TestDial_WrongKeySilentServerAndClosedPortFail(t *testing.T) {
	t.Parallel()
	s := nodetest.Serve(t, echo)
	other, _, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	_, err = adnl.Dial(bounded(t, 10*time.Second), s.Name(), other)
	require.Error(t, err, "a server with another key")

	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, silent.Close()) }()
	short := bounded(t, 50*time.Millisecond)
	_, err = adnl.Dial(short, silent.Addr().String(), other)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	_, err = adnl.Dial(bounded(t, 10*time.Second), "127.0.0.1:1", other)
	require.Error(t, err)
}
