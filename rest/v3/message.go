package v3

import "tonql/internal/chain"

func messages(c *call) (func() error, error) {
	f := chain.MessageFilter{
		Hashes: c.q.Hashes("msg_hash"), BodyHash: c.q.Hash("body_hash"), Opcode: c.q.Opcode("opcode"),
		Direction:        c.q.Direction("direction"),
		ExcludeExternals: c.q.Bool("exclude_externals", false), OnlyExternals: c.q.Bool("only_externals", false),
		StartUtime: c.q.Utime("start_utime"), EndUtime: c.q.Utime("end_utime"),
		StartLT: c.q.Uint64("start_lt"), EndLT: c.q.Uint64("end_lt"),
	}
	f.Source, f.NoSource = c.q.NullableAddress("source")
	f.Destination, f.NoDestination = c.q.NullableAddress("destination")
	if h := c.q.Hash("hash"); h != nil {
		f.Hashes = append(f.Hashes, *h)
	}
	p := c.page()
	return func() error {
		rows, err := c.svc.Messages(c.ctx, f, p)
		return c.printMessages(rows, f.Direction, err)
	}, nil
}

func (c *call) printMessages(rows []chain.Message, side chain.Direction, err error) error {
	if err != nil {
		return err
	}
	var named addresses
	if c.book {
		for i := range rows {
			named.add(rows[i].Source)
			named.add(rows[i].Destination)
		}
	}
	book, err := c.readBook(&named)
	if err != nil {
		return err
	}
	c.out.B = append(c.out.B, `{"messages":[`...)
	for i := range rows {
		if i > 0 {
			c.out.B = append(c.out.B, ',')
		}
		c.out.B = appendMessage(c.out.B, &rows[i], side)
		if err := c.out.Spill(); err != nil {
			return err
		}
	}
	c.out.B = c.appendBook(append(c.out.B, `],"address_book":`...), book)
	c.out.B = append(c.out.B, `,"metadata":{}}`...)
	return nil
}
