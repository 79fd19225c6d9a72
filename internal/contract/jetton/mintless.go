package jetton

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// OpMerkleAirdropClaim starts the custom payload by which the owner of a mintless Jetton (TEP-177) claims what he was
// granted.
const OpMerkleAirdropClaim = 0x0df602d6

// airdropKeyBits is the length of a MsgAddressInt without anycast, the key of an airdrop.
const airdropKeyBits = 267

// Claim reads what a custom payload claims for the owner of a Jetton wallet, in units of the Jetton; nil for any other
// payload. Whether the airdrop was claimed before, and whether the proof holds, is for the wallet to say.
//
//	merkle_airdrop_claim#0df602d6 proof:^Cell = CustomPayload;
//	_ (Hashmap 267 AirdropItem) = Airdrop;  airdrop_item$_ amount:Coins start_from:uint48 expired_at:uint48 = AirdropItem;
func Claim(payload *cell.Cell, owner chain.Address) *big.Int {
	if payload == nil {
		return nil
	}
	l := contract.Load(payload)
	l.Opcode(OpMerkleAirdropClaim)
	proof := l.Ref()
	if l.Err() != nil || proof.GetType() != cell.MerkleProofCellType {
		return nil
	}
	airdrop, err := proof.PeekRef(0)
	if err != nil {
		return nil
	}
	key := cell.BeginCell()
	if err := key.StoreBuilder(contract.AddressSlice(owner).ToBuilder()); err != nil {
		return nil
	}
	item, err := airdrop.AsDict(airdropKeyBits).LoadValue(key.EndCell())
	if err != nil || item == nil {
		return nil
	}
	amount, err := item.LoadBigCoins()
	if err != nil {
		return nil
	}
	return amount
}
