package conformance

import (
	"math/big"
	"net/http"
	"slices"
	"strings"
)

func v2TransactionChecks() []Check {
	return []Check{
		v2Row("getTransactions.limit", Limits, "`limit` bounds `getTransactions`.", func(p *probe) {
			p.requiref(len(v2History(p, "limit", "1")) == 1 || p.over(), "limit=1 does not return one transaction")
		}),
		v2Row("getTransactions.limit-invalid", Errors, "`limit` 0 and beyond the maximum are refused with 422.", func(p *probe) {
			for _, limit := range []string{"0", "1000001", "some"} {
				p.v2Refused(refusedParameter, "getTransactions", "address", p.v2Account(), "limit", limit)
			}
		}),
		v2Row("getTransactions.order", Order, "`getTransactions` is descending by LT.", func(p *probe) {
			rows := v2History(p, "limit", "10")
			p.ordered(rows, -1, "transaction_id", "lt")
			p.someRows(rows, 2, "transactions")
		}),
		v2Row("getTransactions.paging", Paging, "From the LT and hash of a transaction, `getTransactions` continues with that transaction, without gaps and doubles.", func(p *probe) {
			all := v2History(p, "limit", "6")
			if !p.someRows(all, 2, "transactions") {
				return
			}
			pages := v2IDs(all[:1])
			for range len(all) - 1 {
				lt, hash, _ := strings.Cut(pages[len(pages)-1], " ")
				next := v2IDs(v2History(p, "limit", "2", "lt", lt, "hash", hash))
				if len(next) != 2 || p.over() {
					p.failf("after %s there are %d transactions, expected 2", lt, len(next))
					return
				}
				p.equal(next[0], pages[len(pages)-1], "the first transaction of the page")
				pages = append(pages, next[1])
			}
			p.same(pages, v2IDs(all), "transactions")
		}),
		v2Row("getTransactions.to-lt", Filters, "`to_lt` ends the list before that LT.", func(p *probe) {
			all := v2History(p, "limit", "6")
			if !p.someRows(all, 3, "transactions") {
				return
			}
			to, first := all[2], all[0]
			rows := v2History(p, "limit", "6", "lt", first.text("transaction_id", "lt"), "hash", first.text("transaction_id", "hash"), "to_lt", to.text("transaction_id", "lt"))
			p.same(v2IDs(rows), v2IDs(all[:2]), "transactions")
		}),
		v2Row("getTransactions.account", Consistency, "Transactions of an account have its address, and fees that add up.", func(p *probe) {
			for _, row := range v2History(p, "limit", "10") {
				p.equal(rawOf(row.text("address", "account_address")), strings.ToUpper(p.v2Account()), row.path+".address")
				sum := new(big.Int).Add(row.integer("storage_fee"), row.integer("other_fee"))
				p.equal(row.text("fee"), sum.String(), row.path+".fee")
			}
		}),
		v2Row("getTransactions.data", Consistency, "The hash of the cells in `data` is the hash of the transaction.", func(p *probe) {
			for _, row := range v2History(p, "limit", "5") {
				p.cellHash(row.at("data"), row.text("transaction_id", "hash"))
			}
		}),
		v2Row("getTransactionsStd.agrees", Consistency, "`getTransactionsStd` and `getTransactions` have the same transactions.", func(p *probe) {
			p.unchanged(func() ([]string, []string) {
				return v2IDs(p.v2("getTransactionsStd", "address", p.v2Account(), "limit", "5").at("transactions").rows()), v2IDs(v2History(p, "limit", "5"))
			})
		}),
		v2Row("tryLocateTx.agrees", Consistency, "`tryLocateTx` and `tryLocateResultTx` find the transaction that received a message, and `tryLocateSourceTx` the one that sent it.", func(p *probe) {
			b := p.v2Received()
			m := b.at("in_msg")
			pairs := []string{"source", m.text("source", "account_address"), "destination", m.text("destination", "account_address"), "created_lt", m.text("created_lt")}
			p.equal(v2ID(p.v2("tryLocateTx", pairs...)), v2ID(b), "tryLocateTx")
			p.equal(v2ID(p.v2("tryLocateResultTx", pairs...)), v2ID(b), "tryLocateResultTx")
			source := p.v2("tryLocateSourceTx", pairs...)
			p.equal(source.text("address", "account_address"), m.text("source", "account_address"), "the account of tryLocateSourceTx")
			p.requiref(p.over() || slices.Contains(column(source.at("out_msgs").rows(), "hash"), m.text("hash")), "the source did not send the message")
		}),
		v2Row("tryLocateTx.absent", Errors, "`tryLocateTx` of a message that never was is 404.", func(p *probe) {
			p.v2Refused([]int{http.StatusNotFound}, "tryLocateTx", "source", nobody, "destination", nobody, "created_lt", "1")
		}),
	}
}

// v2History returns transactions of the account of the checks.
func v2History(p *probe, pairs ...string) []value {
	return p.v2("getTransactions", append([]string{"address", p.v2Account()}, pairs...)...).rows()
}

// v2ID is the LT and the hash of a transaction.
func v2ID(row value) string {
	return row.text("transaction_id", "lt") + " " + row.text("transaction_id", "hash")
}

func v2IDs(rows []value) []string {
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = v2ID(row)
	}
	return texts
}
