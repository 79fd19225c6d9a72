package scenario

import (
	"github.com/xssnick/tonutils-go/address"

	"tonql/internal/devnet/contracts"
)

// Places are the addresses of the scenario's permanent contracts. Sales, auctions, orders and subscriptions are found
// through them.
type Places struct {
	Operator *address.Address
	Actors   []*address.Address

	Jettons        []*address.Address // masters
	StuckJetton    *address.Address   // a master whose Jettons cannot be transferred
	MintlessJetton *address.Address
	Malformed      []*address.Address // masters with malformed metadata
	NFTs, SBTs     *address.Address   // collections
	Market         *address.Address
	DNSRoot        *address.Address
	Domains        *address.Address // the collection of .ton
	Usernames      *address.Address // the collection of .t.me
	Multisigs      []*address.Address
	Vesting        *address.Address
	Pool           *address.Address

	LiarWallet *address.Address // claims to be a wallet of the first Jetton
	LiarItem   *address.Address // claims to be an item of NFTs
	Hostile    []*address.Address
}

// FindPlaces computes the places of a chain from its seed and global id.
func FindPlaces(seed [32]byte, globalID int32) (Places, error) {
	c, err := newCast(seed, globalID)
	if err != nil {
		return Places{}, err
	}
	s := newContractSet(c)
	p := Places{
		Operator: c.operator.Address, StuckJetton: s.stuck.master.Address, MintlessJetton: s.mintless.master.Address,
		NFTs: s.nfts.Address, SBTs: s.sbts.Address, Market: s.market.Address, DNSRoot: s.dnsRoot.Address,
		Domains: s.domains.Address, Usernames: s.usernames.Address, Multisigs: addresses(s.multisigs),
		Vesting: s.vesting.Address, Pool: s.pool.Address, LiarWallet: s.liarWallet.Address, LiarItem: s.liarItem.Address,
		Hostile: addresses(s.hostile), Malformed: addresses(s.malformed),
	}
	for _, w := range c.actors {
		p.Actors = append(p.Actors, w.Address)
	}
	for _, k := range s.tokens {
		p.Jettons = append(p.Jettons, k.master.Address)
	}
	return p, nil
}

func addresses(list []contracts.Contract) []*address.Address {
	found := make([]*address.Address, len(list))
	for i, c := range list {
		found[i] = c.Address
	}
	return found
}
