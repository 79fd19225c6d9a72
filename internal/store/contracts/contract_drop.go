package contracts

import (
	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// dropPast removes the history of the contracts with transactions in masterchain blocks, up to the last of these except its newest row.
func dropPast(table, contract string) string {
	return `DELETE FROM ` + table + ` h USING (SELECT DISTINCT t.account FROM transactions t WHERE t.mc_seqno BETWEEN $1 AND $2) k
		WHERE h.` + contract + ` = k.account AND h.lt < (SELECT n.lt FROM ` + table + ` n
			WHERE n.` + contract + ` = k.account AND n.mc_seqno <= $2 ORDER BY n.lt DESC LIMIT 1)`
}

// dropOrders removes what transactions ordered.
func dropOrders(table, account string) string {
	return `DELETE FROM ` + table + ` o USING unnest($1::bytea[], $2::bigint[]) k(account, lt) WHERE o.` + account + ` = k.account AND o.tx_lt = k.lt`
}

var (
	dropBalances = dropPast("jetton_balances", "wallet")
	dropOwners   = dropPast("nft_owners", "item")
	dropSales    = dropPast("nft_sale_records", "address")

	dropJettonTransfers = dropOrders("jetton_transfers", "source_wallet")
	dropJettonBurns     = dropOrders("jetton_burns", "jetton_wallet")
	dropNFTTransfers    = dropOrders("nft_transfers", "nft")
)

// QueueDropHistory queues the removal of the history of the contracts that masterchain blocks changed, except what holds after them. The
// transactions of the blocks are still there.
func QueueDropHistory(b *pgx.Batch, within chain.SeqnoRange) {
	for _, statement := range []string{dropBalances, dropOwners, dropSales} {
		b.Queue(statement, int64(within.First), int64(within.Last))
	}
}

// QueueDropOrders queues the removal of the transfers and burns of transactions.
func QueueDropOrders(b *pgx.Batch, keys sqlbuild.KeyArrays) {
	for _, statement := range []string{dropJettonTransfers, dropJettonBurns, dropNFTTransfers} {
		b.Queue(statement, keys.Accounts, keys.LTs)
	}
}
