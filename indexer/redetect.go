package indexer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tonql/indexer/detect"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/store"
)

// redetectAtOnce is how many accounts one database transaction of Redetect writes. It is small enough not to delay the
// indexer.
const redetectAtOnce = 256

// Redetection is the progress of [Indexer.Redetect].
type Redetection struct {
	Last     chain.Address // the last account done; another run may continue after it
	Accounts int
	Stats    detect.Stats
}

// Redetect detects the contract of every account of the index again, from its latest state, and replaces the result. It goes
// through the accounts in the order of their addresses, beginning after the given one (nil: with the first). An indexer and
// gateways can run at the same time: Redetect writes small database transactions, never replaces the result of a newer
// state, and calls progress after each transaction. With transfers it also writes the transfers and burns in the past transactions of Jetton
// wallets and NFT items that the index has: some are missing where the contract was undetected at their block and detected at a later one.
func (x *Indexer) Redetect(ctx context.Context, after *chain.Address, transfers bool, progress func(Redetection)) (Redetection, error) {
	detector := detect.New(x.src, x.net, x.opts.Contracts)
	defer detector.Close()
	rd := &redetection{x: x, r: x.db.Reader(), review: detector.NewReview(), transfers: transfers}
	for {
		accounts, err := rd.r.AccountsAfter(ctx, after, redetectAtOnce)
		if err != nil {
			return rd.done, fmt.Errorf("accounts: %w", err)
		}
		if len(accounts) == 0 {
			return rd.done, nil
		}
		if err := rd.step(ctx, accounts); err != nil {
			return rd.done, fmt.Errorf("accounts up to %s: %w", accounts[len(accounts)-1], err)
		}
		rd.done.Last = accounts[len(accounts)-1]
		rd.done.Accounts += len(accounts)
		after = &rd.done.Last
		progress(rd.done)
	}
}

// redetection is one run of [Indexer.Redetect].
type redetection struct {
	x      *Indexer
	r      *store.Reader
	review *detect.Review
	done   Redetection

	transfers bool // also those of contracts that the index has
}

// step detects the contracts of some accounts and writes them. Accounts that have too much together are halved: what one step reads,
// detects and writes is bounded in bytes.
func (rd *redetection) step(ctx context.Context, accounts []chain.Address) error {
	err := rd.together(ctx, accounts)
	half := len(accounts) / 2
	if half == 0 || !errors.Is(err, detect.ErrTooMuch) {
		return err
	}
	if err := rd.step(ctx, accounts[:half]); err != nil {
		return err
	}
	return rd.step(ctx, accounts[half:])
}

// together is [redetection.step] of accounts at once. The error is [detect.ErrTooMuch], and nothing is written, when several have too
// much together.
func (rd *redetection) together(ctx context.Context, accounts []chain.Address) error {
	block, err := rd.newest(ctx)
	if err != nil {
		return err
	}
	latest := newLatest(rd.r, rd.x.src, block.BlockIDExt, len(accounts) == 1, rd.x.reviewBytes)
	rows, err := rd.r.AccountStates(ctx, chain.AccountFilter{Addresses: accounts, WithBOC: true}, chain.Page{Limit: len(accounts)})
	if chain.KindOf(err) == chain.Invalid && len(accounts) > 1 {
		return fmt.Errorf("%w: %w", detect.ErrTooMuch, err)
	}
	if err != nil {
		return fmt.Errorf("states: %w", err)
	}
	states, seqnos, err := rd.committed(ctx, latest, rows)
	if err != nil || len(states) == 0 {
		return err
	}
	type outcome struct {
		contracts []chain.Contract
		stats     detect.Stats
		failed    error // a retry would not help
	}
	found, err := retry(ctx, rd.x, "redetect", "contracts of the index", func(ctx context.Context) (outcome, error) {
		contracts, stats, err := rd.review.Detect(ctx, block, latest, states, seqnos)
		if err != nil && (chain.KindOf(err) == chain.NotFound || errors.Is(err, detect.ErrTooMuch)) {
			return outcome{failed: err}, nil
		}
		return outcome{contracts: contracts, stats: stats}, err
	})
	if err == nil {
		err = found.failed
	}
	if err != nil {
		return err
	}
	rd.done.Stats.Accounts += found.stats.Accounts
	rd.done.Stats.Undetected += found.stats.Undetected
	rd.done.Stats.Failed += found.stats.Failed
	rd.done.Stats.Gas += found.stats.Gas
	return rd.write(ctx, found.contracts)
}

// newest returns the newest indexed masterchain block.
func (rd *redetection) newest(ctx context.Context) (*chain.Block, error) {
	indexed, err := rd.r.Ranges(ctx)
	if err != nil {
		return nil, fmt.Errorf("indexed ranges: %w", err)
	}
	if len(indexed) == 0 {
		return nil, chain.NotFoundf("nothing is indexed yet")
	}
	seqno := indexed[len(indexed)-1].Last
	rows, err := rd.r.BlocksByID(ctx, []chain.BlockID{{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: seqno}})
	if err != nil {
		return nil, fmt.Errorf("masterchain block %d: %w", seqno, err)
	}
	if len(rows) == 0 {
		return nil, chain.NotFoundf("masterchain block %d is not in the index", seqno)
	}
	return &rows[0], nil
}

// committed opens the active states that indexed transactions have created, and returns the seqnos of the masterchain
// blocks that committed them. Indexing has no contracts for other states either.
func (rd *redetection) committed(ctx context.Context, latest *latest, rows []chain.AccountState) ([]contract.State, []uint32, error) {
	keys := make([]chain.TransactionKey, 0, len(rows))
	for i := range rows {
		keys = append(keys, chain.TransactionKey{Account: rows[i].Account, LT: rows[i].LT})
	}
	txs, err := rd.r.TransactionsByKey(ctx, keys)
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
			continue // too large for the index, and the network no longer has it
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

// write writes the detected contracts. For Jetton wallets and NFT items that are new to the index, or for all, it also writes the
// transfers and burns in their past transactions, before the contracts: a run that ends in between leaves the contracts new.
func (rd *redetection) write(ctx context.Context, contracts []chain.Contract) error {
	traded, err := rd.traded(ctx, contracts)
	if err != nil {
		return err
	}
	for _, k := range traded {
		if err := rd.writeOrders(ctx, k); err != nil {
			return fmt.Errorf("transfers of %s: %w", k.Account, err)
		}
	}
	if err := rd.x.db.Writer().ApplyDetections(ctx, store.Detections{Contracts: contracts}); err != nil {
		return fmt.Errorf("detected contracts: %w", err)
	}
	return nil
}

// traded returns the Jetton wallets and NFT items whose transfers are written: those that the index does not have yet, or all.
func (rd *redetection) traded(ctx context.Context, contracts []chain.Contract) ([]*chain.Contract, error) {
	genuine := map[chain.Address]*chain.Contract{}
	var addresses []chain.Address
	for i := range contracts {
		if k := &contracts[i]; k.JettonWallet != nil || k.NFTItem != nil {
			genuine[k.Account] = k
			addresses = append(addresses, k.Account)
		}
	}
	if !rd.transfers {
		if err := rd.dropIndexed(ctx, genuine, addresses); err != nil {
			return nil, err
		}
	}
	var list []*chain.Contract
	for _, a := range addresses {
		if k := genuine[a]; k != nil {
			list = append(list, k)
		}
	}
	return list, nil
}

// dropIndexed removes the contracts that the index has.
func (rd *redetection) dropIndexed(ctx context.Context, genuine map[chain.Address]*chain.Contract, addresses []chain.Address) error {
	if len(addresses) == 0 {
		return nil
	}
	page := chain.Page{Limit: len(addresses)}
	wallets, err := rd.r.JettonWallets(ctx, chain.JettonWalletFilter{Addresses: addresses}, page)
	if err != nil {
		return fmt.Errorf("wallets of Jettons: %w", err)
	}
	for i := range wallets {
		delete(genuine, wallets[i].Address)
	}
	items, err := rd.r.NFTItems(ctx, chain.NFTItemFilter{Addresses: addresses}, page)
	if err != nil {
		return fmt.Errorf("NFT items: %w", err)
	}
	for i := range items {
		delete(genuine, items[i].Address)
	}
	return nil
}

const (
	// ordersAtOnce is the number of transactions whose transfers and burns are written together.
	ordersAtOnce = 500
	// messagesAtOnce is the number of messages that are read together for them: each may have two megabytes.
	messagesAtOnce = 32
)

// writeOrders writes the transfers and burns in all transactions of a contract, page by page.
func (rd *redetection) writeOrders(ctx context.Context, k *chain.Contract) error {
	f := chain.TransactionFilter{Accounts: []chain.Address{k.Account}}
	for {
		txs, err := rd.r.Transactions(ctx, f, chain.Page{Limit: ordersAtOnce, Sort: chain.Ascending})
		if err != nil {
			return fmt.Errorf("transactions: %w", err)
		}
		var found store.Detections
		for some := range slices.Chunk(txs, messagesAtOnce) {
			if err := rd.readOrders(ctx, k, some, &found); err != nil {
				return err
			}
		}
		if err := rd.x.db.Writer().ApplyDetections(ctx, found); err != nil {
			return fmt.Errorf("transfers: %w", err)
		}
		if len(txs) < ordersAtOnce {
			return nil
		}
		next := txs[len(txs)-1].LT + 1
		f.StartLT = &next
	}
}

// readOrders appends the transfers and burns of a contract in transactions.
func (rd *redetection) readOrders(ctx context.Context, k *chain.Contract, txs []chain.Transaction, to *store.Detections) error {
	var keys []chain.MessageKey
	for i := range txs {
		if txs[i].InMsg != nil {
			keys = append(keys, *txs[i].InMsg)
		}
	}
	m := &chain.MasterBlock{Contracts: []chain.Contract{*k}, Transactions: txs}
	if err := rd.r.VisitMessages(ctx, keys, func(row *chain.Message) { m.Messages = append(m.Messages, *row) }); err != nil {
		return fmt.Errorf("messages: %w", err)
	}
	detect.Orders(m)
	to.JettonTransfers = append(to.JettonTransfers, m.JettonTransfers...)
	to.JettonBurns = append(to.JettonBurns, m.JettonBurns...)
	to.NFTTransfers = append(to.NFTTransfers, m.NFTTransfers...)
	return nil
}
