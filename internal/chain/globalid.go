package chain

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
)

// GlobalID names any object of the index for ever: its type and its natural key on the chain, nothing of ours.
// Exactly one of the keys is set, none if Emulated is.
type GlobalID struct {
	At       *uint32 // masterchain seqno at which an account or contract is read; nil for the newest state
	Emulated bool    // names something that is not on the chain, so that nothing can be read by it

	Block       *BlockID
	Transaction *TransactionKey
	Message     *MessageKey
	Account     *Address
	Trace       *Hash
	Action      *ActionKey
	Contract    *ContractKey
}

// Identified is an object that has a [GlobalID].
type Identified interface{ NodeID() string }

// NodeID is the block's global id.
func (b *Block) NodeID() string {
	return encodeGlobalID("Block", strconv.Itoa(int(b.Workchain)), b.Shard.String(), strconv.FormatUint(uint64(b.Seqno), 10))
}

// NodeID is the transaction's global id. That of an emulated one contains its hash, because another transaction will have its LT.
func (t *Transaction) NodeID() string {
	if t.Finality.emulated() {
		return emulatedID("Transaction", t.Account.String(), strconv.FormatUint(t.LT, 10), t.Hash.Hex())
	}
	return encodeGlobalID("Transaction", t.Account.String(), strconv.FormatUint(t.LT, 10))
}

// NodeID is the message's global id.
func (m *Message) NodeID() string {
	if m.Emulated {
		return emulatedID("Message", m.Key.Account.String(), strconv.FormatUint(m.Key.LT, 10), m.Hash.Hex())
	}
	return encodeGlobalID("Message", m.Key.Account.String(), strconv.FormatUint(m.Key.LT, 10))
}

// NodeID is the account's global id. An account at a past block is another object than its newest state.
func (a *Account) NodeID() string { return idAt(a.McSeqno, "Account", &a.Address) }

// NodeID is the trace's global id.
func (t *Trace) NodeID() string {
	if t.Finality.emulated() {
		return emulatedID("Trace", t.ID.Hex())
	}
	return encodeGlobalID("Trace", t.ID.Hex())
}

// NodeID is the action's global id.
func (a *Action) NodeID() string {
	if a.Finality.emulated() {
		return emulatedID("Action", a.TraceID.Hex(), a.ID.Hex())
	}
	return encodeGlobalID("Action", a.TraceID.Hex(), a.ID.Hex())
}

// NodeID is the master's global id.
func (m *JettonMaster) NodeID() string { return contractID("JettonMaster", &m.Address) }

// NodeID is the Jetton wallet's global id.
func (w *JettonWallet) NodeID() string { return idAt(w.McSeqno, "JettonWallet", &w.Address) }

// NodeID is the collection's global id.
func (c *NFTCollection) NodeID() string { return contractID("NFTCollection", &c.Address) }

// NodeID is the item's global id.
func (i *NFTItem) NodeID() string { return idAt(i.McSeqno, "NFTItem", &i.Address) }

// NodeID is the domain's global id.
func (d *DNSRecord) NodeID() string { return contractID("DNSRecord", &d.Item) }

// NodeID is the multisig wallet's global id.
func (m *Multisig) NodeID() string { return contractID("Multisig", &m.Address) }

// NodeID is the order's global id.
func (o *MultisigOrder) NodeID() string { return contractID("MultisigOrder", &o.Address) }

// NodeID is the vesting wallet's global id.
func (v *Vesting) NodeID() string { return contractID("Vesting", &v.Address) }

func contractID(kind string, a *Address) string { return encodeGlobalID(kind, a.String()) }

// idAt names an account or contract at a masterchain block; nil: its newest state.
func idAt(mcSeqno *uint32, kind string, a *Address) string {
	if mcSeqno == nil {
		return contractID(kind, a)
	}
	return encodeGlobalID(kind, a.String(), strconv.FormatUint(uint64(*mcSeqno), 10))
}

// emulatedMark begins the id of something that is not on the chain.
const emulatedMark = "Emulated"

func emulatedID(parts ...string) string {
	return encodeGlobalID(append([]string{emulatedMark}, parts...)...)
}

// contractKinds are the kinds of records that are named by an address.
var contractKinds = []string{
	"JettonMaster", "JettonWallet", "NFTCollection", "NFTItem", "DNSRecord", "Multisig", "MultisigOrder", "Vesting",
}

// kindsAt are the kinds of objects that can be read at a past block.
var kindsAt = []string{"Account", "JettonWallet", "NFTItem"}

// ContractKey names the record of a contract: one account can have records of several kinds.
type ContractKey struct {
	Kind    string
	Address Address
}

func encodeGlobalID(parts ...string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, "/")))
}

// ParseGlobalID reads what the NodeID methods print.
func ParseGlobalID(id string) (GlobalID, error) {
	bad := Invalidf("id %s is not one this service gave", Quote(id))
	if len(id) > 300 {
		return GlobalID{}, bad
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(id)
	if err != nil {
		return GlobalID{}, bad
	}
	parts := strings.Split(string(raw), "/")
	g, ok := readGlobalID(parts[0], parts[1:])
	if !ok {
		return GlobalID{}, bad
	}
	return g, nil
}

func readGlobalID(kind string, key []string) (g GlobalID, ok bool) {
	switch {
	case kind == emulatedMark && len(key) > 1:
		return GlobalID{Emulated: true}, true
	case len(key) == 2 && slices.Contains(kindsAt, kind):
		seqno, err := strconv.ParseUint(key[1], 10, 32)
		g, ok = readGlobalID(kind, key[:1])
		g.At = new(uint32(seqno))
		return g, ok && err == nil
	case kind == "Block" && len(key) == 3:
		wc, err1 := strconv.ParseInt(key[0], 10, 32)
		shard, err2 := strconv.ParseUint(key[1], 16, 64)
		seqno, err3 := strconv.ParseUint(key[2], 10, 32)
		g.Block = &BlockID{Workchain: int32(wc), Shard: Shard(shard), Seqno: uint32(seqno)}
		return g, err1 == nil && err2 == nil && err3 == nil
	case kind == "Transaction" && len(key) == 2:
		a, lt, ok := readAccountLT(key)
		g.Transaction = &TransactionKey{Account: a, LT: lt}
		return g, ok
	case kind == "Message" && len(key) == 2:
		a, lt, ok := readAccountLT(key)
		g.Message = &MessageKey{Account: a, LT: lt}
		return g, ok
	case kind == "Account" && len(key) == 1:
		a, err := ParseAddress(key[0])
		g.Account = &a
		return g, err == nil
	case slices.Contains(contractKinds, kind) && len(key) == 1:
		a, err := ParseAddress(key[0])
		g.Contract = &ContractKey{kind, a}
		return g, err == nil
	case kind == "Trace" && len(key) == 1:
		h, err := ParseHash(key[0])
		g.Trace = &h
		return g, err == nil
	case kind == "Action" && len(key) == 2:
		trace, err1 := ParseHash(key[0])
		id, err2 := ParseHash(key[1])
		g.Action = &ActionKey{TraceID: trace, ID: id}
		return g, err1 == nil && err2 == nil
	default:
		return g, false
	}
}

func readAccountLT(key []string) (Address, uint64, bool) {
	a, err1 := ParseAddress(key[0])
	lt, err2 := strconv.ParseUint(key[1], 10, 63)
	return a, lt, err1 == nil && err2 == nil
}
