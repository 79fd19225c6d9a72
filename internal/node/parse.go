package node

import (
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"golang.org/x/sync/semaphore"

	"tonql/internal/cellgraph"
)

// A cell takes two bytes of a bag and a hundred in memory, three hundred with a level, so a server may make a hundred times its response of
// it. Bags of cells that have no proven hash are bounded by their cells, and large responses are parsed some at a time.
const (
	// maxProofCells bounds a proof, a header and a library. The largest proofs are complete configurations, of less than 10,000 cells.
	maxProofCells = 1 << 17
	// maxHistoryCells bounds a part of a history, 16 transactions of at most some 30,000 cells each.
	maxHistoryCells = 1 << 19
	// smallResponse is the size of a response that does not wait; few states of accounts are larger.
	smallResponse = 256 << 10
	// maxParsed is how many bytes of large responses are parsed at the same time; a larger one is parsed alone.
	maxParsed = 4 << 20
)

// responseParser parses responses within a bound of memory. It is safe for concurrent use.
type responseParser struct{ large *semaphore.Weighted }

func newResponseParser() responseParser { return responseParser{semaphore.NewWeighted(maxParsed)} }

// parse parses the TL of a response, in which states of accounts and their proofs become cells.
func (p responseParser) parse(ctx context.Context, raw []byte) (tl.Serializable, error) {
	if n := min(int64(len(raw)), maxParsed); n > smallResponse {
		if err := p.large.Acquire(ctx, n); err != nil {
			return nil, fmt.Errorf("response of %d bytes: %w", len(raw), err)
		}
		defer p.large.Release(n)
	}
	return parseResponse(raw)
}

// parseResponse parses the TL of a response. The result refers to the response's bytes.
func parseResponse(raw []byte) (response tl.Serializable, err error) {
	err = believable("a response", func() error {
		_, err := tl.ParseNoCopy(&response, raw, true)
		return err
	})
	return response, err
}

// parseProof parses a proof, a header or a library.
func parseProof(boc []byte) (*cell.Cell, error) {
	return cellgraph.FromBOCWithOptions(boc, cell.BOCParseOptions{MaxCells: maxProofCells})
}
