package resolvers

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"tonql/internal/chain"
)

// blockID matches an id as pages and tools print it: (0,8000000000000000,5), 0:8:5; blanks are allowed.
var blockID = regexp.MustCompile(`^\(?\s*(-?\d{1,10})\s*[,:]\s*(-?[0-9a-fA-F]{1,20})\s*[,:]\s*(\d{1,10})\s*\)?$`)

// shardDigits is the number of hexadecimal digits of a shard. Pages print them without the zeros at the end.
const shardDigits = 16

// parseBlockID reads the id of a block that a person typed.
func parseBlockID(text string) (id chain.BlockID, ok bool) {
	parts := blockID.FindStringSubmatch(text)
	if parts == nil {
		return id, false
	}
	workchain, err := strconv.ParseInt(parts[1], 10, 32)
	if err != nil {
		return id, false
	}
	seqno, err := strconv.ParseUint(parts[3], 10, 32)
	if err != nil {
		return id, false
	}
	shard := parts[2]
	if len(shard) < shardDigits && !strings.HasPrefix(shard, "-") {
		shard += strings.Repeat("0", shardDigits-len(shard))
	}
	parsed, err := chain.ParseShard(shard)
	if err != nil {
		return id, false
	}
	return chain.BlockID{Workchain: int32(workchain), Shard: parsed, Seqno: uint32(seqno)}, true
}

// searchBlock takes an id, or a seqno, which may have separators of thousands. A seqno finds the masterchain block, then blocks of
// shards.
func (s *Service) searchBlock(ctx context.Context, text string) ([]chain.SearchHit, error) {
	if id, ok := parseBlockID(text); ok {
		blocks, err := s.index.BlocksByID(ctx, []chain.BlockID{id})
		return blockHits(blocks), err
	}
	n, err := strconv.ParseUint(strings.NewReplacer(",", "", "_", "", " ", "", "\u202f", "").Replace(strings.TrimPrefix(text, "#")), 10, 32)
	if err != nil {
		return nil, nil //nolint:nilerr // it is no number, then
	}
	seqno := uint32(n)
	blocks, err := s.index.BlocksByID(ctx, []chain.BlockID{chain.MasterBlockID(seqno)})
	if err != nil {
		return nil, err
	}
	others, err := s.index.Blocks(ctx, chain.BlockFilter{Seqno: &seqno}, chain.Page{Limit: maxHitsOfKind})
	if err != nil {
		return nil, err
	}
	for i := range others {
		if others[i].Workchain != chain.MasterchainID && len(blocks) < maxHitsOfKind {
			blocks = append(blocks, others[i])
		}
	}
	return blockHits(blocks), nil
}

func blockHits(blocks []chain.Block) []chain.SearchHit {
	hits := make([]chain.SearchHit, len(blocks))
	for i := range blocks {
		hits[i] = blockHit(&blocks[i])
	}
	return hits
}

// blockHit names a masterchain block by its seqno, another block by its id.
func blockHit(b *chain.Block) chain.SearchHit {
	title := "Masterchain block " + strconv.FormatUint(uint64(b.Seqno), 10)
	if b.Workchain != chain.MasterchainID {
		title = "Block (" + strconv.FormatInt(int64(b.Workchain), 10) + "," + b.Shard.String() + "," + strconv.FormatUint(uint64(b.Seqno), 10) + ")"
	}
	return chain.SearchHit{Kind: chain.FoundBlock, Title: title, Block: b}
}
