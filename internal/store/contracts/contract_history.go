package contracts

import (
	"math/big"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/sqlbuild"
)

// History has a row for every state in which a contract was detected as a Jetton wallet or an item, whatever later detections
// about this state say. The same state may come with several blocks; the first of them committed it.
const (
	insertBalances = `INSERT INTO jetton_balances AS h (wallet, lt, mc_seqno, balance, owner, jetton)
		SELECT wallet, lt, mc_seqno, balance::numeric, owner, jetton FROM
		unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::text[], $5::bytea[], $6::bytea[]) k(wallet, lt, mc_seqno, balance, owner, jetton)
		ON CONFLICT (wallet, lt) DO UPDATE SET mc_seqno = excluded.mc_seqno WHERE excluded.mc_seqno < h.mc_seqno`
	// Rows of versions before have neither index nor collection until the state is detected again or the item ends.
	insertOwners = `INSERT INTO nft_owners AS h (item, lt, mc_seqno, owner, item_index, collection)
		SELECT item, lt, mc_seqno, owner, item_index::numeric, collection FROM
		unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[], $5::text[], $6::bytea[]) k(item, lt, mc_seqno, owner, item_index, collection)
		ON CONFLICT (item, lt) DO UPDATE SET mc_seqno = least(excluded.mc_seqno, h.mc_seqno), item_index = excluded.item_index,
			collection = excluded.collection WHERE excluded.mc_seqno < h.mc_seqno OR h.item_index IS NULL`
	completeOwners = `UPDATE nft_owners h SET item_index = i.item_index, collection = i.collection FROM nft_items i
		WHERE i.address = ANY($1) AND h.item = i.address AND h.item_index IS NULL`

	insertSales = `INSERT INTO nft_sale_records AS h (address, lt, mc_seqno, kind, nft, nft_owner, marketplace, price)
		SELECT address, lt, mc_seqno, kind, nft, nft_owner, marketplace, price::numeric FROM unnest($1::bytea[], $2::bigint[],
			$3::bigint[], $4::smallint[], $5::bytea[], $6::bytea[], $7::bytea[], $8::text[])
			k(address, lt, mc_seqno, kind, nft, nft_owner, marketplace, price)
		ON CONFLICT (address, lt) DO UPDATE SET mc_seqno = excluded.mc_seqno WHERE excluded.mc_seqno < h.mc_seqno`

	deleteBalances = `DELETE FROM jetton_balances h USING unnest($1::bytea[], $2::bigint[]) k(account, lt)
		WHERE h.wallet = k.account AND h.lt = k.lt`
	deleteSales = `DELETE FROM nft_sale_records h USING unnest($1::bytea[], $2::bigint[]) k(account, lt)
		WHERE h.address = k.account AND h.lt = k.lt`
	deleteOwners = `DELETE FROM nft_owners h USING unnest($1::bytea[], $2::bigint[]) k(account, lt)
		WHERE h.item = k.account AND h.lt = k.lt`
)

// past is one column set of history, each state once.
type past struct {
	sqlbuild.KeyArrays

	at       map[chain.TransactionKey]int
	mcSeqnos []int64
	contract []*chain.Contract
}

func (p *past) note(k *chain.Contract) {
	key := chain.TransactionKey{Account: k.Account, LT: k.LT}
	if i, found := p.at[key]; found {
		p.mcSeqnos[i] = min(p.mcSeqnos[i], int64(k.McSeqno))
		return
	}
	if p.at == nil {
		p.at = map[chain.TransactionKey]int{}
	}
	p.at[key] = p.Len()
	p.Add(&k.Account, k.LT)
	p.mcSeqnos = append(p.mcSeqnos, int64(k.McSeqno))
	p.contract = append(p.contract, k)
}

// QueueHistory queues the rows of the history of Jetton wallets, items and sales.
func QueueHistory(b *pgx.Batch, u *batch.Batch) {
	var wallets, items, sales, all past
	for _, mb := range u.Blocks {
		for i := range mb.Contracts {
			k := &mb.Contracts[i]
			if k.Partial {
				continue
			}
			all.note(k)
			if k.JettonWallet != nil {
				wallets.note(k)
			}
			if k.NFTItem != nil {
				items.note(k)
			}
			if k.NFTSale != nil {
				sales.note(k)
			}
		}
	}
	if u.Forced && all.Len() > 0 {
		b.Queue(deleteBalances, all.Accounts, all.LTs)
		b.Queue(deleteOwners, all.Accounts, all.LTs)
		b.Queue(deleteSales, all.Accounts, all.LTs)
	}
	if n := wallets.Len(); n > 0 {
		balances, owners, jettons := make([]string, n), make([]chain.Address, n), make([]chain.Address, n)
		for i, k := range wallets.contract {
			balances[i] = "0"
			if k.JettonWallet.Balance != nil {
				balances[i] = k.JettonWallet.Balance.String()
			}
			owners[i], jettons[i] = k.JettonWallet.Owner, k.JettonWallet.Jetton
		}
		b.Queue(insertBalances, wallets.Accounts, wallets.LTs, wallets.mcSeqnos, balances, sqlbuild.AddressArray(owners), sqlbuild.AddressArray(jettons))
	}
	items.queueItems(b)
	sales.queueSales(b)
}

func (p *past) queueItems(b *pgx.Batch) {
	n := p.Len()
	if n == 0 {
		return
	}
	owners, collections, indexes := make([][]byte, n), make([][]byte, n), make([]*string, n)
	for i, k := range p.contract {
		item := k.NFTItem
		owners[i], collections[i] = bytesOf(item.Owner), bytesOf(item.Collection)
		if collections[i] == nil {
			collections[i] = []byte{} // an item of its own
		}
		if item.Index != nil {
			text := item.Index.String()
			indexes[i] = &text
		}
	}
	b.Queue(insertOwners, p.Accounts, p.LTs, p.mcSeqnos, owners, indexes, collections)
}

// bytesOf returns an address as a parameter; nil is NULL.
func bytesOf(a *chain.Address) []byte {
	if a == nil {
		return nil
	}
	return a.Bytes()
}

func (p *past) queueSales(b *pgx.Batch) {
	n := p.Len()
	if n == 0 {
		return
	}
	kinds, prices := make([]int16, n), make([]*string, n)
	nfts, owners, markets := make([][]byte, n), make([][]byte, n), make([][]byte, n)
	for i, k := range p.contract {
		s := k.NFTSale
		kinds[i] = int16(s.Kind)
		nfts[i], owners[i], markets[i] = bytesOf(s.NFT), bytesOf(s.NFTOwner), bytesOf(s.Marketplace)
		if price := priceOf(s); price != nil {
			text := price.String()
			prices[i] = &text
		}
	}
	b.Queue(insertSales, p.Accounts, p.LTs, p.mcSeqnos, kinds, nfts, owners, markets, prices)
}

// priceOf is the full price of a sale or the last bid of an auction.
func priceOf(s *chain.NFTSale) *big.Int {
	switch {
	case s.FixedPrice != nil:
		return s.FixedPrice.FullPrice
	case s.Auction != nil:
		return s.Auction.LastBid
	case s.Telemint != nil:
		return s.Telemint.Bid
	default:
		return nil
	}
}
