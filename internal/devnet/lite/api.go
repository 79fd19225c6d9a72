package lite

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/ledger"
)

const (
	masterWorkchain int32 = -1
	invalidChain    int32 = -1 << 31 // what nodes write where no workchain applies
	rootShard       int64 = -1 << 63 // the shard that covers a workchain
)

// api computes responses. It only reads the chain and is safe for concurrent use.
type api struct {
	chain *ledger.Chain
	// roots caches the proofs of a state's root from its block: all responses with
	// accounts, configuration and get-methods in one block begin with the same one.
	roots *lru.Cache[[32]byte, *cell.Cell]
	// tops caches the proofs that a shard's newest block belongs to a masterchain
	// block: they are the same for all accounts of the shard.
	tops *lru.Cache[shardKey, []*cell.Cell]
	// contexts caches the parts of a masterchain block that get-methods need.
	contexts *lru.Cache[[32]byte, *methodContext]
	// configs caches prepared configurations by root: they change only at key blocks.
	configs *lru.Cache[[32]byte, *tvm.PreparedBlockchainConfig]
}

func newAPI(chain *ledger.Chain) *api {
	a := &api{chain: chain}
	a.roots, _ = lru.New[[32]byte, *cell.Cell](256) // fails only for a size of 0
	a.tops, _ = lru.New[shardKey, []*cell.Cell](256)
	a.contexts, _ = lru.New[[32]byte, *methodContext](16)
	a.configs, _ = lru.New[[32]byte, *tvm.PreparedBlockchainConfig](4)
	return a
}

// response routes a query to its method.
func (a *api) response(ctx context.Context, query tl.Serializable) (tl.Serializable, error) {
	switch q := query.(type) {
	case ton.GetTime:
		return a.getTime(), nil
	case ton.GetVersion:
		return a.getVersion(), nil
	case ton.GetMasterchainInf:
		return a.getMasterchainInfo()
	case ton.GetMasterchainInfoExt:
		return a.getMasterchainInfoExt(q)
	case ton.GetBlockData:
		return a.getBlock(q)
	case ton.GetState:
		return a.getState(q)
	case ton.GetBlockHeader:
		return a.getBlockHeader(q)
	case ton.LookupBlock:
		return a.lookupBlock(q)
	case ton.LookupBlockWithProof:
		return a.lookupBlockWithProof(q)
	case ton.GetShardInfo:
		return a.getShardInfo(q)
	case ton.GetAllShardsInfo:
		return a.getAllShardsInfo(q)
	case ton.GetShardBlockProof:
		return a.getShardBlockProof(q)
	case ton.GetBlockProof:
		return a.getBlockProof(ctx, q)
	case ton.GetAccountState:
		return a.getAccountState(q.ID, q.Account, false)
	case ton.GetAccountStatePruned:
		return a.getAccountState(q.ID, q.Account, true)
	case ton.RunSmcMethod:
		return a.runSmcMethod(q)
	case ton.GetOneTransaction:
		return a.getOneTransaction(q)
	case ton.GetTransactions:
		return a.getTransactions(ctx, q)
	case ton.ListBlockTransactions:
		return a.listBlockTransactions(q)
	case ton.ListBlockTransactionsExt:
		return a.listBlockTransactionsExt(q)
	case ton.SendMessage:
		return a.sendMessage(ctx, q)
	case ton.GetConfigAll:
		return a.getConfig(q.BlockID, q.Mode, nil, true)
	case ton.GetConfigParams:
		return a.getConfig(q.BlockID, q.Mode, q.Params, false)
	case ton.GetLibraries:
		return a.getLibraries(q)
	case ton.GetLibrariesWithProof:
		return a.getLibrariesWithProof(q)
	case ton.GetValidatorStats:
		return a.getValidatorStats(q)
	case ton.GetOutMsgQueueSizes:
		return a.getOutMsgQueueSizes(q)
	case ton.GetBlockOutMsgQueueSize:
		return a.getBlockOutMsgQueueSize(q)
	case ton.GetDispatchQueueInfo:
		return a.getDispatchQueueInfo(q)
	case ton.GetDispatchQueueMessages:
		return a.getDispatchQueueMessages(q)
	case ton.NonfinalGetValidatorGroups, ton.NonfinalGetCandidate, ton.NonfinalGetPendingShardBlocks:
		return nil, fail(codeBadRequest, "nonfinal queries are not allowed")
	default:
		return nil, fail(codeProtocol, "unknown query")
	}
}

// blockOf finds a block by its full id.
func (a *api) blockOf(id *ton.BlockIDExt) (*ledger.Block, error) {
	if !validFull(id) {
		return nil, fail(codeBadRequest, "invalid BlockIdExt")
	}
	b, err := a.chain.Block(*id)
	if err != nil {
		return nil, a.missing(*id, err)
	}
	return b, nil
}

// masterOf finds a masterchain block by its full id.
func (a *api) masterOf(id *ton.BlockIDExt) (*ledger.Block, error) {
	if !validFull(id) || id.Workchain != masterWorkchain || id.Shard != rootShard {
		return nil, fail(codeBadRequest, "reference block must belong to the masterchain")
	}
	b, err := a.blockOf(id)
	if err != nil {
		return nil, prefixed("cannot load block "+idString(*id)+" : ", err)
	}
	return b, nil
}

// stateOf returns the full state after b.
func (a *api) stateOf(b *ledger.Block) (*cell.Cell, error) {
	root, err := a.chain.State(b.ID)
	if err != nil {
		return nil, prefixed("cannot load state for "+idString(b.ID)+" : ", a.missing(b.ID, err))
	}
	return root, nil
}

// head returns the newest masterchain block, or an error before the first one.
func (a *api) head() (*ledger.Block, error) {
	b := a.chain.Head()
	if b == nil {
		return nil, fail(codeNotReady, "no masterchain block yet")
	}
	return b, nil
}

// missing converts the error of a failed look-up of a block or state by its id.
func (a *api) missing(id ton.BlockIDExt, err error) error {
	if !ledger.IsNotFound(err) {
		return fmt.Errorf("block %s: %w", idString(id), err)
	}
	var seqno uint32
	if head := a.chain.Head(); head != nil {
		seqno = head.ID.SeqNo
	}
	return fail(codeNotReady, "block %s is not in db (possibly out of sync: shard_client_seqno=%d ls_seqno=%d)",
		shortString(id.Workchain, id.Shard, id.SeqNo), seqno, seqno)
}

// prefixed adds a prefix to an error and keeps its code.
func prefixed(prefix string, err error) error {
	ls := asLSError(err)
	ls.Text = prefix + ls.Text
	return ls
}

// validFull reports whether all fields of an id are set.
func validFull(id *ton.BlockIDExt) bool {
	return id != nil && id.Workchain != invalidChain && id.Shard != 0 &&
		len(id.RootHash) == 32 && len(id.FileHash) == 32 && !allZero(id.RootHash)
}

func allZero(b []byte) bool {
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}

// unknownID returns the id with which nodes report that there is no such shard.
func unknownID() *ton.BlockIDExt {
	return &ton.BlockIDExt{Workchain: invalidChain, RootHash: make([]byte, 32), FileHash: make([]byte, 32)}
}

// idString writes an id as nodes do in their messages.
func idString(id ton.BlockIDExt) string {
	return shortString(id.Workchain, id.Shard, id.SeqNo) + ":" +
		strings.ToUpper(hex.EncodeToString(id.RootHash)) + ":" + strings.ToUpper(hex.EncodeToString(id.FileHash))
}

func shortString(wc int32, shard int64, seqno uint32) string {
	return fmt.Sprintf("(%d,%016x,%d)", wc, uint64(shard), seqno)
}

// contains reports whether a shard covers an account or a narrower shard, given
// by its first 64 bits.
func contains(shard int64, prefix uint64) bool {
	low := uint64(shard) & -uint64(shard)
	return (uint64(shard)^prefix)&(-low<<1) == 0
}

// intersects reports whether one of two shards covers the other.
func intersects(a, b int64) bool { return contains(a, uint64(b)) || contains(b, uint64(a)) }

// accountPrefix returns the part of an account id that decides its shard.
func accountPrefix(id []byte) uint64 { return binary.BigEndian.Uint64(id) }
