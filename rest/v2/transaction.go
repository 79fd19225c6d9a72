package v2

import (
	"math"
	"net/http"
	"strings"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// history reads the parameters of getTransactions and getTransactionsStd. empty reports that zeroLT is set and lt is 0, so
// that the page before the first transaction is requested.
func (c *call) history(zeroLT bool) (q resolvers.HistoryRequest, empty bool, err error) {
	q.Account = c.p.address("address")
	limit := c.p.integer("limit", 1, 1000)
	lt := c.p.integer("lt", 0, math.MaxInt64)
	hash := c.p.hash("hash")
	toLT := c.p.integer("to_lt", math.MinInt64, math.MaxInt64)
	archival := c.p.flag("archival")
	if lt != nil && *lt == 0 && !zeroLT {
		lt = nil // with a hash it is refused: a client that follows the history beyond its start would receive the newest page again
	}
	if (lt == nil) != (hash == nil) {
		c.p.refuse(chain.Invalidf("lt and hash must be given together"))
	}
	if err := c.p.end(); err != nil {
		return q, false, err
	}
	q.Limit = 10
	if limit != nil {
		q.Limit = int(*limit)
	}
	if toLT != nil {
		q.ToLT = uint64(max(*toLT, 0))
	}
	if lt != nil {
		q.From = &chain.TransactionRef{LT: uint64(*lt), Hash: *hash}
	}
	q.Indexed = archival != nil && !*archival
	return q, lt != nil && *lt == 0, nil
}

func transactions(c *call) error {
	q, _, err := c.history(false)
	if err != nil {
		return err
	}
	rows, err := c.svc.History(c.ctx, q)
	if err != nil {
		return err
	}
	b, err := c.appendRows(append(c.b, '['), rows, extended)
	c.b = append(b, ']')
	return err
}

func transactionsStd(c *call) error {
	q, empty, err := c.history(true)
	if err != nil {
		return err
	}
	var rows []resolvers.RawTransaction
	if !empty {
		if rows, err = c.svc.History(c.ctx, q); err != nil {
			return err
		}
	}
	b, err := c.appendRows(append(c.b, `{"@type":"raw.transactions","transactions":[`...), rows, plain)
	var lt uint64
	var hash chain.Hash
	if len(rows) > 0 {
		last := &rows[len(rows)-1]
		lt, hash = last.PrevLT, last.PrevHash
	}
	c.b = append(appendTxID(append(b, `],"previous_transaction_id":`...), lt, hash), '}')
	return err
}

// appendRows appends transactions. The messages of a few may have more bytes than fit into memory.
func (c *call) appendRows(b []byte, rows []resolvers.RawTransaction, f form) ([]byte, error) {
	for i := range rows {
		if err := c.ctx.Err(); err != nil {
			return b, err //nolint:wrapcheck // the request's own
		}
		if i > 0 {
			b = append(b, ',')
		}
		if b = appendTransaction(b, &rows[i], f); len(b) > handler.MaxResponse {
			return b, handler.ErrTooLong
		}
	}
	return b, nil
}

// form selects one of the three formats of a transaction.
type form struct {
	transaction, message string // values of @type
	account              bool   // includes the account in raw form
	flat                 bool   // addresses of messages are strings, and bodies are included as text
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
	// The fee is the total of the transaction's fees and the forward fees of its messages, without the IHR fees, which nodes return as 0.
	fee := uint64(t.TotalFees)
	for i := range t.OutMessages {
		if part := t.OutMessages[i].FwdFee; part != nil {
			fee += uint64(*part)
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
	if c.b = appendTransaction(c.b, tx, extended); len(c.b) > handler.MaxResponse {
		return handler.ErrTooLong
	}
	return nil
}

// blockPage holds the parameters of getBlockTransactions and getBlockTransactionsExt.
type blockPage struct {
	block *chain.Block
	count int
	after *chain.TransactionKey // last transaction of the previous page; nil for the first page
}

func (c *call) blockPage() (page blockPage, err error) {
	q := c.p.block()
	count := c.p.integer("count", 1, 10_000)
	afterLT := c.p.integer("after_lt", 0, math.MaxInt64)
	afterText, _ := c.p.text("after_hash")
	after := chain.TransactionKey{Account: chain.Address{Workchain: q.workchain}}
	if afterText != "" {
		if a, err := chain.ParseAddress(afterText); err == nil {
			after.Account.ID = a.ID
		} else if after.Account.ID, err = parseHash(afterText); err != nil {
			c.p.refuse(err)
		}
	}
	if (afterLT == nil) != (afterText == "") {
		c.p.refuse(chain.Invalidf("after_lt and after_hash must be given together"))
	}
	if err := c.p.end(); err != nil {
		return page, err
	}
	page.count = 40
	if count != nil {
		page.count = int(*count)
	}
	if afterLT != nil {
		after.LT = uint64(*afterLT)
		page.after = &after
	}
	page.block, err = c.findBlock(q)
	return page, err
}

// appendPage appends the members before the transactions of both lists, and returns the rows of the page. rows has one row
// more than requested if there are further transactions.
func appendPage[T any](b []byte, p blockPage, rows []T) ([]byte, []T) {
	more := len(rows) > p.count
	b = appendBlockID(append(b, `,"id":`...), p.block.BlockIDExt)
	b = handler.AppendInt(append(b, `,"req_count":`...), p.count)
	return append(handler.AppendBool(append(b, `,"incomplete":`...), more), `,"transactions":[`...), rows[:min(p.count, len(rows))]
}

// shortMode is the mode of short transaction ids: account, LT and hash are present.
const shortMode = 135

func blockTransactions(c *call) error {
	page, err := c.blockPage()
	if err != nil {
		return err
	}
	rows, err := c.svc.BlockTransactions(c.ctx, page.block, page.after, page.count+1)
	if err != nil {
		return err
	}
	b, rows := appendPage(append(c.b, `{"@type":"blocks.transactions"`...), page, rows)
	for i := range rows {
		t := &rows[i]
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
	rows, err := c.svc.RawBlockTransactions(c.ctx, page.block, page.after, page.count+1)
	if err != nil {
		return err
	}
	b, rows := appendPage(append(c.b, `{"@type":"blocks.transactionsExt"`...), page, rows)
	b, err = c.appendRows(b, rows, ofBlock)
	c.b = append(b, "]}"...)
	return err
}
