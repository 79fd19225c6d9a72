package rawtx

import "tonql/internal/chain"

// largeContent implements [chain.LargeContent] for a message of a raw transaction that was read before.
type largeContent struct {
	boc    chain.BOC // of the transaction
	number int       // 0 for the in-message, otherwise that of the out-message, from 1 on
}

// Body implements [chain.LargeContent].
func (l *largeContent) Body() chain.BOC { return l.read(func(c *contents) *part { return &c.body }) }

// Init implements [chain.LargeContent].
func (l *largeContent) Init() chain.BOC {
	return l.read(func(c *contents) *part {
		if !c.hasInit {
			return nil
		}
		return &c.init
	})
}

// read makes one part of the message, nil if there is none. There is no error: the same bytes were read before.
func (l *largeContent) read(choose func(*contents) *part) (made chain.BOC) {
	var t Transaction
	if t.Parse(l.boc, nil) != nil || t.FindMessages() != nil {
		return nil
	}
	t.hashes.reset(&t.bag)
	visit := func(at, n int) error {
		if n != l.number {
			return nil
		}
		c, err := t.contents(at, &chain.Message{}, &parts{})
		if err != nil {
			return err
		}
		if p := choose(&c); p != nil {
			made, _, err = t.hashes.content(p, false)
		}
		return err
	}
	_ = t.find(func(at int) error { return visit(at, 0) }, visit)
	return made
}
