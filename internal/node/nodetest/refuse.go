package nodetest

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
)

// Slow delays every response.
func Slow(delay time.Duration) Fault {
	return func(ctx context.Context, query tl.Serializable, next Handler) tl.Serializable {
		select {
		case <-time.After(delay):
			return next(ctx, query)
		case <-ctx.Done():
			return nil
		}
	}
}

// Limit passes so many queries in each period and refuses the others, as proxies that limit clients do.
func Limit(queries int, period time.Duration, refusal ton.LSError) Fault {
	var mu sync.Mutex
	var began time.Time
	passed := 0
	return func(ctx context.Context, query tl.Serializable, next Handler) tl.Serializable {
		mu.Lock()
		if now := time.Now(); now.Sub(began) >= period {
			began, passed = now, 0
		}
		passed++
		over := passed > queries
		mu.Unlock()
		if over {
			return refusal
		}
		return next(ctx, query)
	}
}

// RefuseEvery refuses every n-th query with one of the errors, in turn.
func RefuseEvery(n int, errors ...ton.LSError) Fault {
	var count atomic.Int64
	return func(ctx context.Context, query tl.Serializable, next Handler) tl.Serializable {
		if i := int(count.Add(1)); i%n == 0 {
			return errors[i/n%len(errors)]
		}
		return next(ctx, query)
	}
}

// Lacking refuses queries for the blocks, and for the states after the blocks, that lost names, as nodes do that have
// removed them.
func Lacking(lost func(id ton.BlockIDExt) bool) Fault {
	return func(ctx context.Context, query tl.Serializable, next Handler) tl.Serializable {
		id, state := blockOf(innerQuery(query))
		switch {
		case id == nil || !lost(*id):
			return next(ctx, query)
		case state:
			return ton.LSError{Code: 602, Text: fmt.Sprintf("cannot load state for (%d,%x,%d) : state already gc'd", id.Workchain, uint64(id.Shard), id.SeqNo)}
		default:
			return ton.LSError{Code: 651, Text: fmt.Sprintf("block (%d,%x,%d) is not in db", id.Workchain, uint64(id.Shard), id.SeqNo)}
		}
	}
}

// Behind makes the server n masterchain blocks slower than the real one.
func Behind(n uint32) Fault {
	head := func(ctx context.Context, info ton.MasterchainInfo, next Handler) (ton.MasterchainInfo, bool) {
		seqno := max(1, info.Last.SeqNo-min(info.Last.SeqNo, n))
		found, ok := next(ctx, ton.LookupBlock{Mode: 1, ID: &ton.BlockInfoShort{
			Workchain: -1, Shard: -1 << 63, Seqno: int32(seqno),
		}}).(ton.BlockHeader)
		info.Last = found.ID
		return info, ok
	}
	return func(ctx context.Context, query tl.Serializable, next Handler) tl.Serializable {
		if list, ok := query.([]tl.Serializable); ok {
			if wait, ok := list[0].(ton.WaitMasterchainSeqno); ok {
				wait.Seqno += int32(n)
				query = []tl.Serializable{wait, list[1]}
			}
		}
		newest, ok := next(ctx, ton.GetMasterchainInf{}).(ton.MasterchainInfo)
		if !ok {
			return nil
		}
		if newest, ok = head(ctx, newest, next); !ok {
			return nil
		}
		last := newest.Last.SeqNo
		switch q := innerQuery(query).(type) {
		case ton.GetMasterchainInf:
			response := next(ctx, query)
			if info, ok := response.(ton.MasterchainInfo); ok {
				if info, ok = head(ctx, info, next); ok {
					return info
				}
			}
			return response
		case ton.GetBlockProof:
			if newer := max(q.KnownBlock.SeqNo, q.TargetBlock.SeqNo); newer > last {
				return ton.LSError{Code: -400, Text: fmt.Sprintf("client knows block %d newer than the reference masterchain block %d", newer, last)}
			}
		case ton.LookupBlock:
			if q.ID.Workchain == -1 && q.Mode&1 != 0 && uint32(q.ID.Seqno) > last {
				return ton.LSError{Code: 651, Text: fmt.Sprintf("cannot find block seqno=%d: seqno not in db (last known masterchain block: %d)", q.ID.Seqno, last)}
			}
		default:
			if id, _ := blockOf(q); id != nil && id.Workchain == -1 && id.SeqNo > last {
				return ton.LSError{Code: 651, Text: fmt.Sprintf("block %d is not in db (last known masterchain block: %d)", id.SeqNo, last)}
			}
		}
		return next(ctx, query)
	}
}

// blockOf returns the block that a query names; state reports whether it needs the state after it.
func blockOf(query tl.Serializable) (id *ton.BlockIDExt, state bool) {
	switch q := query.(type) {
	case ton.GetBlockData:
		return q.ID, false
	case ton.GetBlockHeader:
		return q.ID, false
	case ton.GetAllShardsInfo:
		return q.ID, false
	case ton.GetShardBlockProof:
		return q.ID, false
	case ton.GetAccountState:
		return q.ID, true
	case ton.GetConfigAll:
		return q.BlockID, true
	case ton.GetLibrariesWithProof:
		return q.ID, true
	case ton.GetState:
		return q.ID, true
	default:
		return nil, false
	}
}

// Refusals counts the errors that a fault returns, by the name of the query.
func Refusals(f Fault) (Fault, func() map[string]int) {
	var mu sync.Mutex
	counts := map[string]int{}
	return func(ctx context.Context, query tl.Serializable, next Handler) tl.Serializable {
			response := f(ctx, query, next)
			if _, ok := response.(ton.LSError); ok {
				mu.Lock()
				counts[reflect.TypeOf(innerQuery(query)).Name()]++
				mu.Unlock()
			}
			return response
		}, func() map[string]int {
			mu.Lock()
			defer mu.Unlock()
			return maps.Clone(counts)
		}
}
