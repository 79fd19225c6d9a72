package v3

import (
	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// listing encodes a response of the form {"KEY": [row, …], "address_book": {…}}, with "metadata": {…} if metadata is set.
type listing[T any] struct {
	key      string
	name     func(*addresses, *T)          // adds the addresses of a row to the address book and the metadata
	print    func(b []byte, row *T) []byte // appends a row
	head     []byte                        // members before the rows, each with a comma behind it
	about    []*chain.Address              // addresses of the request, which the address book has, too; nil ones count as none
	metadata bool
	cursor   bool // a full page has its cursor in the member next_cursor, too
	// stream writes a row that can be long in pieces; nil: print writes all rows.
	stream func(c *call, row *T) error
}

// write writes the response, or returns err if the rows could not be read.
func (l listing[T]) write(c *call, rows []T, err error) error {
	if err != nil {
		return err
	}
	var named addresses
	if c.addressBook || c.meta && l.metadata {
		for _, a := range l.about {
			named.add(a)
		}
		for i := range rows {
			l.name(&named, &rows[i])
		}
	}
	addressBook, tokens, err := c.readNames(&named, l.metadata)
	if err != nil {
		return err
	}
	if n := len(rows); n > 0 {
		if last, ok := any(&rows[n-1]).(chain.Positioned); ok {
			c.offerNext(n, last.Cursor())
		}
	}
	l.begin(c)
	if err := l.rows(c, rows, false); err != nil {
		return err
	}
	l.end(c, addressBook, tokens)
	return nil
}

// writeParts writes the response to a page that is completed in parts, or returns err if the page could not be read. The
// names of a long page are read after its rows.
func (l listing[T]) writeParts(c *call, parts *resolvers.Parts[T], err error) error {
	if err != nil {
		return err
	}
	if parts.Len() <= 1 {
		var rows []T
		if parts.Len() == 1 {
			rows, err = parts.Read(c.ctx, 0)
		}
		return l.write(c, rows, err)
	}
	c.offerNext(parts.Rows, parts.Last)
	c.out.Retain()
	l.begin(c)
	var named addresses
	for i := range parts.Len() {
		rows, err := parts.Read(c.ctx, i)
		if err != nil {
			return err
		}
		if c.addressBook || c.meta && l.metadata {
			for j := range rows {
				l.name(&named, &rows[j])
			}
		}
		if err := l.rows(c, rows, i > 0); err != nil {
			return err
		}
	}
	addressBook, tokens, err := c.readNames(&named, l.metadata)
	if err != nil {
		return err
	}
	l.end(c, addressBook, tokens)
	return nil
}

func (l listing[T]) begin(c *call) {
	c.out.B = append(append(c.out.B, '{'), l.head...)
	c.out.B = append(append(append(c.out.B, '"'), l.key...), `":[`...)
}

// rows writes rows, which follow others if more is set.
func (l listing[T]) rows(c *call, rows []T, more bool) error {
	for i := range rows {
		if err := c.ctx.Err(); err != nil {
			return err //nolint:wrapcheck // the request's own
		}
		if i > 0 || more {
			c.out.B = append(c.out.B, ',')
		}
		if l.stream != nil {
			if err := l.stream(c, &rows[i]); err != nil {
				return err
			}
		} else {
			c.out.B = l.print(c.out.B, &rows[i])
		}
		if err := c.out.Spill(); err != nil {
			return err
		}
	}
	return nil
}

func (l listing[T]) end(c *call, addressBook []chain.AddressBookRow, tokens []chain.Metadata) {
	c.out.B = c.appendAddressBook(append(c.out.B, `],"address_book":`...), addressBook)
	if l.metadata {
		c.out.B = appendMetadata(append(c.out.B, `,"metadata":`...), tokens)
	}
	if l.cursor && c.next != "" {
		c.out.B = handler.AppendString(append(c.out.B, `,"next_cursor":`...), c.next)
	}
	c.out.B = append(c.out.B, '}')
}

// byAddress reads the page of a list that is always in ascending order, such as by address.
func (c *call) byAddress() chain.Page {
	return chain.Page{Limit: c.q.Limit(c.opts.Limit), Offset: c.q.Offset(), Sort: chain.Ascending}
}

// transferRange reads the bounds of lists of transfers and burns.
func (c *call) transferRange() chain.TransferRange {
	return chain.TransferRange{
		StartUtime: c.q.Utime("start_utime"), EndUtime: c.q.Utime("end_utime"),
		StartLT: c.q.Uint64("start_lt"), EndLT: c.q.Uint64("end_lt"),
	}
}

// transferDirection reads the direction of a transfer. Every value is accepted.
func (c *call) transferDirection() chain.TransferDirection {
	return chain.ParseTransferDirection(c.q.Enum("direction", "in", "out"))
}

// ownersOr reads owner_address or, if that is empty, its alias address, which takes one value.
func (c *call) ownersOr() []chain.Address {
	owners, alias := c.q.Addresses("owner_address"), c.q.Address("address")
	if len(owners) == 0 && alias != nil {
		return []chain.Address{*alias}
	}
	return owners
}
