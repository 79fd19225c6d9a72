package actionphase

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// maxActions is how many actions a list may have.
const maxActions = 255

// Tags of OutAction.
const (
	tagSendMessage   = 0x0ec3c86d
	tagSetCode       = 0xad4de08e
	tagReserve       = 0x36e6b809
	tagChangeLibrary = 0x26fa1dd4
)

// load unrolls the list of actions and checks the form of each before any is performed. It reports false if the list is refused, with the
// reason in the phase. An action that is skipped is nil.
func (p *phase) load(list *cell.Cell) (actions []*cell.Cell, ok bool) {
	var nodes []*cell.Cell
	for {
		n := len(nodes)
		if list.IsSpecial() {
			return nil, p.refuse(32, n)
		}
		if list.BitsSize() == 0 && list.RefsNum() == 0 {
			break
		}
		if list.RefsNum() == 0 {
			return nil, p.refuse(32, n)
		}
		nodes = append(nodes, list)
		if n+1 > maxActions {
			return nil, p.refuse(33, n+1)
		}
		list = list.MustPeekRef(0)
	}
	n := len(nodes)
	p.total = n
	actions = make([]*cell.Cell, n)
	for i := range actions {
		actions[i] = nodes[n-1-i]
		if validAction(actions[i]) {
			continue
		}
		if mode, sends := modeOfSend(actions[i]); sends && p.config.version >= 8 {
			if mode&modeIgnoreErrors != 0 {
				p.skipped++
				actions[i] = nil
				continue
			}
			p.bounce = p.bounce || mode&modeBounce != 0
		}
		return nil, p.refuse(34, i)
	}
	return actions, true
}

func (p *phase) refuse(code int32, arg int) bool {
	p.code, p.arg = code, int32(arg)
	return false
}

// modeOfSend returns the mode of a node that begins as one that sends a message, whatever its message is.
func modeOfSend(node *cell.Cell) (mode uint8, ok bool) {
	if node.IsSpecial() || node.BitsSize() < 40 {
		return 0, false
	}
	r := readerOf(node)
	if r.bits(32) != tagSendMessage {
		return 0, false
	}
	return uint8(r.bits(8)), r.err == nil
}

// validAction reports whether a node of the list has the form of OutListNode, with its message: the check that precedes all actions.
func validAction(node *cell.Cell) bool {
	if node.IsSpecial() {
		return false
	}
	r := readerOf(node)
	r.ref()
	switch r.bits(32) {
	case tagSendMessage:
		r.bits(8)
		if message := r.ref(); r.err != nil || !validRelaxed(message) {
			return false
		}
	case tagSetCode:
		r.ref()
	case tagReserve:
		r.bits(8)
		r.looseValue()
	case tagChangeLibrary:
		r.bits(7)
		if r.flag() {
			r.ref()
		} else {
			r.skip(256)
		}
	default:
		return false
	}
	return r.empty()
}

// looseValue reads a CurrencyCollection whose amounts may have leading zeros.
func (r *reader) looseValue() { r.value() }

// validRelaxed reports whether a cell has the form of MessageRelaxed Any.
func validRelaxed(c *cell.Cell) bool {
	if c.IsSpecial() {
		return false
	}
	r := readerOf(c)
	if r.flag() { // ext_out_msg_info
		if !r.flag() {
			return false
		}
		r.address(anyAddress)
		r.address(externalAddress)
	} else {
		r.bits(3)
		r.address(anyAddress)
		r.address(internalAddress)
		r.looseValue()
		r.varUint(4)
		r.varUint(4)
	}
	r.bits(64)
	r.bits(32)
	r.stateInit()
	if r.flag() { // the body is a reference
		r.ref()
		return r.empty()
	}
	return r.err == nil
}

// stateInit reads init: Maybe (Either StateInit ^StateInit).
func (r *reader) stateInit() {
	if !r.flag() {
		return
	}
	if !r.flag() {
		r.stateFields()
		return
	}
	c := r.ref()
	if r.err != nil {
		return
	}
	if c.IsSpecial() {
		r.err = errShort
		return
	}
	inner := readerOf(c)
	if inner.stateFields(); !inner.empty() {
		r.err = errShort
	}
}

func (r *reader) stateFields() {
	if r.flag() {
		r.bits(5)
	}
	if r.flag() {
		r.bits(2)
	}
	for range 3 { // code, data, libraries
		r.maybeRef()
	}
}
