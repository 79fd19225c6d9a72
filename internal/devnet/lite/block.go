package lite

import (
	"crypto/sha256"
	"fmt"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/ledger"
)

func (a *api) getBlock(q ton.GetBlockData) (tl.Serializable, error) {
	b, err := a.blockOf(q.ID)
	if err != nil {
		return nil, err
	}
	return ton.BlockData{ID: b.ID.Copy(), Payload: b.Data}, nil
}

// getState returns a complete state. Nodes refuse it for later blocks, because their
// states are huge; here the size of the response is the only limit.
func (a *api) getState(q ton.GetState) (tl.Serializable, error) {
	if !validFull(q.ID) {
		return nil, fail(codeBadRequest, "invalid BlockIdExt")
	}
	if q.ID.SeqNo == 0 {
		return a.getZerostate(*q.ID)
	}
	b, err := a.blockOf(q.ID)
	if err != nil {
		return nil, err
	}
	root, err := a.stateOf(b)
	if err != nil {
		return nil, err
	}
	data, err := boc(root)
	if err != nil {
		return nil, err
	}
	if len(data) > maxResponse-(4<<10) {
		return nil, fail(codeBadRequest, "cannot request total state: possibly too large")
	}
	sum := sha256.Sum256(data)
	return ton.BlockState{ID: b.ID.Copy(), RootHash: root.Hash(), FileHash: sum[:], Data: data}, nil
}

func (a *api) getZerostate(id ton.BlockIDExt) (tl.Serializable, error) {
	if id.Workchain != masterWorkchain && id.Workchain != 0 {
		return nil, fail(codeNotReady, "zerostate of workchain %d is not in db", id.Workchain)
	}
	want := a.chain.ZerostateID(id.Workchain)
	if !id.Equals(&want) {
		return nil, fail(codeNotReady, "block %s is not in db", idString(id))
	}
	data, err := a.chain.ZerostateData(id.Workchain)
	if err != nil {
		return nil, fmt.Errorf("zerostate: %w", err)
	}
	return ton.BlockState{ID: &id, RootHash: id.RootHash, FileHash: id.FileHash, Data: data}, nil
}

func (a *api) getBlockHeader(q ton.GetBlockHeader) (tl.Serializable, error) {
	b, err := a.blockOf(q.ID)
	if err != nil {
		return nil, err
	}
	return headerResponse(b, q.Mode)
}

// Bits of a header request: the contents of the proof besides the block info.
const (
	headerUpdate     = 1
	headerValueFlow  = 2
	headerExtra      = 16
	headerShards     = 32
	headerSignatures = 64
)

func headerResponse(b *ledger.Block, mode uint32) (tl.Serializable, error) {
	proof, err := prove(b.Root, func(root *cell.Cell) error {
		_, parts, err := openHeader(root)
		if err != nil {
			return err
		}
		return openHeaderExtras(parts, mode)
	})
	if err != nil {
		return nil, err
	}
	data, err := boc(proof)
	if err != nil {
		return nil, err
	}
	return ton.BlockHeader{ID: b.ID.Copy(), Mode: mode, HeaderProof: data}, nil
}

func openHeaderExtras(parts blockParts, mode uint32) error {
	if mode&headerUpdate != 0 {
		if _, err := openUpdate(parts.update); err != nil {
			return err
		}
	}
	if mode&headerValueFlow != 0 {
		if err := visit(parts.valueFlow); err != nil {
			return err
		}
	}
	if mode&headerExtra == 0 {
		return nil
	}
	extra, err := openExtra(parts.extra)
	if err != nil || extra.custom == nil {
		return err
	}
	master, err := openMasterExtra(extra.custom)
	if err != nil {
		return err
	}
	if mode&headerShards != 0 {
		if err := visit(master.shards); err != nil {
			return err
		}
	}
	if mode&headerSignatures != 0 {
		return visit(master.signatures)
	}
	return nil
}

// Bits of a look-up: by seqno, LT or time.
const (
	lookupSeqno = 1
	lookupLT    = 2
	lookupUtime = 4
)

func (a *api) lookupBlock(q ton.LookupBlock) (tl.Serializable, error) {
	b, err := a.find(q.ID, q.Mode, q.LT, q.UTime)
	if err != nil {
		return nil, err
	}
	return headerResponse(b, q.Mode>>4)
}

// find looks a block up by seqno, LT or time within a shard or account prefix.
func (a *api) find(id *ton.BlockInfoShort, mode uint32, lt uint64, utime uint32) (*ledger.Block, error) {
	var (
		b    *ledger.Block
		err  error
		what string
	)
	switch mode & 7 {
	case lookupSeqno:
		what = fmt.Sprintf("seqno=%d: seqno not in db", uint32(id.Seqno))
		b, err = a.chain.BySeqno(id.Workchain, id.Shard, uint32(id.Seqno))
	case lookupLT:
		what = fmt.Sprintf("lt=%d: lt not in db", lt)
		b, err = a.chain.ByLT(id.Workchain, id.Shard, lt)
	case lookupUtime:
		what = fmt.Sprintf("utime=%d: utime not in db", utime)
		b, err = a.chain.ByUtime(id.Workchain, id.Shard, utime)
	default:
		return nil, fail(codeBadRequest, "exactly one of mode.0, mode.1 and mode.2 bits must be set")
	}
	if ledger.IsNotFound(err) {
		return nil, fail(codeNotReady, "cannot find block (%d,%016x) %s", id.Workchain, uint64(id.Shard), what)
	}
	if err != nil {
		return nil, fmt.Errorf("block look-up: %w", err)
	}
	return b, nil
}
