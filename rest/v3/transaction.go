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
	}
	p := c.cursored(c.page(), chain.TransactionList)
	return func() error {
		if f.McSeqno != nil && int32(*f.McSeqno) < 0 { // as the client wrote it, not as the seqno it became
			return chain.NotFoundf("masterchain block %d not found", int32(*f.McSeqno))
		}
		rows, err := c.named().FullTransactions(c.ctx, f, p)
		return c.printTransactions(rows, err)
	}, nil
}

func transactionsByMasterchainBlock(c *call) (func() error, error) {
	seqno, p := c.q.Lenient("seqno"), c.cursored(c.page(), chain.TransactionList)
	return func() error {
		if seqno < 0 {
			return chain.NotFoundf("masterchain block %d not found", seqno) // as the client wrote it
		}
		mcSeqno := uint32(seqno)
		rows, err := c.named().TransactionsByMasterchainBlock(c.ctx, mcSeqno, p)
		return c.printTransactions(rows, err)
	}, nil
}

func transactionsByMessage(c *call) (func() error, error) {
	f := chain.MessageFilter{
		Hashes: c.q.Hashes("msg_hash"), BodyHash: c.q.Hash("body_hash"), Opcode: c.q.Opcode("opcode"),
		Direction: c.q.Direction("direction"), Source: c.q.Address("source"), Destination: c.q.Address("destination"),
	}
	p := c.cursored(c.page(), chain.TransactionList)
	return func() error {
		rows, err := c.named().TransactionsByMessage(c.ctx, f, p)
		return c.printTransactions(rows, err)
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
		rows, err := c.named().AdjacentTransactions(c.ctx, *hash, direction)
		return c.printTransactions(rows, err)
	}, nil
}

// named returns the Service to read transactions with. With an address book, the query for it is the request's last one.
func (c *call) named() *resolvers.Service {
	if c.addressBook {
		return c.svc.Naming()
	}
	return c.svc
}

func (c *call) printTransactions(rows []chain.FullTransaction, err error) error {
	if err != nil {
		return err
	}
	var named addresses
	if c.addressBook {
		for i := range rows {
			named.addTransaction(&rows[i])
		}
	}
	addressBook, _, err := c.readNames(&named, false)
	if err != nil {
		return err
	}
	if n := len(rows); n > 0 {
		c.offerNext(n, rows[n-1].Cursor())
	}
	c.out.B = append(c.out.B, `{"transactions":[`...)
	for i := range rows {
		if i > 0 {
			c.out.B = append(c.out.B, ',')
		}
		c.out.B = appendTransaction(c.out.B, &rows[i])
		if err := c.out.Spill(); err != nil {
			return err
		}
	}
	c.out.B = c.appendAddressBook(append(c.out.B, `],"address_book":`...), addressBook)
	c.out.B = append(c.out.B, '}')
	return nil
}
