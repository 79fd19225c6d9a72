package mainnet

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/modtest"
)

// FatBlock is basechain block 71398501 of May 2026 with 269 transactions of 234 accounts, and what came before it. It
// is a [chain.Source] with one masterchain block.
type FatBlock struct {
	Raw        *chain.RawMasterBlock
	TxCount    int
	Parent     chain.BlockID
	PrevBlocks any // the recorded c7 tuple of previous blocks, as [tlb.ParseStackValue] reads it

	accounts map[chain.Address]*chain.RawAccount
	config   *cell.Cell
	library  map[chain.Hash]*cell.Cell
	masters  map[uint32]chain.BlockIDExt
}

var _ chain.Source = (*FatBlock)(nil)

type fatFile struct {
	MasterSeqno      uint32 `json:"master_seqno"`
	Transactions     int    `json:"transactions"`
	BlockBOC         string `json:"block_boc_base64"`
	PreviousAccounts []struct {
		Account string `json:"account"`
		BOC     string `json:"shard_account_boc_base64"`
	} `json:"previous_accounts"`
	Config struct {
		Root       string   `json:"config_root_boc_base64"`
		PrevBlocks string   `json:"prev_blocks_stack_boc_base64"`
		Libraries  []string `json:"libraries_boc_base64"`
	} `json:"config"`
	Block struct {
		FileHash string `json:"file_hash"`
	} `json:"block"`
}

// OpenFatBlock loads the recording.
func OpenFatBlock(tb testing.TB) *FatBlock {
	tb.Helper()
	data := read(tb, modtest.Tonutils, "tvm/testdata/tvm_replay_fat_block_66519406.json")
	var file fatFile
	require.NoError(tb, json.Unmarshal(data, &file))

	shard := parse(tb, boc(tb, file.BlockBOC))
	fileHash, err := hex.DecodeString(file.Block.FileHash)
	require.NoError(tb, err)
	shard.ID.FileHash = chain.HashFrom(fileHash) // the recording was serialized again
	f := &FatBlock{
		Raw: Frame(tb, file.MasterSeqno, shard), TxCount: file.Transactions, Parent: shard.ID.BlockID,
		accounts: map[chain.Address]*chain.RawAccount{}, library: map[chain.Hash]*cell.Cell{},
		masters: map[uint32]chain.BlockIDExt{file.MasterSeqno: {}}, config: root(tb, file.Config.Root),
	}
	f.Parent.Seqno--
	f.masters[file.MasterSeqno] = f.Raw.Master.ID
	for _, a := range file.PreviousAccounts {
		f.addAccount(tb, a.Account, root(tb, a.BOC))
	}
	for _, dict := range file.Config.Libraries {
		f.addLibraries(tb, root(tb, dict))
	}
	f.addMasters(tb, root(tb, file.Config.PrevBlocks))
	return f
}

func boc(tb testing.TB, text string) []byte {
	tb.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	require.NoError(tb, err)
	return data
}

func root(tb testing.TB, text string) *cell.Cell {
	tb.Helper()
	c, err := cell.FromBOC(boc(tb, text))
	require.NoError(tb, err)
	return c
}

func (f *FatBlock) addAccount(tb testing.TB, address string, c *cell.Cell) {
	tb.Helper()
	a, err := chain.ParseAddress(address)
	require.NoError(tb, err)
	var s tlb.ShardAccount
	require.NoError(tb, tlb.Parse(&s, c))
	raw := &chain.RawAccount{Root: s.Account, LastTxHash: chain.HashFrom(s.LastTransHash), LastTxLT: s.LastTransLT}
	if s.LastTransLT == 0 && s.Account.BitsSize() == 1 {
		raw.Root = nil
	}
	f.accounts[a] = raw
}

func (f *FatBlock) addLibraries(tb testing.TB, dict *cell.Cell) {
	tb.Helper()
	items, err := dict.AsDict(256).LoadAll()
	require.NoError(tb, err)
	for _, item := range items {
		lib, err := item.Value.LoadRefCell()
		require.NoError(tb, err)
		f.library[chain.Hash(lib.HashKey())] = lib
	}
}

// addMasters learns the ids of masterchain blocks from the recorded tuple: [last 16, key block, each hundredth].
func (f *FatBlock) addMasters(tb testing.TB, c *cell.Cell) {
	tb.Helper()
	value, err := tlb.ParseStackValue(c.MustBeginParse())
	require.NoError(tb, err)
	f.PrevBlocks = value
	parts, ok := value.([]any)
	require.True(tb, ok)
	require.Len(tb, parts, 3)
	ids := append(append([]any{parts[1]}, parts[0].([]any)...), parts[2].([]any)...)
	for _, id := range ids {
		fields := id.([]any)
		seqno := uint32(fields[2].(*big.Int).Uint64())
		f.masters[seqno] = chain.BlockIDExt{
			BlockID:  chain.BlockID{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: seqno},
			RootHash: chain.Hash(fields[3].(*big.Int).FillBytes(make([]byte, 32))),
			FileHash: chain.Hash(fields[4].(*big.Int).FillBytes(make([]byte, 32))),
		}
	}
}

// Head is the recorded block.
func (f *FatBlock) Head(context.Context) (chain.BlockIDExt, error) { return f.Raw.Master.ID, nil }

// Wait waits in vain for anything newer than the recorded block.
func (f *FatBlock) Wait(ctx context.Context, seqno uint32) (chain.BlockIDExt, error) {
	if seqno > f.Raw.Master.ID.Seqno {
		<-ctx.Done()
		return chain.BlockIDExt{}, ctx.Err()
	}
	return f.Raw.Master.ID, nil
}

// MasterBlockID returns the ids of the recorded block and of the blocks in the recorded tuple.
func (f *FatBlock) MasterBlockID(_ context.Context, seqno uint32) (chain.BlockIDExt, error) {
	id, ok := f.masters[seqno]
	if !ok {
		return id, chain.NotFoundf("masterchain block %s is not recorded", strconv.Itoa(int(seqno)))
	}
	return id, nil
}

// MasterBlock is the recorded block in its frame.
func (f *FatBlock) MasterBlock(_ context.Context, seqno uint32) (*chain.RawMasterBlock, error) {
	if seqno != f.Raw.Master.ID.Seqno {
		return nil, chain.NotFoundf("masterchain block %s is not recorded", strconv.Itoa(int(seqno)))
	}
	return f.Raw, nil
}

// Account is the state before the recorded block.
func (f *FatBlock) Account(_ context.Context, at chain.BlockIDExt, address chain.Address) (*chain.RawAccount, error) {
	a, ok := f.accounts[address]
	if !ok || at.BlockID != f.Parent {
		return nil, chain.NotFoundf("account %s at block %s is not recorded", address, at.BlockID)
	}
	return a, nil
}

// Config returns the recorded configuration for every recorded block.
func (f *FatBlock) Config(context.Context, chain.BlockIDExt) (*cell.Cell, error) {
	return f.config, nil
}

// LibrariesAt returns the recorded libraries for every recorded block.
func (f *FatBlock) LibrariesAt(ctx context.Context, _ chain.BlockIDExt, hashes []chain.Hash) (*chain.LibrarySet, error) {
	found, err := f.Libraries(ctx, hashes)
	return &chain.LibrarySet{Root: chain.Hash{1}, Found: found}, err
}

// Libraries serves the recorded masterchain libraries.
func (f *FatBlock) Libraries(_ context.Context, hashes []chain.Hash) (map[chain.Hash]*cell.Cell, error) {
	found := map[chain.Hash]*cell.Cell{}
	for _, h := range hashes {
		if lib, ok := f.library[h]; ok {
			found[h] = lib
		}
	}
	return found, nil
}
