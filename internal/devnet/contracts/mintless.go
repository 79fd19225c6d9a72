package contracts

import (
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// OpMintlessClaim starts the custom payload that brings the proof of an airdrop.
const OpMintlessClaim = 0x0df602d6

// Grant is the share of one owner in an airdrop: units of the Jetton, claimable between two unix times.
type Grant struct {
	Owner            *address.Address
	Amount           uint64
	StartFrom, Until uint64
}

// Airdrop is the dictionary of a mintless Jetton (TEP-177).
//
//	_ (Hashmap 267 AirdropItem) = Airdrop;
//	airdrop_item$_ amount:Coins start_from:uint48 expired_at:uint48 = AirdropItem;
func Airdrop(grants []Grant) *cell.Cell {
	dict := cell.NewDict(267)
	for _, g := range grants {
		item := cell.BeginCell().MustStoreCoins(g.Amount).MustStoreUInt(g.StartFrom, 48).MustStoreUInt(g.Until, 48).EndCell()
		if err := dict.Set(addr(cell.BeginCell(), g.Owner).EndCell(), item); err != nil {
			panic(err) //nolint:forbidigo // the key is always 267 bits
		}
	}
	return dict.AsCell()
}

// MintlessClaim is the custom payload of the owner's first transfer.
//
//	merkle_airdrop_claim#0df602d6 proof:^Cell = CustomPayload;
func MintlessClaim(airdrop *cell.Cell, owner *address.Address) (*cell.Cell, error) {
	path := cell.NewMerkleProofBuilder(airdrop)
	if _, err := path.Root().AsDict(267).LoadValue(addr(cell.BeginCell(), owner).EndCell()); err != nil {
		return nil, fmt.Errorf("airdrop entry of %s: %w", owner, err)
	}
	proof, err := path.CreateProof()
	if err != nil {
		return nil, fmt.Errorf("airdrop proof of %s: %w", owner, err)
	}
	return cell.BeginCell().MustStoreUInt(OpMintlessClaim, 32).MustStoreRef(proof).EndCell(), nil
}

// MintlessMaster is the master of a mintless Jetton.
//
//	_ total_supply:Coins admin:MsgAddress content:^Cell wallet_code:^Cell airdrop_root:uint256 = Storage;
func MintlessMaster(admin *address.Address, content, airdrop *cell.Cell) Contract {
	data := addr(cell.BeginCell().MustStoreCoins(0), admin).MustStoreRef(content).MustStoreRef(Code(codeMintlessWallet)).
		MustStoreSlice(airdrop.Hash(), 256).EndCell()
	return newContract(Basechain, Code(codeMintlessMaster), data)
}

// MintlessWallet is owner's wallet of a mintless Jetton. Its first transfer deploys it.
//
//	_ balance:Coins owner:MsgAddress master:MsgAddress airdrop_root:uint256 claimed:Bool = Storage;
func MintlessWallet(owner, master *address.Address, airdrop *cell.Cell) Contract {
	data := addr(addr(cell.BeginCell().MustStoreCoins(0), owner), master).MustStoreSlice(airdrop.Hash(), 256).
		MustStoreBoolBit(false).EndCell()
	return newContract(Basechain, Code(codeMintlessWallet), data)
}

// MintlessClaimed reads from a mintless wallet's data whether its airdrop was claimed; false for no data.
func MintlessClaimed(data *cell.Cell) (bool, error) {
	if data == nil {
		return false, nil
	}
	s, err := data.BeginParse()
	if err != nil {
		return false, fmt.Errorf("mintless wallet data: %w", err)
	}
	if left := s.BitsLeft(); left == 0 || s.SkipBits(left-1) != nil {
		return false, errors.New("mintless wallet data: too short")
	}
	return s.LoadBoolBit() // the last one
}

// StuckJettonWalletCode is the code of wallets that refuse what other wallets send.
func StuckJettonWalletCode() *cell.Cell { return Code(codeStuckWallet) }
