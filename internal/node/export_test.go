package node

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/validator"
)

// Expectation is the subject that a response is checked against.
type Expectation struct {
	Block   chain.BlockIDExt // of getBlock
	Master  chain.BlockIDExt // of getAllShardsInfo, getConfigAll, getAccountState
	Account chain.Address
	From    chain.BlockIDExt // of getBlockProof
	To      chain.BlockIDExt
	States  stateHashes // that are proven already, of getAccountState
}

// NewStateHashes returns an empty cache of proven state hashes.
func NewStateHashes() stateHashes { return newStateHashes() }

// CheckResponse checks the bytes of a response as the client does and describes the accepted content.
func CheckResponse(raw []byte, q Expectation) (believed string, err error) {
	response, err := parseResponse(raw)
	if err != nil {
		return "", err
	}
	err = believable("a response", func() error {
		switch a := response.(type) {
		case ton.BlockData:
			b, err := checkBlock(q.Block, a)
			if err == nil {
				believed = fmt.Sprint("block ", chain.Hash(b.root.HashKey()), b.parents, b.tops)
			}
			return err
		case ton.AllShardsInfo:
			tops, err := checkShards(q.Master, a)
			believed = fmt.Sprint("shards ", tops)
			return err
		case ton.ConfigAll:
			root, err := checkConfig(q.Master, a)
			if err == nil {
				believed = fmt.Sprint("config ", chain.Hash(root.HashKey()), content(root))
			}
			return err
		case ton.AccountState:
			found, _, err := q.States.checkAccount(q.Master, q.Account, a)
			switch {
			case err != nil:
			case found == nil:
				believed = "no block of the shard yet"
			case found.Root == nil:
				believed = "no account"
			default:
				believed = fmt.Sprint("account ", chain.Hash(found.Root.HashKey()), found.LastTxHash, found.LastTxLT, content(found.Root))
			}
			return err
		case ton.PartialBlockProof:
			blocks, err := checkPart(a, q.From, q.To, nil)
			believed = fmt.Sprint("link ", lastOf(blocks, q.From))
			return err
		default:
			return fmt.Errorf("response %T", response)
		}
	})
	return believed, err
}

// content describes the cells below root, whatever their hashes.
func content(root *cell.Cell) string {
	if root.IsSpecial() {
		return "?"
	}
	h := sha256.New()
	_, _ = io.WriteString(h, root.ToBuilder().ToSlice().String())
	for i := range int(root.RefsNum()) {
		_, _ = io.WriteString(h, content(root.MustPeekRef(i)))
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// NoLink describes a response without links: the chain ends where it began, and the next query refuses it.
func NoLink(q Expectation) string { return fmt.Sprint("link ", q.From) }

// CheckPart checks the links of one response and returns the blocks that they prove.
func CheckPart(part ton.PartialBlockProof, from, to chain.BlockIDExt) (proven []chain.BlockIDExt, err error) {
	blocks, err := checkPart(part, from, to, nil)
	for _, b := range blocks {
		proven = append(proven, b.id)
	}
	return proven, err
}

// ChainProgress exports the log of long chains.
type ChainProgress struct{ p *chainProgress }

// NewChainProgress makes one with a clock.
func NewChainProgress(log *slog.Logger, now func() time.Time) ChainProgress {
	return ChainProgress{newChainProgress(log, now)}
}

// Report notes one response.
func (p ChainProgress) Report(from, reached, to uint32, links int) {
	p.p.report(from, reached, to, links)
}

// SimplexOf returns a check of Simplex votes for the block of a link, by the validators in its proofs.
func SimplexOf(t *testing.T, l ton.BlockLinkForward) func(ton.SignatureSetSimplex) error {
	t.Helper()
	params, err := signersConfig(fromTL(l.From), l.ConfigProof)
	require.NoError(t, err)
	proof, err := cell.FromBOC(l.DestProof)
	require.NoError(t, err)
	block, err := ton.CheckBlockProof(proof, l.To.RootHash)
	require.NoError(t, err)
	session, err := validator.MasterSession(params, block.BlockInfo.GenCatchainSeqno)
	require.NoError(t, err)
	return func(set ton.SignatureSetSimplex) error { return checkSimplex(fromTL(l.To), session, set) }
}

// CandidateBlock exports the reader of Simplex candidates.
func CandidateBlock(b []byte) (chain.BlockIDExt, error) { return candidateBlock(b) }

// DemandsSimplex exports the reader of configuration parameter 30.
func DemandsSimplex(params *cell.Dictionary) bool { return demandsSimplex(params) }

// ParseBlockParts parses a shard block without its state update.
func ParseBlockParts(data []byte) (*cell.Cell, bool) { return parseBlockParts(data) }

// CheckShardLink checks a link from a block to one of its parents, or from a masterchain block to one of its shards.
func CheckShardLink(at, next chain.BlockIDExt, boc []byte) error {
	return checkShardLink(at, next, boc)
}

// ParseWhileBusy parses a response while large ones take all the room for them.
func ParseWhileBusy(ctx context.Context, raw []byte) error {
	p := newResponseParser()
	if err := p.large.Acquire(ctx, maxParsed); err != nil {
		return err
	}
	defer p.large.Release(maxParsed)
	_, err := p.parse(ctx, raw)
	return err
}

// ParseAlone parses a response while no other is parsed.
func ParseAlone(ctx context.Context, raw []byte) error {
	_, err := newResponseParser().parse(ctx, raw)
	return err
}

// MaxProofCells and MaxHistoryCells are the bounds of bags of cells.
const (
	MaxProofCells   = maxProofCells
	MaxHistoryCells = maxHistoryCells
)

// CheckLibrary checks a library that a server returned.
func CheckLibrary(entry *ton.LibraryEntry) error {
	_, err := openLibrary(entry)
	return err
}

// CheckHistory checks a part of a history.
func CheckHistory(account chain.Address, from chain.TransactionRef, list ton.TransactionList) error {
	_, _, err := checkHistory(account, from, list)
	return err
}
