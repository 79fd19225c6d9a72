package contracts

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// The bits of contracts.kinds. They are on disk: never renumber.
const (
	holdsJettonMaster int16 = 1 << iota
	holdsJettonWallet
	holdsNFTCollection
	holdsNFTItem
	holdsNFTSale
	holdsDNS
	holdsMultisig
	holdsMultisigOrder
	holdsVesting
	holdsClaims
)

// KindsOf returns the bits of the tables that have rows of a contract.
func KindsOf(c *chain.Contract) int16 {
	var kinds int16
	add := func(holds int16, is bool) {
		if is {
			kinds |= holds
		}
	}
	add(holdsJettonMaster, c.JettonMaster != nil)
	add(holdsJettonWallet, c.JettonWallet != nil)
	add(holdsNFTCollection, c.NFTCollection != nil)
	add(holdsNFTItem, c.NFTItem != nil)
	add(holdsNFTSale, c.NFTSale != nil)
	add(holdsDNS, c.DNS != nil)
	add(holdsMultisig, c.Multisig != nil)
	add(holdsMultisigOrder, c.MultisigOrder != nil)
	add(holdsVesting, c.Vesting != nil)
	add(holdsClaims, len(c.Claims) > 0)
	return kinds
}

// recordTable is one table of latest records. An account's rows come and go together.
type recordTable struct {
	kind    int16
	table   string
	key     string // column of the account
	columns string
	rows    func(c *sqlbuild.CopyBuffer, contract *chain.Contract)
}

// recordTables is every table of latest records, in the order of writing.
var recordTables = []recordTable{
	{
		holdsJettonMaster, "jetton_masters", "address", JettonMasterTable,
		func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeJettonMaster(c, k.JettonMaster) },
	},
	{
		holdsJettonWallet, "jetton_wallets", "address", JettonWalletTable,
		func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeJettonWallet(c, k.JettonWallet) },
	},
	{
		holdsNFTCollection, "nft_collections", "address", NFTCollectionTable,
		func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeNFTCollection(c, k.NFTCollection) },
	},
	{
		holdsNFTItem, "nft_items", "address", NFTItemTable,
		func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeNFTItem(c, k.NFTItem) },
	},
	{
		holdsNFTSale, "nft_sales", "address", NFTSaleTable,
		func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeNFTSale(c, k.NFTSale) },
	},
	{
		holdsDNS, "dns_records", "item", DNSTable,
		func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeDNSRecord(c, k.DNS) },
	},
	{
		holdsMultisig, "multisigs", "address", MultisigTable,
		func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeMultisig(c, k.Multisig) },
	},
	{
		holdsMultisig, "multisig_members", "multisig", MultisigMemberTable,
		func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeMultisigMembers(c, k.Multisig) },
	},
	{
		holdsMultisigOrder, "multisig_orders", "address", MultisigOrderTable,
		func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeMultisigOrder(c, k.MultisigOrder) },
	},
	{
		holdsVesting, "vestings", "address", VestingTable,
		func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeVesting(c, k.Vesting) },
	},
	{
		holdsVesting, vestingWhitelist, "vesting", VestingWhitelistTable,
		func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeVestingWhitelist(c, k.Vesting) },
	},
	{
		holdsClaims, "contract_claims", "account", ClaimTable,
		func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeClaims(c, k) },
	},
}

const (
	// ClaimTable lists the columns of a claim in the order in which they are written.
	ClaimTable = `account, lt, interface, other, refuted`
	claimWidth = 5
)

// writeClaims writes the claims of a contract about others, the last claim about each.
func writeClaims(c *sqlbuild.CopyBuffer, k *chain.Contract) {
	type relation struct {
		name  string
		other chain.Address
	}
	last := make(map[relation]int, len(k.Claims))
	for i, claim := range k.Claims {
		last[relation{claim.Interface, claim.Other}] = i
	}
	for i, claim := range k.Claims {
		if last[relation{claim.Interface, claim.Other}] != i {
			continue
		}
		c.Row(claimWidth)
		c.Address(&k.Account)
		c.Int8(int64(k.LT))
		c.Text(sqlbuild.Storable(claim.Interface))
		c.Address(&claim.Other)
		c.Bool(claim.Refuted)
	}
}
