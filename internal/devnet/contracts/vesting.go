package contracts

import (
	"crypto/ed25519"
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Opcodes of the vesting wallet.
const (
	OpVestingAddWhitelist         = 0x7258a69b
	OpVestingAddWhitelistResponse = 0xf258a69b
	OpVestingSend                 = 0xa7733acd
	OpVestingSendResponse         = 0xf7733acd
)

// VestingTerms are the amount and the schedule of a vesting wallet. Times are in seconds, the start is a unix time, the
// amount is in nanotons.
type VestingTerms struct {
	Start                   uint64
	Duration, Period, Cliff uint32
	Amount                  uint64
	Sender, Owner           *address.Address // the sender and the receiver of the coins
	Subwallet               uint32
	Key                     ed25519.PublicKey // of the owner, for orders by signature
}

// VestingWallet is a wallet whose coins are released step by step. Its whitelist starts empty.
//
//	_ seqno:uint32 subwallet:uint32 public_key:uint256 whitelist:(HashmapE 264 Bool) terms:^[ start_time:uint64
//	  total_duration:uint32 unlock_period:uint32 cliff_duration:uint32 total_amount:Coins sender:MsgAddress
//	  owner:MsgAddress ] = Storage;
func VestingWallet(v VestingTerms) Contract {
	terms := cell.BeginCell().MustStoreUInt(v.Start, 64).MustStoreUInt(uint64(v.Duration), 32).
		MustStoreUInt(uint64(v.Period), 32).MustStoreUInt(uint64(v.Cliff), 32).MustStoreCoins(v.Amount)
	terms = addr(addr(terms, v.Sender), v.Owner)
	data := cell.BeginCell().MustStoreUInt(0, 32).MustStoreUInt(uint64(v.Subwallet), 32).MustStoreSlice(v.Key, 256).
		MustStoreBoolBit(false).MustStoreRef(terms.EndCell()).EndCell()
	return newContract(Basechain, Code(codeVestingWallet), data)
}

// VestingAddWhitelist is the sender's order to allow payments to addresses before coins are released. There must be at
// least one.
//
//	add_whitelist#7258a69b query_id:uint64 address:MsgAddressInt rest:(Maybe-by-presence ^Addresses) = InternalMsgBody;
//	_ address:MsgAddressInt rest:^Addresses = Addresses;
func VestingAddWhitelist(queryID uint64, addresses ...*address.Address) *cell.Cell {
	var rest *cell.Cell
	for i := len(addresses) - 1; i > 0; i-- {
		b := addr(cell.BeginCell(), addresses[i])
		if rest != nil {
			b = b.MustStoreRef(rest)
		}
		rest = b.EndCell()
	}
	b := addr(op(OpVestingAddWhitelist, queryID), addresses[0])
	if rest != nil {
		b = b.MustStoreRef(rest)
	}
	return b.EndCell()
}

// VestingSend is the owner's order to send a message. While coins are locked the mode must be 3.
//
//	send#a7733acd query_id:uint64 mode:uint8 message:^(MessageRelaxed Any) = InternalMsgBody;
func VestingSend(queryID uint64, mode uint8, msg *tlb.InternalMessage) *cell.Cell {
	return op(OpVestingSend, queryID).MustStoreUInt(uint64(mode), 8).MustStoreRef(mustCell(msg)).EndCell()
}

// VestingExternal is the owner's order by signature.
//
//	_ signature:bits512 subwallet:uint32 valid_until:uint32 seqno:uint32 mode:uint8 message:^(MessageRelaxed Any) = Body;
func VestingExternal(v VestingTerms, key ed25519.PrivateKey, seqno, validUntil uint32, mode uint8, msg *tlb.InternalMessage) *cell.Cell {
	body := cell.BeginCell().MustStoreUInt(uint64(v.Subwallet), 32).MustStoreUInt(uint64(validUntil), 32).
		MustStoreUInt(uint64(seqno), 32).MustStoreUInt(uint64(mode), 8).MustStoreRef(mustCell(msg))
	signed := cell.BeginCell().MustStoreSlice(body.EndCell().Sign(key), 512).MustStoreBuilder(body).EndCell()
	return External(VestingWallet(v).Address, nil, signed)
}

// VestingAllows reports whether the whitelist in the wallet's data is not empty.
func VestingAllows(data *cell.Cell) (bool, error) {
	s, err := data.BeginParse()
	if err != nil {
		return false, fmt.Errorf("vesting data: %w", err)
	}
	if err = s.SkipBits(32 + 32 + 256); err != nil {
		return false, fmt.Errorf("vesting data: %w", err)
	}
	return s.LoadBoolBit()
}

// VestingSeqno reads the seqno of signed orders from the wallet's data.
func VestingSeqno(data *cell.Cell) (uint32, error) {
	s, err := data.BeginParse()
	if err != nil {
		return 0, fmt.Errorf("vesting data: %w", err)
	}
	seqno, err := s.LoadUInt(32)
	if err != nil {
		return 0, fmt.Errorf("vesting data: seqno: %w", err)
	}
	return uint32(seqno), nil
}
