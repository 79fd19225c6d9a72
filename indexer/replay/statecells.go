package replay

import (
	"fmt"

	"tonql/internal/boundedvm"
)

const (
	// defaultStateCells is how many cells of large accounts the transactions of a masterchain block may walk. It takes some 4 s.
	defaultStateCells = 32 << 20
	// largeState is the number of cells from which an account is large.
	largeState = 256
	// spareCells is what each account may walk besides, so that one that grows within the block is executed, too.
	spareCells = 1 << 20
)

// The TVM walks all cells of an account after each transaction that changes it, to compare them with the limits of the network, where
// validators count those that changed. So a contract of 65,000 cells that does nothing takes 7 ms a transaction here, and the gas of some
// instructions there.

// allot distributes the cells that a block may walk among the lanes, in their order, so that the result does not depend on the machine.
func (r *Replayer) allot(lanes []*lane) {
	left := r.opts.StateCells
	for _, l := range lanes {
		share := min(left, l.stateCells()*len(l.steps))
		left -= share
		l.cellsLeft = share + spareCells
	}
}

// stateCells returns the number of cells of a large account, 0 for others.
func (l *lane) stateCells() int {
	if l.state == nil {
		return 0
	}
	return l.state.largeCells()
}

// largeCells returns the number of cells of a large account, 0 for others.
func (s *state) largeCells() int {
	if s.prepared.State() == nil {
		return 0
	}
	used := s.prepared.State().StorageInfo.StorageUsed.CellsUsed
	if used == nil || used.BitLen() > 31 || used.Int64() < largeState {
		return 0
	}
	return int(used.Int64())
}

// countState counts the cells of the account before a transaction is executed, and returns the limit when the lane has walked what it may.
func (l *lane) countState() *boundedvm.Exceeded {
	if l.cellsLeft -= l.stateCells(); l.cellsLeft >= 0 {
		return nil
	}
	return &boundedvm.Exceeded{Resource: "cells", Limit: fmt.Sprintf("%d cells of large accounts in a masterchain block", l.r.opts.StateCells)}
}
