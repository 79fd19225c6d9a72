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
	_ // claims about other contracts, until migration 118
	holdsNominatorPool
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
	add(holdsNominatorPool, c.NominatorPool != nil)
	return kinds
}

// recordTable is one table of latest records. An account's rows come and go together.
type recordTable struct {
	kind    int16
	table   string
	key     string // column of the account
	columns string
	rows    func(c *sqlbuild.CopyBuffer, contract *chain.Contract)

	// long are the columns of a table of one row for each account that may be long and change rarely, and what else must be equal for the
	// row to stay; a suffix ::text where the type has no equality.
	long []string
	// follows is the table whose long columns say all that the rows have; "" for none.
	follows string
}

// recordTables is every table of latest records, in the order of writing.
var recordTables = []recordTable{
	{
		kind: holdsJettonMaster, table: "jetton_masters", key: "address", columns: JettonMasterTable,
		rows: func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeJettonMaster(c, k.JettonMaster) },
		long: []string{"content::text", "mintless_apis"},
	},
	{
		kind: holdsJettonWallet, table: "jetton_wallets", key: "address", columns: JettonWalletTable,
		rows: func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeJettonWallet(c, k.JettonWallet) },
		long: []string{"mintless_apis"},
	},
	{
		kind: holdsNFTCollection, table: "nft_collections", key: "address", columns: NFTCollectionTable,
		rows: func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeNFTCollection(c, k.NFTCollection) },
		long: []string{"content::text"},
	},
	{
		kind: holdsNFTItem, table: "nft_items", key: "address", columns: NFTItemTable,
		rows: func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeNFTItem(c, k.NFTItem) },
		long: []string{"content::text"},
	},
	{
		kind: holdsNFTSale, table: "nft_sales", key: "address", columns: NFTSaleTable,
		rows: func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeNFTSale(c, k.NFTSale) },
	},
	{
		kind: holdsDNS, table: "dns_records", key: "item", columns: DNSTable,
		rows: func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeDNSRecord(c, k.DNS) },
		long: []string{"text", "wallet"},
	},
	{
		kind: holdsMultisig, table: "multisigs", key: "address", columns: MultisigTable,
		rows: func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeMultisig(c, k.Multisig) },
		long: []string{"signers", "proposers"},
	},
	{
		kind: holdsMultisig, table: "multisig_members", key: "multisig", columns: MultisigMemberTable,
		rows:    func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeMultisigMembers(c, k.Multisig) },
		follows: "multisigs",
	},
	{
		kind: holdsMultisigOrder, table: "multisig_orders", key: "address", columns: MultisigOrderTable,
		rows: func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeMultisigOrder(c, k.MultisigOrder) },
		long: []string{"order_boc", "signers"},
	},
	{
		kind: holdsVesting, table: "vestings", key: "address", columns: VestingTable,
		rows: func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeVesting(c, k.Vesting) },
		long: []string{"whitelist"},
	},
	{
		kind: holdsVesting, table: vestingWhitelist, key: "vesting", columns: VestingWhitelistTable,
		rows:    func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeVestingWhitelist(c, k.Vesting) },
		follows: "vestings",
	},
	{
		kind: holdsNominatorPool, table: "nominator_pools", key: "address", columns: NominatorPoolTable,
		rows: func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeNominatorPool(c, k.NominatorPool) },
		long: []string{"nominators"},
	},
	{
		kind: holdsNominatorPool, table: nominatorPositions, key: "pool", columns: NominatorPositionTable,
		rows:    func(c *sqlbuild.CopyBuffer, k *chain.Contract) { writeNominatorPositions(c, k.NominatorPool) },
		follows: "nominator_pools",
	},
}
