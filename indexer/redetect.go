package indexer

import (
	"context"
	"fmt"

	"tonql/indexer/detect"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/store"
)

// reviewAtOnce is how many accounts one transaction of a review writes: little enough not to hold up the indexer.
const reviewAtOnce = 256

// Redetection is how far a review of the index has come.
type Redetection struct {
	Last     chain.Address // the last account reviewed; a review may go on after it
	Accounts int
	Stats    detect.Stats
}

// Redetect looks again at the latest state of every account of the index, in the order of addresses beginning after the
// given one (nil: with the first), and writes what it finds anew. It runs beside an indexer and servers: it writes in
// small transactions, and a state that has become older meanwhile does not take the place of a newer one. progress is
// told after each of them.
func (x *Indexer) Redetect(ctx context.Context, after *chain.Address, progress func(Redetection)) (Redetection, error) {
	detector := detect.New(x.src, x.net, x.opts.Contracts)
	defer detector.Close()
	rv := &review{x: x, r: x.db.Reader(), look: detector.NewReview()}
	for {
		accounts, err := rv.r.AccountsAfter(ctx, after, reviewAtOnce)
		if err != nil {
			return rv.done, fmt.Errorf("accounts: %w", err)
		}
		if len(accounts) == 0 {
			return rv.done, nil
		}
		if err := rv.step(ctx, accounts); err != nil {
			return rv.done, fmt.Errorf("accounts up to %s: %w", accounts[len(accounts)-1], err)
		}
		rv.done.Last = accounts[len(accounts)-1]
		rv.done.Accounts += len(accounts)
		after = &rv.done.Last
		progress(rv.done)
	}
}

// review is one run of [Indexer.Redetect].
type review struct {
	x    *Indexer
	r    *store.Reader
	look *detect.Review
	done Redetection
}

// step reviews some accounts and writes what was found.
func (rv *review) step(ctx context.Context, accounts []chain.Address) error {
	block, err := rv.newest(ctx)
	if err != nil {
		return err
	}
	latest := newLatest(rv.r, rv.x.src, block.BlockIDExt)
	rows, err := rv.r.AccountStates(ctx, chain.AccountFilter{Addresses: accounts, WithBOC: true}, chain.Page{Limit: len(accounts)})
	if err != nil {
		return fmt.Errorf("states: %w", err)
	}
	states, seqnos, err := rv.committed(ctx, latest, rows)
	if err != nil || len(states) == 0 {
		return err
	}
	type outcome struct {
		contracts []chain.Contract
		stats     detect.Stats
		missing   error // asking again would not help
	}
	found, err := retry(ctx, rv.x, "review", "contracts of the index", func(ctx context.Context) (outcome, error) {
		contracts, stats, err := rv.look.Look(ctx, block, latest, states, seqnos)
		if err != nil && chain.KindOf(err) == chain.NotFound {
			return outcome{missing: err}, nil
		}
		return outcome{contracts: contracts, stats: stats}, err
	})
	if err == nil {
		err = found.missing
	}
	if err != nil {
		return err
	}
	rv.done.Stats.Accounts += found.stats.Accounts
	rv.done.Stats.Undetected += found.stats.Undetected
	rv.done.Stats.Failed += found.stats.Failed
	rv.done.Stats.Gas += found.stats.Gas
	return rv.write(ctx, found.contracts)
}

// newest is the newest indexed masterchain block.
func (rv *review) newest(ctx context.Context) (*chain.Block, error) {
	ledger, err := rv.r.Ranges(ctx)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	if len(ledger) == 0 {
		return nil, chain.NotFoundf("nothing is indexed yet")
	}
	seqno := ledger[len(ledger)-1].Last
	rows, err := rv.r.BlocksByID(ctx, []chain.BlockID{{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: seqno}})
	if err != nil {
		return nil, fmt.Errorf("masterchain block %d: %w", seqno, err)
	}
	if len(rows) == 0 {
		return nil, chain.NotFoundf("masterchain block %d is not in the index", seqno)
	}
	return &rows[0], nil
}

// committed opens the active states that a transaction of the index has made, and finds the masterchain blocks that
// committed them. Others have not been seen to change, so indexing has no record of them either.
func (rv *review) committed(ctx context.Context, latest *latest, rows []chain.AccountState) ([]contract.State, []uint32, error) {
	keys := make([]chain.TransactionKey, 0, len(rows))
	for i := range rows {
		keys = append(keys, chain.TransactionKey{Account: rows[i].Account, LT: rows[i].LT})
	}
	txs, err := rv.r.TransactionsByKey(ctx, keys)
	if err != nil {
		return nil, nil, fmt.Errorf("transactions: %w", err)
	}
	seqnoOf := make(map[chain.TransactionKey]uint32, len(txs))
	for i := range txs {
		seqnoOf[txs[i].Key()] = txs[i].McSeqno
	}
	var states []contract.State
	var seqnos []uint32
	for i := range rows {
		seqno, ok := seqnoOf[keys[i]]
		if !ok || rows[i].Status != chain.Active {
			continue
		}
		st, ok, err := latest.open(ctx, &rows[i])
		if err != nil && chain.KindOf(err) == chain.NotFound {
			continue // too large for the index, and the network has let go of it
		}
		if err != nil {
			return nil, nil, err
		}
		if ok && st.LastTxLT == rows[i].LT {
			states, seqnos = append(states, st), append(seqnos, seqno)
		}
	}
	return states, seqnos, nil
}

// write puts the findings into the index, and what the contracts that were not known to be genuine were told to do.
func (rv *review) write(ctx context.Context, contracts []chain.Contract) error {
	fresh, err := rv.fresh(ctx, contracts)
	if err != nil {
		return err
	}
	if err := rv.x.db.Writer().ApplyDetections(ctx, store.Detections{Contracts: contracts}); err != nil {
		return fmt.Errorf("findings: %w", err)
	}
	for _, k := range fresh {
		if err := rv.writeOrders(ctx, k); err != nil {
			return fmt.Errorf("orders of %s: %w", k.Account, err)
		}
	}
	return nil
}

// fresh leaves the Jetton wallets and items that the index does not have as such.
func (rv *review) fresh(ctx context.Context, contracts []chain.Contract) ([]*chain.Contract, error) {
	genuine := map[chain.Address]*chain.Contract{}
	var addresses []chain.Address
	for i := range contracts {
		if k := &contracts[i]; k.JettonWallet != nil || k.NFTItem != nil {
			genuine[k.Account] = k
			addresses = append(addresses, k.Account)
		}
	}
	if len(addresses) == 0 {
		return nil, nil
	}
	page := chain.Page{Limit: len(addresses)}
	wallets, err := rv.r.JettonWallets(ctx, chain.JettonWalletFilter{Addresses: addresses}, page)
	if err != nil {
		return nil, fmt.Errorf("wallets of a Jetton: %w", err)
	}
	for i := range wallets {
		delete(genuine, wallets[i].Address)
	}
	items, err := rv.r.NFTItems(ctx, chain.NFTItemFilter{Addresses: addresses}, page)
	if err != nil {
		return nil, fmt.Errorf("items: %w", err)
	}
	for i := range items {
		delete(genuine, items[i].Address)
	}
	var fresh []*chain.Contract
	for _, a := range addresses {
		if k := genuine[a]; k != nil {
			fresh = append(fresh, k)
		}
	}
	return fresh, nil
}

// writeOrders goes through the transactions of an account in pages.
func (rv *review) writeOrders(ctx context.Context, k *chain.Contract) error {
	const rows = 500
	f := chain.TransactionFilter{Accounts: []chain.Address{k.Account}}
	for {
		txs, err := rv.r.Transactions(ctx, f, chain.Page{Limit: rows, Sort: chain.Ascending})
		if err != nil {
			return fmt.Errorf("transactions: %w", err)
		}
		var keys []chain.MessageKey
		for i := range txs {
			if txs[i].InMsg != nil {
				keys = append(keys, *txs[i].InMsg)
			}
		}
		messages, err := rv.r.MessagesByKey(ctx, keys)
		if err != nil {
			return fmt.Errorf("messages: %w", err)
		}
		m := &chain.MasterBlock{Contracts: []chain.Contract{*k}, Transactions: txs, Messages: messages}
		detect.Orders(m)
		err = rv.x.db.Writer().ApplyDetections(ctx, store.Detections{
			JettonTransfers: m.JettonTransfers, JettonBurns: m.JettonBurns, NFTTransfers: m.NFTTransfers,
		})
		if err != nil {
			return fmt.Errorf("findings: %w", err)
		}
		if len(txs) < rows {
			return nil
		}
		next := txs[len(txs)-1].LT + 1
		f.StartLT = &next
	}
}
