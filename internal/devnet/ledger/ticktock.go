package ledger

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/actionphase"
)

// tick and tock run the fundamental contracts at the beginning and at the end of
// a masterchain block.
func (c *collator) tick() error { return c.tickTock(false) }
func (c *collator) tock() error { return c.tickTock(true) }

// tickTock runs the fundamental contracts with the given flag, in address order.
func (c *collator) tickTock(isTock bool) error {
	if c.master == nil {
		return nil
	}
	special, err := specialAccounts(c.ref.params)
	if err != nil {
		return err
	}
	for _, key := range special {
		l, err := c.lane(key)
		if err != nil {
			return err
		}
		st := l.account.State()
		if st == nil || st.StateInit == nil || st.StateInit.TickTock == nil {
			continue
		}
		if isTock && !st.StateInit.TickTock.Tock || !isTock && !st.StateInit.TickTock.Tick {
			continue
		}
		opts := c.options(l, c.startLT)
		if isTock {
			opts.LogicalTime = int64(c.maxLT)
		}
		ctx, err := c.context.of(l.account, nil)
		if err != nil {
			return err
		}
		res, err := c.machine.EmulateTickTockTransaction(ctx, l.account, isTock, opts)
		if err == nil {
			res, err = actionphase.Correct(c.ref.actions, l.account, l.account.Address(), nil, res)
		}
		if err != nil {
			return fmt.Errorf("tick-tock of %x: %w", key, err)
		}
		if res.TransactionCell == nil {
			return fmt.Errorf("tick-tock of %x made no transaction", key)
		}
		if err := c.adopt(l, res, c.initiator(l, res)); err != nil {
			return err
		}
	}
	return nil
}

// specialAccounts lists config parameter 31.
func specialAccounts(params tlb.BlockchainConfig) ([][32]byte, error) {
	cfg, err := params.GetFundamentalSmartContractAddresses()
	if err != nil {
		return nil, fmt.Errorf("fundamental contracts: %w", err)
	}
	kvs, err := cfg.Addresses.LoadAll()
	if err != nil {
		return nil, fmt.Errorf("fundamental contracts: %w", err)
	}
	var out [][32]byte
	for _, kv := range kvs {
		key, err := kv.Key.LoadSlice(256)
		if err != nil {
			return nil, err
		}
		out = append(out, [32]byte(key))
	}
	slices.SortFunc(out, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
	return out, nil
}
