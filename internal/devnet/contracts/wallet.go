package contracts

import (
	"crypto/ed25519"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// WalletVersion is a kind of wallet contract.
type WalletVersion uint8

// The kinds of wallets the devnet deploys.
const (
	V3R2 WalletVersion = iota
	V4R2
	V5R1
	HighloadV3
)

// String returns the common name of the version.
func (v WalletVersion) String() string {
	switch v {
	case V3R2:
		return codeWalletV3R2
	case V4R2:
		return codeWalletV4R2
	case V5R1:
		return codeWalletV5R1
	case HighloadV3:
		return "highload v3"
	default:
		return fmt.Sprintf("wallet version %d", uint8(v))
	}
}

func (v WalletVersion) codeName() string {
	if v == HighloadV3 {
		return codeWalletHighloadV3
	}
	return v.String()
}

// MaxMessages returns the number of messages that one external message can order.
func (v WalletVersion) MaxMessages() int {
	switch v {
	case V5R1:
		return 255
	case HighloadV3:
		return 253
	case V3R2, V4R2:
		return 4
	default:
		return 0
	}
}

// HighloadTimeout is the time in seconds for which a highload wallet stores its queries.
const HighloadTimeout = 3600

// walletID is the subwallet id that most clients use for a wallet's first instance; v5r1 has another rule.
const walletID = 698983191

// Wallet signs messages for one wallet contract. It has no seqno: the caller reads it from the account's data.
type Wallet struct {
	Contract
	Version WalletVersion

	key ed25519.PrivateKey
	id  uint32 // wallet or subwallet id
}

// NewWallet derives the wallet of a key. globalID is that of the chain; only v5r1 uses it.
func NewWallet(version WalletVersion, workchain int8, key ed25519.PrivateKey, globalID int32) (*Wallet, error) {
	public, ok := key.Public().(ed25519.PublicKey)
	if !ok {
		return nil, errors.New("wallet: not an ed25519 key")
	}
	code := Code(version.codeName())
	if code == nil {
		return nil, fmt.Errorf("wallet: unknown version %d", version)
	}
	w := &Wallet{Version: version, key: key, id: walletID}
	if version == V5R1 {
		w.id = walletIDV5(globalID, workchain)
	}
	w.Contract = newContract(int(workchain), code, w.initialData(public))
	return w, nil
}

// initialData returns the data of a new wallet.
//
//	_ seqno:uint32 subwallet_id:uint32 public_key:bits256 = StorageV3;
//	_ seqno:uint32 subwallet_id:uint32 public_key:bits256 plugins:(HashmapE 264 int1) = StorageV4;
//	_ signature_allowed:Bool seqno:uint32 wallet_id:uint32 public_key:bits256 extensions:(HashmapE 256 int1) = StorageV5;
//	_ public_key:bits256 subwallet_id:uint32 old_queries:(HashmapE 13 ^Cell) queries:(HashmapE 13 ^Cell)
//	  last_clean_time:uint64 timeout:uint22 = StorageHighloadV3;
func (w *Wallet) initialData(public ed25519.PublicKey) *cell.Cell {
	b := cell.BeginCell()
	switch w.Version {
	case V3R2:
		b = b.MustStoreUInt(0, 32).MustStoreUInt(uint64(w.id), 32).MustStoreSlice(public, 256)
	case V4R2:
		b = b.MustStoreUInt(0, 32).MustStoreUInt(uint64(w.id), 32).MustStoreSlice(public, 256).MustStoreBoolBit(false)
	case V5R1:
		b = b.MustStoreBoolBit(true).MustStoreUInt(0, 32).MustStoreUInt(uint64(w.id), 32).
			MustStoreSlice(public, 256).MustStoreBoolBit(false)
	case HighloadV3:
		b = b.MustStoreSlice(public, 256).MustStoreUInt(uint64(w.id), 32).MustStoreUInt(0, 2).
			MustStoreUInt(0, 64).MustStoreUInt(HighloadTimeout, 22)
	}
	return b.EndCell()
}

// walletIDV5 is a v5r1 wallet's id on a network: client context (workchain, version 0, subwallet 0) XOR global id.
func walletIDV5(globalID int32, workchain int8) uint32 {
	context := uint32(1)<<31 | uint32(uint8(workchain))<<23
	return context ^ uint32(globalID)
}

// Key returns the wallet's private key.
func (w *Wallet) Key() ed25519.PrivateKey { return w.key }

// Send modes of wallet messages.
const (
	ModeSeparateFees = 1   // the wallet pays the fees, the full value arrives
	ModeIgnoreErrors = 2   // a message that cannot be sent does not fail the others
	ModeCloseAccount = 32  // with ModeAllBalance: the account ceases to exist
	ModeAllBalance   = 128 // the message carries the complete balance
)

// Order is one message for a wallet to send.
type Order struct {
	Message *tlb.InternalMessage
	Mode    uint8 // 0 = ModeSeparateFees | ModeIgnoreErrors
}

func (o Order) mode() uint64 {
	if o.Mode == 0 {
		return ModeSeparateFees | ModeIgnoreErrors
	}
	return uint64(o.Mode)
}

// Ticket makes an external message unique and limits its validity.
type Ticket struct {
	Seqno      uint32 // the wallet's counter; for highload v3 the query id
	ValidUntil uint32 // unix time; for highload v3 the time of creation, which must lie in the past
	Deploy     bool   // carry the state init
}

// External signs one external message with the orders. It fails with more than MaxMessages orders.
func (w *Wallet) External(t Ticket, orders ...Order) (*cell.Cell, error) {
	if len(orders) > w.Version.MaxMessages() {
		return nil, fmt.Errorf("%s: %d messages in one external, at most %d", w.Version, len(orders), w.Version.MaxMessages())
	}
	var body *cell.Cell
	switch w.Version {
	case V3R2, V4R2:
		body = w.signPlain(t, orders)
	case V5R1:
		body = w.signV5(t, orders)
	case HighloadV3:
		body = w.signHighload(t, orders)
	}
	var init *tlb.StateInit
	if t.Deploy {
		init = w.Init
	}
	return External(w.Address, init, body), nil
}

// signPlain makes the body of v3 and v4.
//
//	_ signature:bits512 subwallet_id:uint32 valid_until:uint32 seqno:uint32 op:int8?v4 { mode:uint8 message:^Cell }* = Body;
func (w *Wallet) signPlain(t Ticket, orders []Order) *cell.Cell {
	b := w.plainHead(t)
	if w.Version == V4R2 {
		b = b.MustStoreUInt(0, 8)
	}
	for _, o := range orders {
		b = b.MustStoreUInt(o.mode(), 8).MustStoreRef(mustCell(o.Message))
	}
	return w.sealPlain(b)
}

// plainHead starts an order of v3 and v4.
func (w *Wallet) plainHead(t Ticket) *cell.Builder {
	return cell.BeginCell().MustStoreUInt(uint64(w.id), 32).MustStoreUInt(uint64(t.ValidUntil), 32).
		MustStoreUInt(uint64(t.Seqno), 32)
}

// sealPlain prepends the signature.
func (w *Wallet) sealPlain(order *cell.Builder) *cell.Cell {
	return cell.BeginCell().MustStoreSlice(order.EndCell().Sign(w.key), 512).MustStoreBuilder(order).EndCell()
}

// signV5 makes the body of v5r1, signature last.
//
//	_ op:#7369676e wallet_id:uint32 valid_until:uint32 seqno:uint32 inner:InnerRequest signature:bits512 = Body;
//	_ actions:(Maybe ^OutList) extended:Bool = InnerRequest;
func (w *Wallet) signV5(t Ticket, orders []Order) *cell.Cell {
	b := cell.BeginCell().MustStoreUInt(0x7369676e, 32).MustStoreUInt(uint64(w.id), 32).
		MustStoreUInt(uint64(t.ValidUntil), 32).MustStoreUInt(uint64(t.Seqno), 32).
		MustStoreMaybeRef(actionList(orders)).MustStoreBoolBit(false)
	return cell.BeginCell().MustStoreBuilder(b).MustStoreSlice(b.EndCell().Sign(w.key), 512).EndCell()
}

// signHighload makes the body of highload v3. The orders travel in one internal message of the wallet to itself,
// so they run one transaction later.
//
//	_ signature:bits512 inner:^[ subwallet_id:uint32 message:^Cell mode:uint8 query_id:uint23 created_at:uint64 timeout:uint22 ] = Body;
//	internal_transfer#ae42e5a4 query_id:uint64 actions:^OutList = InternalMsgBody;
func (w *Wallet) signHighload(t Ticket, orders []Order) *cell.Cell {
	total := uint64(10_000_000) // gas of the second transaction
	for _, o := range orders {
		total += o.Message.Amount.Nano().Uint64() + 7_000_000
	}
	pack := cell.BeginCell().MustStoreUInt(0xae42e5a4, 32).MustStoreUInt(uint64(t.Seqno), 64).
		MustStoreRef(actionList(orders)).EndCell()
	self := Call(w.Address, total, pack)
	self.Bounce = false
	inner := cell.BeginCell().MustStoreUInt(uint64(w.id), 32).MustStoreRef(mustCell(self)).
		MustStoreUInt(ModeSeparateFees|ModeIgnoreErrors, 8).MustStoreUInt(uint64(t.Seqno), 23).
		MustStoreUInt(uint64(t.ValidUntil), 64).MustStoreUInt(HighloadTimeout, 22).EndCell()
	return cell.BeginCell().MustStoreSlice(inner.Sign(w.key), 512).MustStoreRef(inner).EndCell()
}

// actionList builds the action list of the orders: the last one is outermost.
//
//	out_list_empty$_ = OutList 0;
//	out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
//	action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction;
func actionList(orders []Order) *cell.Cell {
	list := cell.BeginCell().EndCell()
	for _, o := range orders {
		list = cell.BeginCell().MustStoreRef(list).MustStoreUInt(0x0ec3c86d, 32).
			MustStoreUInt(o.mode(), 8).MustStoreRef(mustCell(o.Message)).EndCell()
	}
	return list
}

// Seqno reads the seqno from the wallet's data. Highload wallets have none.
func (w *Wallet) Seqno(data *cell.Cell) (uint32, error) {
	s, err := data.BeginParse()
	if err != nil {
		return 0, fmt.Errorf("wallet data: %w", err)
	}
	switch w.Version {
	case V3R2, V4R2:
	case V5R1:
		if _, err = s.LoadBoolBit(); err != nil {
			return 0, fmt.Errorf("wallet data: %w", err)
		}
	case HighloadV3:
		return 0, errors.New("wallet data: highload wallets keep no seqno")
	}
	seqno, err := s.LoadUInt(32)
	if err != nil {
		return 0, fmt.Errorf("wallet data: seqno: %w", err)
	}
	return uint32(seqno), nil
}
