package v2

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// account reads address and seqno, and returns the state of the account.
func (c *call) account() (given, *resolvers.AccountAt, error) {
	g := c.p.givenAddress("address")
	seqno := c.p.seqno("seqno")
	if err := c.p.end(); err != nil {
		return g, nil, err
	}
	at, err := c.svc.AccountAt(c.ctx, resolvers.AccountRequest{Account: g.Address, Seqno: seqno, Node: true})
	return g, at, err
}

// stateOf returns active, frozen or uninitialized. Accounts that do not exist are uninitialized.
func stateOf(a *resolvers.AccountAt) string {
	switch {
	case len(a.CodeBOC) > 0:
		return "active"
	case a.FrozenHash != nil:
		return "frozen"
	default:
		return "uninitialized"
	}
}

func addressBalance(c *call) error {
	_, a, err := c.account()
	if err == nil {
		c.b = handler.AppendDecimal(c.b, a.Balance)
	}
	return err
}

func addressState(c *call) error {
	_, a, err := c.account()
	if err == nil {
		c.b = handler.AppendString(c.b, stateOf(a))
	}
	return err
}

func addressInformation(c *call) error {
	_, a, err := c.account()
	if err != nil {
		return err
	}
	suspended, err := c.suspended(a)
	if err != nil {
		return err
	}
	b := append(c.b, `{"@type":"raw.fullAccountState",`...)
	b = appendCommonState(b, a)
	b = appendState(b, a)
	c.b = append(handler.AppendBool(append(b, `,"suspended":`...), suspended), '}')
	return nil
}

// appendState appends code, data and state. An account without code is not active, and its data is left out.
func appendState(b []byte, a *resolvers.AccountAt) []byte {
	data := a.DataBOC
	if len(a.CodeBOC) == 0 {
		data = nil
	}
	b = appendBag(append(b, `,"code":`...), a.CodeBOC)
	b = appendBag(append(b, `,"data":`...), data)
	b = appendFrozen(b, a)
	return handler.AppendString(append(b, `,"state":`...), stateOf(a))
}

// appendCommonState appends the members that both forms of an account state have.
func appendCommonState(b []byte, a *resolvers.AccountAt) []byte {
	b = handler.AppendDecimal(append(b, `"balance":`...), a.Balance)
	b = appendExtra(append(b, `,"extra_currencies":`...), a.Extra)
	b = appendTxID(append(b, `,"last_transaction_id":`...), a.LT, a.TxHash)
	b = appendBlockID(append(b, `,"block_id":`...), a.Master)
	return handler.AppendUint(append(b, `,"sync_utime":`...), a.GenUtime)
}

func appendFrozen(b []byte, a *resolvers.AccountAt) []byte {
	frozen := chain.Hash{}
	if a.FrozenHash != nil {
		frozen = *a.FrozenHash
	}
	return appendHash(append(b, `,"frozen_hash":`...), frozen)
}

// appendBag appends a bag of cells of the index with a checksum, as nodes serialize it.
func appendBag(b []byte, boc chain.BOC) []byte {
	if len(boc) == 0 {
		return append(b, `""`...)
	}
	switch optionsOf(boc) {
	case 0:
		return appendBOC(b, addChecksum(boc))
	case bagChecksum:
		return appendBOC(b, boc)
	}
	c, err := cell.FromBOC(boc)
	if err != nil {
		return appendBOC(b, boc)
	}
	return appendCell(b, c)
}

// A bag of cells starts with a magic number, followed by a byte with flags and the size of cell indexes.
const (
	bagMagic    = "\xb5\xee\x9c\x72"
	bagOptions  = 0xf8 // every flag
	bagChecksum = 0x40 // a CRC32C follows the cells
)

// optionsOf returns the flags of a bag, all of them for bytes that are none. Bags of the index have no cell index: codes, data and
// transactions are without a checksum, with which the same cells differ only in the flag and in the bytes after them; messages have one.
func optionsOf(boc chain.BOC) byte {
	if len(boc) <= len(bagMagic) || string(boc[:len(bagMagic)]) != bagMagic {
		return bagOptions
	}
	return boc[len(bagMagic)] & bagOptions
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// addChecksum returns a copy of a bag without checksum, with the checksum added.
func addChecksum(boc chain.BOC) []byte {
	bag := append(make([]byte, 0, len(boc)+crc32.Size), boc...)
	bag[len(bagMagic)] |= bagChecksum
	return binary.LittleEndian.AppendUint32(bag, crc32.Checksum(bag, castagnoli))
}

// suspended reports whether configuration parameter 44 prevents the account from being initialized at the block of its state.
func (c *call) suspended(at *resolvers.AccountAt) (bool, error) {
	if stateOf(at) == "active" {
		return false, nil
	}
	list, err := c.svc.Suspensions(c.ctx, &at.Master.Seqno)
	if err != nil {
		return false, err
	}
	return list.Include(&at.AccountState)
}

func walletInformation(c *call) error {
	_, a, err := c.account()
	if err != nil {
		return err
	}
	w := a.Wallet
	b := handler.AppendBool(append(c.b, `{"@type":"ext.accounts.walletInformation","wallet":`...), w != nil)
	b = handler.AppendDecimal(append(b, `,"balance":`...), a.Balance)
	b = handler.AppendString(append(b, `,"account_state":`...), stateOf(a))
	b = appendTxID(append(b, `,"last_transaction_id":`...), a.LT, a.TxHash)
	if w != nil {
		b = handler.AppendString(append(b, `,"wallet_type":`...), w.Type)
		b = handler.AppendInt(append(b, `,"seqno":`...), int32(w.Seqno))
		if w.ID != nil {
			b = handler.AppendInt(append(b, `,"wallet_id":`...), int32(*w.ID))
		}
		if w.SignatureAllowed != nil {
			b = handler.AppendBool(append(b, `,"is_signature_allowed":`...), *w.SignatureAllowed)
		}
	}
	c.b = append(b, '}')
	return nil
}

// layout describes the start of the data of a contract that tonlib recognizes.
type layout struct {
	kind     string
	revision int
	seqno    bool // whether a 32-bit seqno precedes the wallet id
}

// layouts are the contracts that tonlib recognizes, by code hash.
var layouts = map[string]layout{
	"thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=": {"wallet.v3", 1, true},
	"hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=": {"wallet.v3", 2, true},
	"/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=": {"wallet.v4", 2, true},
	"2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ=": {"wallet.highload.v1", 1, true},
	"NowDly5fTCRBK4GGUt4d4qJjDRwBFgmZnf90X7NoSa0=": {"wallet.highload.v1", 2, true},
	"jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E=": {"wallet.highload.v2", 1, false},
	"CzqIeurNKn1Au1VQvJJTFWoCkGWu+21rWDc11Y2p1b4=": {"wallet.highload.v2", 2, false},
	"oNZ9LeiRn+e3yndlLM1P3FbGid56aRYeRfsNzF5HwVU=": {"dns", 1, false},
}

func extendedInformation(c *call) error {
	g, a, err := c.account()
	if err != nil {
		return err
	}
	b := append(c.b, `{"@type":"fullAccountState","address":{"@type":"accountAddress","account_address":`...)
	b = handler.AppendString(b, g.Friendly(g.Bounceable, g.TestOnly))
	b = appendCommonState(append(b, "},"...), a)
	b, revision := appendAccountState(append(b, `,"account_state":`...), a)
	c.b = append(handler.AppendInt(append(b, `,"revision":`...), revision), '}')
	return nil
}

func appendAccountState(b []byte, a *resolvers.AccountAt) ([]byte, int) {
	if len(a.CodeBOC) == 0 {
		return append(appendFrozen(append(b, `{"@type":"uninited.accountState"`...), a), '}'), 0
	}
	if l, ok := layouts[base64.StdEncoding.EncodeToString(a.CodeHash[:])]; ok {
		if out, ok := l.appendTo(b, a.DataBOC); ok {
			return out, l.revision
		}
	}
	b = appendBag(append(b, `{"@type":"raw.accountState","code":`...), a.CodeBOC)
	b = appendBag(append(b, `,"data":`...), a.DataBOC)
	return append(b, `,"frozen_hash":""}`...), 0
}

// appendTo appends the fields of the data. It returns false if the data is too short for them.
func (l layout) appendTo(b []byte, data chain.BOC) ([]byte, bool) {
	root, err := cell.FromBOC(data)
	if err != nil {
		return b, false
	}
	s, err := root.BeginParse()
	if err != nil {
		return b, false
	}
	out := append(append(append(b, `{"@type":"`...), l.kind...), `.accountState"`...)
	if l.seqno {
		seqno, err := s.LoadUInt(32)
		if err != nil {
			return b, false
		}
		out = handler.AppendInt(append(out, `,"seqno":`...), int32(seqno))
	}
	id, err := s.LoadUInt(32)
	if err != nil {
		return b, false
	}
	return append(handler.AppendUint(append(out, `,"wallet_id":`...), id), '}'), true
}
