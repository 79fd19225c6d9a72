package lite

import (
	"bytes"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/ledger"
)

// prove runs look on a watched copy of root and returns the Merkle proof of the cells it opened.
func prove(root *cell.Cell, look func(root *cell.Cell) error) (*cell.Cell, error) {
	b := cell.NewMerkleProofBuilder(root)
	if err := look(b.Root()); err != nil {
		return nil, err
	}
	p, err := b.CreateProof()
	if err != nil {
		return nil, fmt.Errorf("proof: %w", err)
	}
	return p, nil
}

// stateRootProof proves, from a block's id, the hash of the state after it.
func (a *api) stateRootProof(b *ledger.Block) (*cell.Cell, error) {
	key := [32]byte(b.ID.RootHash)
	if p, ok := a.roots.Get(key); ok {
		return p, nil
	}
	p, err := prove(b.Root, func(root *cell.Cell) error {
		_, parts, err := openHeader(root)
		if err != nil {
			return err
		}
		_, err = openUpdate(parts.update)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("state root proof: %w", err)
	}
	a.roots.Add(key, p)
	return p, nil
}

// stateProof proves the cells that look opens in the state after b. The two roots of the
// result are the proofs of the block and of the state.
func (a *api) stateProof(b *ledger.Block, state *cell.Cell, look func(root *cell.Cell) error) ([]*cell.Cell, error) {
	hash, err := stateHash(b.Root)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(hash, state.Hash()) {
		return nil, fmt.Errorf("state of %s does not match its block", idString(b.ID))
	}
	first, err := a.stateRootProof(b)
	if err != nil {
		return nil, err
	}
	second, err := prove(state, look)
	if err != nil {
		return nil, err
	}
	return []*cell.Cell{first, second}, nil
}

// boc serializes cells for responses: with a checksum.
func boc(roots ...*cell.Cell) ([]byte, error) {
	data, err := cell.ToBOCWithOptionsErr(roots, cell.BOCSerializeOptions{WithCRC32C: true})
	if err != nil {
		return nil, fmt.Errorf("BoC: %w", err)
	}
	return data, nil
}
