package v3

import (
	"tonql/internal/chain"
	"tonql/resolvers"
)

func transactions(c *call) (func() error, error) {
	f := chain.TransactionFilter{
		Workchain: c.q.Int32("workchain"), Shard: c.q.Shard("shard"), Seqno: seqno(c.q, "seqno"),
		McSeqno: seqno(c.q, "mc_seqno"), Accounts: c.q.Addresses("account"), ExcludeAccounts: c.q.Addresses("exclude_account"),
		Hashes: c.q.Hashes("hash"), LT: c.q.Uint64("lt"),
		StartUtime: c.q.Utime("start_utime"), EndUtime: c.q.Utime("end_utime"),
		StartLT: c.q.Uint64("start_lt"), EndLT: c.q.Uint64("end_lt"),
		Message: &chain.TransactionMessage{
			Hashes: c.q.Hashes("msg_hash"), BodyHash: c.q.Hash("body_hash"), Opcode: c.q.Opcode("opcode"),
			Direction: c.q.Direction("direction"), Source: c.q.Address("source"), Destination: c.q.Address("destination"),
		},
	}
	p := c.cursored(c.page(), chain.TransactionList)
	return func() error {
		if f.McSeqno != nil && int32(*f.McSeqno) < 0 { // as the client wrote it, not as the seqno it became
			return chain.NotFoundf("masterchain block %d not found", int32(*f.McSeqno))
		}
		page, err := c.svc.FullTransactions(c.ctx, f, p, c.addressBook)
		return c.printTransactions(page, err)
	}, nil
}

func transactionsByMasterchainBlock(c *call) (func() error, error) {
	seqno, p := c.q.Lenient("seqno"), c.cursored(c.page(), chain.TransactionList)
	return func() error {
		if seqno < 0 {
			return chain.NotFoundf("masterchain block %d not found", seqno) // as the client wrote it
		}
		mcSeqno := uint32(seqno)
		page, err := c.svc.FullTransactions(c.ctx, chain.TransactionFilter{McSeqno: &mcSeqno}, p, c.addressBook)
		return c.printTransactions(page, err)
	}, nil
}

func transactionsByMessage(c *call) (func() error, error) {
	f := chain.MessageFilter{
		Hashes: c.q.Hashes("msg_hash"), BodyHash: c.q.Hash("body_hash"), Opcode: c.q.Opcode("opcode"),
		Direction: c.q.Direction("direction"), Source: c.q.Address("source"), Destination: c.q.Address("destination"),
	}
	p := c.cursored(c.page(), chain.TransactionList)
	return func() error {
		page, err := c.svc.TransactionsByMessage(c.ctx, f, p, c.addressBook)
		return c.printTransactions(page, err)
	}, nil
}

// adjacentTransactions treats every direction except in and out as both. Without a hash the response is 404.
func adjacentTransactions(c *call) (func() error, error) {
	hash := c.q.Hash("hash")
	direction, err := chain.ParseDirection(c.q.Enum("direction", "in", "out"))
	if err != nil {
		direction = chain.Both
	}
	return func() error {
		if hash == nil {
			return chain.NotFoundf("adjacent transactions not found")
		}
		page, err := c.svc.AdjacentTransactions(c.ctx, *hash, direction, c.addressBook)
		return c.printTransactions(page, err)
	}, nil
}

// anyLarge reports whether messages of transactions are made while they are printed.
func anyLarge(rows []chain.FullTransaction) bool {
	for i := range rows {
		for j := range rows[i].OutMessages {
			if rows[i].OutMessages[j].Large != nil {
				return true
			}
		}
	}
	return false
}

func (c *call) printTransactions(page resolvers.FullTransactions, err error) error {
	if err != nil {
		return err
	}
	if page.Long != nil {
		l := listing[chain.FullTransaction]{key: "transactions", name: (*addresses).addTransaction, print: appendTransaction}
		return l.writeParts(c, page.Long, nil)
	}
	rows := page.Rows
	if n := len(rows); n > 0 {
		c.offerNext(n, rows[n-1].Cursor())
	}
	if anyLarge(rows) {
		c.out.Retain()
	}
	c.out.B = append(c.out.B, `{"transactions":[`...)
	for i := range rows {
		if err := c.ctx.Err(); err != nil {
			return err //nolint:wrapcheck // the request's own
		}
		if i > 0 {
			c.out.B = append(c.out.B, ',')
		}
		c.out.B = appendTransaction(c.out.B, &rows[i])
		if err := c.out.Spill(); err != nil {
			return err
		}
	}
	c.out.B = c.appendAddressBook(append(c.out.B, `],"address_book":`...), page.AddressBook)
	c.out.B = append(c.out.B, '}')
	return nil
}
