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
	if alias := c.q.Hashes("hash"); len(f.Hashes) > 0 && len(alias) > 0 {
		c.q.Refuse(chain.Invalidf("cannot use both legacy and new message hashes"))
	} else if len(alias) > 0 {
		f.Hashes = alias
	}
	p := c.cursored(c.page(), chain.MessageList)
	return func() error {
		rows, err := c.svc.Messages(c.ctx, f, p)
		row := func(b []byte, m *chain.Message) []byte { return appendMessage(b, m, f.Direction) }
		return listing[chain.Message]{key: "messages", name: nameMessage, print: row, metadata: true}.write(c, rows, err)
	}, nil
}

func nameMessage(named *addresses, m *chain.Message) {
	named.add(m.Source)
	named.add(m.Destination)
}
