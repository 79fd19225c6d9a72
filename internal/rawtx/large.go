package rawtx

import (
	"sync"

	"tonql/internal/chain"
)

// largeContent returns the content of a message of a raw transaction that was read before: the in-message as number 0, or an out-message.
func largeContent(boc chain.BOC, number int) *chain.LargeContent {
	return &chain.LargeContent{
		Of: boc,
		Body: func() chain.BOC {
			return makeContent(boc, number, func(c *contents) *part { return &c.body })
		},
		Init: func() chain.BOC {
			return makeContent(boc, number, func(c *contents) *part {
				if !c.hasInit {
					return nil
				}
				return &c.init
			})
		},
	}
}

// largeReaders are transactions whose large content was read last: a response reads the messages of a transaction one after the other, which
// share cells, so that their places and hashes are found once. The collector empties the pool.
var largeReaders = sync.Pool{New: func() any { return &Transaction{} }}

// makeContent makes a part of a message, nil if it has none. There is no error: the same bytes were read before.
func makeContent(boc chain.BOC, number int, choose func(*contents) *part) (made chain.BOC) {
	t, ok := largeReaders.Get().(*Transaction)
	if !ok { // unreachable: the pool contains only transactions
		t = &Transaction{}
	}
	defer largeReaders.Put(t)
	if len(t.boc) != len(boc) || &t.boc[0] != &boc[0] {
		if t.Parse(boc, nil) != nil || t.FindMessages() != nil {
			t.boc = nil
			return nil
		}
		t.hashes.reset(&t.bag)
	}
	t.budget.Next()
	visit := func(at, n int) error {
		if n != number {
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
