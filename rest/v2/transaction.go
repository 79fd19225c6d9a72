package v2

import (
	"bytes"
	"math"
	"net/http"
	"slices"
	"strings"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// history is what getTransactions and getTransactionsStd ask.
type history struct {
	account  chain.Address
	limit    int
	lt, toLT uint64
	hash     *chain.Hash // of the transaction at lt; nil begins with the newest
	empty    bool        // lt was 0: the history before the first transaction
}

func (c *call) history(zeroLT bool) (h history, err error) {
	h.account = c.p.address("address")
	limit := c.p.integer("limit", 1, 1000)
	lt := c.p.integer("lt", 0, math.MaxInt64)
	hash := c.p.hash("hash")
	toLT := c.p.integer("to_lt", 0, math.MaxInt64)
	c.p.flag("archival") // the index has all that it has
	if lt != nil && *lt == 0 && !zeroLT {
		lt, hash = nil, nil
	}
	if (lt == nil) != (hash == nil) {
		c.p.refuse(chain.Invalidf("lt and hash are needed both or not at all"))
	}
	if err := c.p.end(); err != nil {
		return h, err
	}
	h.limit = 10
	if limit != nil {
		h.limit = int(*limit)
	}
	if toLT != nil {
		h.toLT = uint64(*toLT)
	}
	if lt != nil {
		h.lt, h.hash, h.empty = uint64(*lt), hash, *lt == 0
	}
	return h, nil
}

// rows reads the account's transactions, newest first.
func (c *call) rows(h history) ([]resolvers.RawTransaction, error) {
	if h.empty {
		return nil, nil
	}
	f := chain.TransactionFilter{Accounts: []chain.Address{h.account}}
	if h.hash != nil {
		f.EndLT = &h.lt
		// The pair must name a transaction even when to_lt leaves it out.
		at := f
		at.LT, at.EndLT = &h.lt, nil
		first, err := c.svc.Transactions(c.ctx, at, chain.Page{Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(first) == 0 || first[0].Hash != *h.hash {
			return nil, refuse(http.StatusInternalServerError,
				"LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time")
		}
	}
	if h.toLT > 0 {
		f.StartLT = new(h.toLT + 1)
	}
	return c.svc.RawTransactions(c.ctx, f, chain.Page{Limit: h.limit, Sort: chain.Descending})
}

func transactions(c *call) error {
	h, err := c.history(false)
	if err != nil {
		return err
	}
	rows, err := c.rows(h)
	if err != nil {
		return err
	}
	c.b = append(c.appendRows(append(c.b, '['), rows, extended), ']')
	return nil
}

func transactionsStd(c *call) error {
	h, err := c.history(true)
	if err != nil {
		return err
	}
	rows, err := c.rows(h)
	if err != nil {
		return err
	}
	b := c.appendRows(append(c.b, `{"@type":"raw.transactions","transactions":[`...), rows, plain)
	var lt uint64
	var hash chain.Hash
	if len(rows) > 0 {
		last := &rows[len(rows)-1]
		lt, hash = last.PrevLT, last.PrevHash
	}
	c.b = append(appendTxID(append(b, `],"previous_transaction_id":`...), lt, hash), '}')
	return nil
}

func (c *call) appendRows(b []byte, rows []resolvers.RawTransaction, f form) []byte {
	for i := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendTransaction(b, &rows[i], f)
	}
	return b
}

// form is one of the three ways to print a transaction.
type form struct {
	transaction, message string // their types
	account              bool   // names the account in raw form too
	flat                 bool   // addresses of messages are texts, and their bodies are told as text
}

var (
	extended = form{"ext.transaction", "ext.message", true, true}
	plain    = form{"raw.transaction", "raw.message", false, false}
	ofBlock  = form{"raw.transactionExt", "raw.message", true, false}
)

func appendTransaction(b []byte, t *resolvers.RawTransaction, f form) []byte {
	b = append(append(append(b, `{"@type":"`...), f.transaction...), `","address":`...)
	b = appendAccountAddress(b, &t.Account)
	if f.account {
		b = handler.AppendAddress(append(b, `,"account":`...), &t.Account)
	}
	b = handler.AppendUint(append(b, `,"utime":`...), t.Now)
	b = appendBag(append(b, `,"data":`...), t.BOC)
	b = appendTxID(append(b, `,"transaction_id":`...), t.LT, t.Hash)
	// What the account paid: fees of this transaction, and those its messages carry along.
	fee := uint64(t.TotalFees)
	for i := range t.OutMessages {
		for _, part := range []*chain.Coins{t.OutMessages[i].FwdFee, t.OutMessages[i].IHRFee} {
			if part != nil {
				fee += uint64(*part)
			}
		}
	}
	var storage uint64
	if t.Description.Storage != nil {
		storage = uint64(t.Description.Storage.FeesCollected)
	}
	b = handler.AppendDecimal(append(b, `,"fee":`...), fee)
	b = handler.AppendDecimal(append(b, `,"storage_fee":`...), storage)
	b = handler.AppendDecimal(append(b, `,"other_fee":`...), fee-min(fee, storage))
	if t.InMessage != nil {
		b = appendMessage(append(b, `,"in_msg":`...), t.InMessage, f)
	}
	b = append(b, `,"out_msgs":[`...)
	for i := range t.OutMessages {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendMessage(b, &t.OutMessages[i], f)
	}
	return append(b, "]}"...)
}

func locateReceiver(c *call) error { return c.locate(false) }
func locateSender(c *call) error   { return c.locate(true) }

func (c *call) locate(sent bool) error {
	source, destination := c.p.address("source"), c.p.address("destination")
	lt := c.p.integer("created_lt", 0, math.MaxInt64)
	c.p.required("created_lt", lt != nil)
	if err := c.p.end(); err != nil {
		return err
	}
	tx, err := c.svc.Delivery(c.ctx, source, destination, uint64(*lt), sent)
	if err != nil {
		if chain.KindOf(err) == chain.NotFound {
			return refuse(http.StatusNotFound, chain.PublicMessage(err))
		}
		return err
	}
	c.b = appendTransaction(c.b, tx, extended)
	return nil
}

// blockPage is what getBlockTransactions and getBlockTransactionsExt find.
type blockPage struct {
	id         chain.BlockIDExt
	count      int
	incomplete bool
	rows       []chain.Transaction
}

func (c *call) blockPage() (page blockPage, err error) {
	q := c.p.block()
	count := c.p.integer("count", 1, 10_000)
	afterLT := c.p.integer("after_lt", 0, math.MaxInt64)
	afterText, _ := c.p.text("after_hash")
	var after chain.Hash
	if afterText != "" {
		if a, err := chain.ParseAddress(afterText); err == nil {
			after = a.ID
		} else if after, err = parseHash(afterText); err != nil {
			c.p.refuse(err)
		}
	}
	if (afterLT == nil) != (afterText == "") {
		c.p.refuse(chain.Invalidf("after_lt and after_hash are needed both or not at all"))
	}
	if err := c.p.end(); err != nil {
		return page, err
	}
	block, err := c.findBlock(q)
	if err != nil {
		return page, err
	}
	page = blockPage{id: block.BlockIDExt, count: 40}
	if count != nil {
		page.count = int(*count)
	}
	if page.rows, err = c.svc.BlockTransactions(c.ctx, block.BlockID); err != nil {
		return page, err
	}
	if afterLT != nil {
		page.rows = slices.DeleteFunc(page.rows, func(t chain.Transaction) bool {
			order := bytes.Compare(t.Account.ID[:], after[:])
			return order < 0 || order == 0 && t.LT <= uint64(*afterLT)
		})
	}
	if len(page.rows) > page.count {
		page.rows, page.incomplete = page.rows[:page.count], true
	}
	return page, nil
}

func (p *blockPage) appendHead(b []byte) []byte {
	b = appendBlockID(append(b, `,"id":`...), p.id)
	b = handler.AppendInt(append(b, `,"req_count":`...), p.count)
	return append(handler.AppendBool(append(b, `,"incomplete":`...), p.incomplete), `,"transactions":[`...)
}

// shortMode is the mode of short ids that all servers show: account, LT and hash are there.
const shortMode = 135

func blockTransactions(c *call) error {
	page, err := c.blockPage()
	if err != nil {
		return err
	}
	b := page.appendHead(append(c.b, `{"@type":"blocks.transactions"`...))
	for i := range page.rows {
		t := &page.rows[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = handler.AppendInt(append(b, `{"@type":"blocks.shortTxId","mode":`...), shortMode)
		b = handler.AppendString(append(b, `,"account":`...), strings.ToLower(t.Account.String()))
		b = handler.AppendDecimal(append(b, `,"lt":`...), t.LT)
		b = append(handler.AppendHash(append(b, `,"hash":`...), &t.Hash), '}')
	}
	c.b = append(b, "]}"...)
	return nil
}

func blockTransactionsExt(c *call) error {
	page, err := c.blockPage()
	if err != nil {
		return err
	}
	rows, err := c.svc.WithCells(c.ctx, page.rows)
	if err != nil {
		return err
	}
	b := page.appendHead(append(c.b, `{"@type":"blocks.transactionsExt"`...))
	c.b = append(c.appendRows(b, rows, ofBlock), "]}"...)
	return nil
}
