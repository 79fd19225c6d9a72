package scenario

import (
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

const nftGas = oneTON / 10

// minted returns the number of items of the collection; 0 when the collection does not exist yet.
func (t *batch) minted(c collection) uint64 {
	acc := t.look(c.Address)
	if !acc.active {
		return 0
	}
	next, err := contracts.NextItemIndex(acc.data)
	if err != nil {
		t.failed = err
		return 0
	}
	return next
}

// itemOwnedByActor draws items until the owner of one is an actor that can send.
func (t *batch) itemOwnedByActor(c collection) (*address.Address, *contracts.Wallet) {
	count := t.minted(c)
	if count == 0 {
		return nil, nil
	}
	for range 8 {
		at := c.item(t.rand.Uint64N(count))
		acc := t.look(at)
		if !acc.active {
			continue
		}
		owner, err := contracts.NFTOwner(acc.data)
		if err != nil {
			t.failed = err
			return nil, nil
		}
		w := t.actorAt(owner)
		if w == nil {
			continue
		}
		if l := t.letterOf(w); l != nil && l.room > 0 {
			return at, w
		}
	}
	return nil, nil
}

// mayMint reports whether the last mint of a collection is some blocks ago, so that the index on the chain is the next
// one.
func (t *batch) mayMint(c collection) bool {
	return t.crosses(3, 0) && t.look(c.Address).active
}

func (t *batch) nftMint() bool {
	if !t.mayMint(t.contractSet.nfts) || t.mintedNFT {
		return false
	}
	t.mintedNFT = true
	return t.mintNFT(t.minted(t.contractSet.nfts), t.other(nil))
}

func (t *batch) mintNFT(index uint64, owner *address.Address) bool {
	body := contracts.NFTMint(t.nextQuery(), index, nftGas, owner, fmt.Sprintf("%d.json", index))
	return t.call(t.cast.operator, contracts.Call(t.contractSet.nfts.Address, 2*nftGas, body))
}

func (t *batch) sbtMint() bool {
	if !t.mayMint(t.contractSet.sbts) || t.mintedSBT {
		return false
	}
	t.mintedSBT = true
	return t.mintSBT(t.minted(t.contractSet.sbts), t.other(nil))
}

func (t *batch) mintSBT(index uint64, owner *address.Address) bool {
	body := contracts.SBTMint(t.nextQuery(), index, nftGas, owner, t.cast.operator.Address, fmt.Sprintf("%d.json", index))
	return t.call(t.cast.operator, contracts.Call(t.contractSet.sbts.Address, 2*nftGas, body))
}

func (t *batch) nftTransfer() bool {
	at, owner := t.itemOwnedByActor(t.contractSet.nfts)
	if owner == nil {
		return false
	}
	order := contracts.NFTTransfer{QueryID: t.nextQuery(), NewOwner: t.other(owner), Response: owner.Address}
	if !t.chance(3) {
		order.ForwardValue = t.between(1, oneTON/100)
		order.ForwardPayload = t.forwardPayload()
	}
	return t.call(owner, contracts.Call(at, nftGas, order.Body()))
}

// nftDataRequest requests the static data of an item or the royalty of the collection.
func (t *batch) nftDataRequest() bool {
	w := t.actor()
	count := t.minted(t.contractSet.nfts)
	if w == nil || count == 0 {
		return false
	}
	if t.chance(2) {
		return t.call(w, contracts.Call(t.contractSet.nfts.Address, nftGas, contracts.GetRoyaltyParams(t.nextQuery())))
	}
	return t.call(w, contracts.Call(t.contractSet.nfts.item(t.rand.Uint64N(count)), nftGas, contracts.NFTGetStaticData(t.nextQuery())))
}

// sbtOrder uses a soul-bound item: its owner proves the ownership, an actor requests the owner, the authority revokes the
// item, or the owner destroys it.
func (t *batch) sbtOrder() bool {
	at, owner := t.itemOwnedByActor(t.contractSet.sbts)
	if owner == nil {
		return false
	}
	sender := owner
	var body *cell.Cell
	switch n := t.rand.IntN(10); {
	case n < 5:
		body = contracts.SBTProveOwnership(t.nextQuery(), t.other(owner), contracts.Comment("let me in"), t.chance(2))
	case n < 8:
		body = contracts.SBTRequestOwner(t.nextQuery(), t.other(owner), contracts.Comment("who is it"), t.chance(2))
	case n < 9:
		sender, body = t.cast.operator, contracts.SBTRevoke(t.nextQuery())
	default:
		body = contracts.SBTDestroy(t.nextQuery())
	}
	return t.call(sender, contracts.Call(at, nftGas, body))
}
