package chain

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
)

// Page selects a part of a list. Lists have a total order, so a page is given by a position and a direction; Offset
// exists for the REST contracts, which count rows, and is bounded by the APIs.
type Page struct {
	Limit  int
	Offset int
	Sort   Sort
	After  *Cursor // rows strictly after this position in the direction of Sort
	Before *Cursor // rows strictly before it
	// Last selects the last Limit rows of those between After and Before, the first ones otherwise. They are returned in the order of
	// Sort all the same.
	Last bool
}

// Sort is the direction of a list; the default is newest (largest) first.
type Sort uint8

// The directions.
const (
	Descending Sort = iota
	Ascending
)

// Reverse gives the other direction.
func (s Sort) Reverse() Sort {
	if s == Ascending {
		return Descending
	}
	return Ascending
}

// ParseSort reads asc, a, desc, d in any case; the empty text is the default.
func ParseSort(s string, fallback Sort) (Sort, error) {
	switch s {
	case "":
		return fallback, nil
	case "asc", "ASC", "Asc", "a", "A":
		return Ascending, nil
	case "desc", "DESC", "Desc", "d", "D":
		return Descending, nil
	default:
		return fallback, Invalidf("wrong value for sort parameter")
	}
}

// ListKind says which list a cursor belongs to, so that a cursor of one list is refused by another. The numbers are
// inside cursors that clients keep: never renumber.
type ListKind uint8

// The lists that have cursors.
const (
	BlockList       ListKind = 1 // Major: gen_utime; Minor: workchain, shard, seqno
	TransactionList ListKind = 2 // Major: lt; Minor: account
	MessageList     ListKind = 3 // Major: creation LT; Minor: account of the key, and the key's LT where that is another
	AccountList     ListKind = 4 // Major: balance; Minor: account

	// Lists of contracts have the contract's address as Minor, lists of transfers also the transaction's LT as Major.

	JettonMasterList   ListKind = 5
	JettonWalletList   ListKind = 6
	JettonTransferList ListKind = 7
	JettonBurnList     ListKind = 8
	NFTCollectionList  ListKind = 9
	NFTItemList        ListKind = 10
	NFTTransferList    ListKind = 11
	DNSRecordList      ListKind = 12
	MultisigList       ListKind = 13
	MultisigOrderList  ListKind = 14
	VestingList        ListKind = 15

	TraceList  ListKind = 16 // Major: end lt; Minor: trace id
	ActionList ListKind = 17 // Major: end lt of the trace; Minor: trace id, action id

	NFTSaleList       ListKind = 18
	JettonBalanceList ListKind = 19 // Major: lt; Minor: Jetton wallet
	NFTOwnerList      ListKind = 20 // Major: lt; Minor: item
	DNSAuctionList    ListKind = 21 // Major: end of the auction; Minor: item

	NominatorPositionList  ListKind = 22 // Minor: pool
	PoolEventList          ListKind = 23 // Major: lt; Minor: pool, index of the event in its transaction
	PoolValidatorEventList ListKind = 24 // as PoolEventList
)

// Cursor is a position in a list: the sort key of one row, and the masterchain seqno at which paging began, so that
// pages agree while the chain moves (0 when not pinned).
type Cursor struct {
	ListKind ListKind
	McSeqno  uint32
	Major    uint64
	Minor    string // up to 72 bytes, compared as bytes
}

const cursorVersion = 1

// String is the opaque text clients see: base64url of version, list kind, seqno, key and a checksum.
func (c Cursor) String() string {
	b := make([]byte, 0, 18+len(c.Minor))
	b = append(b, cursorVersion, byte(c.ListKind))
	b = binary.BigEndian.AppendUint32(b, c.McSeqno)
	b = binary.BigEndian.AppendUint64(b, c.Major)
	b = append(b, c.Minor...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return base64.RawURLEncoding.EncodeToString(b)
}

// ParseCursor reads a cursor of the given list; one of another list, version or with a broken checksum is refused.
func ParseCursor(s string, kind ListKind) (Cursor, error) {
	bad := Invalidf("cursor %s is not one this list gave", Quote(s))
	const fixed = 14
	if len(s) > 128 {
		return Cursor{}, bad
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) < fixed+4 || base64.RawURLEncoding.EncodedLen(len(b)) != len(s) { // the decoder skips line breaks
		return Cursor{}, bad
	}
	body, sum := b[:len(b)-4], binary.BigEndian.Uint32(b[len(b)-4:])
	if crc32.ChecksumIEEE(body) != sum || body[0] != cursorVersion || ListKind(body[1]) != kind {
		return Cursor{}, bad
	}
	c := Cursor{
		ListKind: kind,
		McSeqno:  binary.BigEndian.Uint32(body[2:]),
		Major:    binary.BigEndian.Uint64(body[6:]),
		Minor:    string(body[fixed:]),
	}
	if !c.valid() {
		return Cursor{}, bad
	}
	return c, nil
}

func (c Cursor) valid() bool {
	switch c.ListKind {
	case BlockList:
		return len(c.Minor) == 16
	case MessageList:
		return len(c.Minor) == AddressSize || len(c.Minor) == AddressSize+8
	case TransactionList, AccountList, JettonMasterList, JettonWalletList, JettonTransferList, JettonBurnList,
		NFTCollectionList, NFTItemList, NFTTransferList, DNSRecordList, MultisigList, MultisigOrderList, VestingList,
		NFTSaleList, JettonBalanceList, NFTOwnerList, DNSAuctionList, NominatorPositionList:
		return len(c.Minor) == AddressSize
	case PoolEventList, PoolValidatorEventList:
		return len(c.Minor) == AddressSize+4
	case TraceList:
		return len(c.Minor) == len(Hash{})
	case ActionList:
		return len(c.Minor) == 2*len(Hash{})
	default:
		n := FeedMinor(c.ListKind)
		return n > 0 && len(c.Minor) == n
	}
}

// Cursor is the block's position in the list of blocks.
func (b *Block) Cursor() Cursor {
	minor := make([]byte, 0, 16)
	minor = binary.BigEndian.AppendUint32(minor, uint32(b.Workchain)^1<<31) // sorts signed numbers as bytes
	minor = binary.BigEndian.AppendUint64(minor, uint64(b.Shard))
	minor = binary.BigEndian.AppendUint32(minor, b.Seqno)
	return Cursor{ListKind: BlockList, Major: uint64(b.GenUtime), Minor: string(minor)}
}

// BlockID reads the block a cursor of [BlockList] stands on.
func (c Cursor) BlockID() BlockID {
	b := []byte(c.Minor)
	return BlockID{
		Workchain: int32(binary.BigEndian.Uint32(b) ^ 1<<31),
		Shard:     Shard(binary.BigEndian.Uint64(b[4:])),
		Seqno:     binary.BigEndian.Uint32(b[12:]),
	}
}

// Cursor is the transaction's position in the list of transactions.
func (t *Transaction) Cursor() Cursor {
	return Cursor{ListKind: TransactionList, Major: t.LT, Minor: string(t.Account.Bytes())}
}

// Cursor is the message's position in the list of messages.
func (m *Message) Cursor() Cursor {
	c := Cursor{ListKind: MessageList, Major: m.Key.LT, Minor: string(m.Key.Account.Bytes())}
	if m.CreatedLT != nil && *m.CreatedLT != m.Key.LT {
		c.Major, c.Minor = *m.CreatedLT, string(binary.BigEndian.AppendUint64([]byte(c.Minor), m.Key.LT))
	}
	return c
}

// MessageKey reads the key of the message that a cursor of [MessageList] stands on.
func (c Cursor) MessageKey() MessageKey {
	b := []byte(c.Minor)
	key := MessageKey{LT: c.Major}
	key.Account, _ = AddressFrom(b[:AddressSize]) // valid cursors have that length
	if tail := b[AddressSize:]; len(tail) > 0 {
		key.LT = binary.BigEndian.Uint64(tail)
	}
	return key
}

// Cursor is the account's position in the list of accounts by balance.
func (s *AccountState) Cursor() Cursor {
	return Cursor{ListKind: AccountList, Major: uint64(s.Balance), Minor: string(s.Account.Bytes())}
}
