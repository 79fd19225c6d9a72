package devnet

import (
	"context"
	"fmt"

	"tonql/internal/devnet/genesis"
)

// Consensus is the protocol by which the validators of a network agree on blocks.
type Consensus = genesis.Consensus

const (
	// Ordinary has signatures over the block's id.
	Ordinary = genesis.Ordinary
	// Simplex has final votes for a candidate in a slot, as mainnet since April 2026.
	Simplex = genesis.Simplex
)

// ParseConsensus reads the name of a consensus.
func ParseConsensus(name string) (Consensus, error) { return genesis.ParseConsensus(name) }

// SetConsensus sends a change of config parameter 30, if the network has another consensus. The block with the change is
// a key block; the blocks after it are signed by the new consensus. When another change of the
// configuration is in the same block, one of both is lost.
func (d *Devnet) SetConsensus(ctx context.Context, to Consensus) error {
	if d.Chain.Consensus() == to {
		return nil
	}
	root, err := d.Chain.State(d.Chain.Head().ID)
	if err != nil {
		return fmt.Errorf("config contract: %w", err)
	}
	account, err := activeAccount(root, genesis.ConfigAddress)
	if err != nil {
		return err
	}
	seqno, err := genesis.ConfigSeqno(account.StateInit.Data)
	if err != nil {
		return err
	}
	param, err := genesis.ConsensusParam(to, d.targetRate())
	if err != nil {
		return err
	}
	msg, err := genesis.ConfigChange(d.opts.Seed, seqno, d.Chain.Now()+validFor, genesis.ParamConsensus, param)
	if err != nil {
		return fmt.Errorf("config change: %w", err)
	}
	if err := d.Chain.SendExternal(ctx, msg); err != nil {
		return fmt.Errorf("config change: %w", err)
	}
	return nil
}

// targetRate returns the milliseconds between two blocks, for the configuration.
func (d *Devnet) targetRate() uint32 {
	interval := d.opts.Interval
	if interval <= 0 {
		interval = DefaultInterval
	}
	return uint32(max(interval.Milliseconds(), 1))
}
