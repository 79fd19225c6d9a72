package nodetest

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Fault responds to a query in place of the real server. It may get the real response from next and falsify it.
type Fault func(ctx context.Context, query tl.Serializable, next Handler) tl.Serializable

// Only limits a fault to queries of type Q.
func Only[Q any](f Fault) Fault {
	return func(ctx context.Context, query tl.Serializable, next Handler) tl.Serializable {
		if _, ok := innerQuery(query).(Q); ok {
			return f(ctx, query, next)
		}
		return next(ctx, query)
	}
}

// Falsify changes responses of type A.
func Falsify[A any](change func(A) tl.Serializable) Fault {
	return func(ctx context.Context, query tl.Serializable, next Handler) tl.Serializable {
		response := next(ctx, query)
		if a, ok := response.(A); ok {
			return change(a)
		}
		return response
	}
}

// FlippedBlockByte changes one byte in the middle of every block.
func FlippedBlockByte() Fault {
	return Falsify(func(a ton.BlockData) tl.Serializable {
		a.Payload = flipped(a.Payload)
		return a
	})
}

// OtherBlock returns the bytes of the first requested block under the id of every later one.
func OtherBlock() Fault {
	var mu sync.Mutex
	var first *ton.BlockData
	return Falsify(func(a ton.BlockData) tl.Serializable {
		mu.Lock()
		defer mu.Unlock()
		if first == nil {
			first = &a
		}
		a.Payload = first.Payload
		return a
	})
}

// ForeignBlockID returns another block's id than the requested one.
func ForeignBlockID() Fault {
	return Falsify(func(a ton.BlockData) tl.Serializable {
		a.ID = a.ID.Copy()
		a.ID.SeqNo++
		return a
	})
}

// ForeignLookup returns a block that no validator signed.
func ForeignLookup() Fault {
	return Falsify(func(a ton.BlockHeader) tl.Serializable {
		a.ID = invented(a.ID)
		return a
	})
}

// InventedHead pretends that the newest block is one that nobody signed, a little ahead of the real one.
func InventedHead() Fault {
	return Falsify(func(a ton.MasterchainInfo) tl.Serializable {
		a.Last = invented(a.Last)
		a.Last.SeqNo++
		return a
	})
}

// StaleHead always returns the first head it sees, also to queries that wait for a later one.
func StaleHead() Fault {
	var mu sync.Mutex
	var first *ton.MasterchainInfo
	return func(ctx context.Context, query tl.Serializable, next Handler) tl.Serializable {
		if _, ok := innerQuery(query).(ton.GetMasterchainInf); !ok {
			return next(ctx, query)
		}
		mu.Lock()
		defer mu.Unlock()
		if first == nil {
			a, ok := next(ctx, innerQuery(query)).(ton.MasterchainInfo)
			if !ok {
				return nil
			}
			first = &a
		}
		return *first
	}
}

// WrongShards changes the seqno of a shard in every list of shards and leaves the proof as it is.
func WrongShards() Fault {
	return Falsify(func(a ton.AllShardsInfo) tl.Serializable {
		a.Data = withFlippedLeaf(a.Data)
		return a
	})
}

// WrongAccount changes the account beside its proof.
func WrongAccount() Fault {
	return Falsify(func(a ton.AccountState) tl.Serializable {
		if a.State != nil {
			a.State = withFlippedLeaf(a.State)
		}
		return a
	})
}

// HiddenAccount pretends that the account does not exist; the proof still shows it.
func HiddenAccount() Fault {
	return Falsify(func(a ton.AccountState) tl.Serializable {
		a.State = nil
		return a
	})
}

// WrongConfig changes a byte in the proof of every configuration.
func WrongConfig() Fault {
	return Falsify(func(a ton.ConfigAll) tl.Serializable {
		a.ConfigProof = flipped(a.ConfigProof)
		return a
	})
}

// WrongBlockProof changes signatures and proofs in every link between masterchain blocks.
func WrongBlockProof() Fault {
	return Falsify(func(a ton.PartialBlockProof) tl.Serializable {
		for i, step := range a.Steps {
			switch l := step.(type) {
			case ton.BlockLinkForward:
				switch set := l.SignatureSet.(type) {
				case ton.SignatureSetOrdinary:
					set.Signatures = flippedSignatures(set.Signatures)
					l.SignatureSet = set
				case ton.SignatureSetSimplex:
					set.Signatures = flippedSignatures(set.Signatures)
					l.SignatureSet = set
				default:
					l.ConfigProof = flipped(l.ConfigProof)
				}
				a.Steps[i] = l
			case ton.BlockLinkBackward:
				l.StateProof = flipped(l.StateProof)
				a.Steps[i] = l
			}
		}
		return a
	})
}

// Stall accepts queries and never responds; the connection stays open.
func Stall() Fault {
	return func(ctx context.Context, _ tl.Serializable, _ Handler) tl.Serializable {
		<-ctx.Done()
		return nil
	}
}

// DropEvery drops every n-th response.
func DropEvery(n int) Fault {
	var mu sync.Mutex
	count := 0
	return func(ctx context.Context, query tl.Serializable, next Handler) tl.Serializable {
		mu.Lock()
		count++
		drop := count%n == 0
		mu.Unlock()
		response := next(ctx, query)
		if drop {
			return nil
		}
		return response
	}
}

// HangUps closes the connection instead of responding.
func HangUps() Fault {
	return func(context.Context, tl.Serializable, Handler) tl.Serializable { return HangUp{} }
}

// Mixup returns the response of the previous query to every query.
func Mixup() Fault {
	var mu sync.Mutex
	var last tl.Serializable
	return func(ctx context.Context, query tl.Serializable, next Handler) tl.Serializable {
		response := next(ctx, query)
		mu.Lock()
		defer mu.Unlock()
		before := last
		last = response
		if before == nil {
			return response
		}
		return before
	}
}

// Gibberish returns bytes that are no TL.
func Gibberish() Fault {
	return func(context.Context, tl.Serializable, Handler) tl.Serializable {
		return tl.Raw(bytes.Repeat([]byte{0xA5}, 64))
	}
}

// Refuse returns a liteserver error to every query.
func Refuse(code int32, text string) Fault {
	return func(context.Context, tl.Serializable, Handler) tl.Serializable {
		return ton.LSError{Code: code, Text: text}
	}
}

func flippedSignatures(list []ton.Signature) []ton.Signature {
	list = slices.Clone(list)
	for i := range list {
		list[i].Signature = flipped(list[i].Signature)
	}
	return list
}

func flipped(b []byte) []byte {
	b = bytes.Clone(b)
	if len(b) > 0 {
		b[len(b)/2] ^= 0x10
	}
	return b
}

func invented(id *ton.BlockIDExt) *ton.BlockIDExt {
	id = id.Copy()
	id.RootHash = flipped(id.RootHash)
	return id
}

// withFlippedLeaf rebuilds a tree of cells with the last bit of its last leaf turned over.
func withFlippedLeaf(c *cell.Cell) *cell.Cell {
	if n := int(c.RefsNum()); n > 0 {
		b := cell.BeginCell().MustStoreSlice(c.MustBeginParse().MustPreloadSlice(c.BitsSize()), c.BitsSize())
		for i := range n {
			ref := c.MustPeekRef(i)
			if i == n-1 {
				ref = withFlippedLeaf(ref)
			}
			b.MustStoreRef(ref)
		}
		return b.EndCell()
	}
	data := c.MustBeginParse().MustPreloadSlice(c.BitsSize())
	if len(data) == 0 {
		return cell.BeginCell().MustStoreUInt(1, 1).EndCell()
	}
	data = bytes.Clone(data)
	if last := c.BitsSize() % 8; last == 0 {
		data[len(data)-1] ^= 1
	} else {
		data[len(data)-1] ^= 1 << (8 - last)
	}
	return cell.BeginCell().MustStoreSlice(data, c.BitsSize()).EndCell()
}
