package ledger

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/layout"
)

// openState reads the state before the block. Only cells loaded through the usage tree's
// trace count as unchanged later, so all parts of the new state come from here.
func (c *collator) openState() error {
	c.usage = newUsage()
	if len(c.prev) == 2 {
		return c.openMerged()
	}
	c.oldRoot = c.prev[0].root
	st, err := layout.ParseState(c.oldRoot.WithTrace(c.usage.tree.RootTrace()))
	if err != nil {
		return fmt.Errorf("state of %s: %w", c.prev[0].name(), err)
	}
	if c.state, c.accounts, c.queue, err = openParts(st); err != nil {
		return err
	}
	if c.afterSplit {
		return c.keepHalf()
	}
	return nil
}

func openParts(st *layout.State) (*layout.State, *cell.AugmentedDictionary, *layout.OutQueue, error) {
	s, err := st.Accounts.BeginParse()
	if err != nil {
		return nil, nil, nil, err
	}
	accounts, err := s.LoadAugDict(256, tlb.AugShardAccounts{}, false)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("accounts: %w", err)
	}
	queue, err := layout.ParseOutQueue(st.OutQueue)
	if err != nil {
		return nil, nil, nil, err
	}
	return st, accounts, queue, nil
}

// keepHalf reduces the parent shard's state to this half: accounts by address,
// queued messages by sender, fees split with the odd nanoton to the left.
func (c *collator) keepHalf() error {
	if _, err := c.accounts.CutPrefixSubdict(layout.ShardBits(c.shard), false); err != nil {
		return fmt.Errorf("split of the accounts: %w", err)
	}
	var foreign []layout.QueueKey
	var failed error
	err := c.queue.Each(func(m layout.Queued) bool {
		wc, prefix, err := layout.MessageSource(m.Envelope)
		if err != nil {
			failed = err
			return false
		}
		if wc != c.wc || !layout.ShardContains(c.shard, prefix) {
			foreign = append(foreign, m.Key)
		}
		return true
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return fmt.Errorf("split of the out-queue: %w", err)
	}
	for _, key := range foreign {
		if err := c.queue.Remove(key); err != nil {
			return err
		}
	}
	if err := c.queue.Split(c.shard); err != nil {
		return err
	}
	half := new(big.Int).Rsh(c.state.ValidatorFees, 1)
	if left, _ := layout.ShardChildren(layout.ShardParent(c.shard)); left == c.shard {
		half.Sub(c.state.ValidatorFees, half)
	}
	c.state.ValidatorFees = half
	c.state.Shard, c.state.BeforeSplit = c.shard, false
	c.state.Overload, c.state.Underload = 0, 0
	var sumErr error
	c.state.TotalBalance, sumErr = balance(c.accounts)
	return sumErr
}

// openMerged joins the states of two sibling shards.
func (c *collator) openMerged() error {
	c.oldRoot = layout.SplitState(c.prev[0].root, c.prev[1].root)
	traced := c.oldRoot.WithTrace(c.usage.tree.RootTrace())
	s, err := traced.BeginParse()
	if err != nil {
		return err
	}
	if err := s.SkipBits(32); err != nil {
		return err
	}
	var halves [2]*layout.State
	var accounts [2]*cell.AugmentedDictionary
	var queues [2]*layout.OutQueue
	for i := range halves {
		root, err := s.LoadRefCell()
		if err != nil {
			return err
		}
		st, err := layout.ParseState(root)
		if err != nil {
			return fmt.Errorf("state of %s: %w", c.prev[i].name(), err)
		}
		if halves[i], accounts[i], queues[i], err = openParts(st); err != nil {
			return err
		}
	}
	if ok, err := accounts[0].CombineWith(accounts[1]); err != nil || !ok {
		return fmt.Errorf("merge of the accounts: overlap=%t: %w", !ok, err)
	}
	if err := queues[0].Merge(queues[1]); err != nil {
		return err
	}
	st := halves[0]
	st.Shard = c.shard
	st.TotalBalance = layout.Total(halves[0].TotalBalance, halves[1].TotalBalance)
	st.ValidatorFees = layout.Sum(halves[0].ValidatorFees, halves[1].ValidatorFees)
	st.Overload, st.Underload = 0, 0
	st.GenUtime = max(halves[0].GenUtime, halves[1].GenUtime)
	c.state, c.accounts, c.queue = st, accounts[0], queues[0]
	return nil
}

// balance returns the sum over all accounts, which is in the dictionary's root.
func balance(accounts *cell.AugmentedDictionary) (total layout.Currencies, err error) {
	extra, err := accounts.LoadRootExtra()
	if err != nil {
		return total, fmt.Errorf("balance of the accounts: %w", err)
	}
	if err := extra.SkipBits(5); err != nil { // split_depth
		return total, err
	}
	return layout.LoadCurrencies(extra)
}
