package scenario

import (
	"crypto/ed25519"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

// token is a Jetton of the scenario.
type token struct {
	master     contracts.Contract
	walletCode *cell.Cell
}

func (k token) wallet(owner *address.Address) *address.Address {
	return contracts.JettonWallet(owner, k.master.Address, k.walletCode).Address
}

// collection is an NFT or SBT collection of the scenario.
type collection struct {
	contracts.Contract
	itemCode *cell.Cell
}

func (c collection) item(index uint64) *address.Address {
	return contracts.NFTItem(c.Address, index, c.itemCode).Address
}

// contractSet has the contracts that the scenario deploys and uses. Their addresses are derived from the cast.
type contractSet struct {
	tokens     []token // the last one's wallets run published library code
	stuck      token   // a Jetton whose transfers fail
	mintless   mintless
	nfts       collection
	sbts       collection
	market     contracts.Contract
	domains    contracts.Contract // the collection of .ton
	usernames  contracts.Contract // the collection of .t.me
	dnsRoot    contracts.Contract
	multisigs  []contracts.Contract
	vesting    contracts.Contract
	pool       contracts.Contract
	liarWallet contracts.Contract
	liarItem   contracts.Contract
	hostile    []contracts.Contract // one of each malice
	malformed  []contracts.Contract // masters of Jettons
	thrower    contracts.Contract
	mcThrower  contracts.Contract
	emitter    contracts.Contract
	librarian  contracts.Contract
	allDeploys []contracts.Contract // deployed by the operator, in this order
}

func newContractSet(c *cast) *contractSet {
	owner := c.operator.Address
	royalty := contracts.Royalty{Numerator: 5, Denominator: 100, Destination: owner}
	own := contracts.JettonWalletCode()
	onchain := contracts.OnchainContent(map[string]string{
		"name":        "Harbour Shell",
		"symbol":      "SHELL",
		"decimals":    "9",
		"description": "Small change of the local network.",
		"image":       "https://devnet.example/shell.png",
	})
	s := &contractSet{
		tokens: []token{
			{master: contracts.JettonMaster(owner, onchain, own), walletCode: own},
			newToken(owner, contracts.OffchainContent("https://devnet.example/rope.json"), own),
			newToken(owner, contracts.OffchainContent("https://devnet.example/anchor.json"), contracts.LibraryCode(own)),
		},
		nfts: newCollection(owner, "lighthouses", contracts.NFTItemCode(), royalty),
		sbts: newCollection(owner, "licences", contracts.SBTItemCode(), royalty),
		domains: contracts.DNSCollection(contracts.OnchainContent(map[string]string{
			"name":        "Local names",
			"description": "Second-level names of the local network's .ton.",
		})),
		thrower:   contracts.Thrower(contracts.Basechain, 0),
		mcThrower: contracts.Thrower(contracts.Masterchain, 0),
		emitter:   contracts.Emitter(),
		librarian: contracts.Librarian(owner),
	}
	for _, k := range s.tokens {
		s.allDeploys = append(s.allDeploys, k.master)
	}
	s.allDeploys = append(s.allDeploys, s.nfts.Contract, s.sbts.Contract, s.domains, s.thrower, s.mcThrower, s.emitter, s.librarian)
	s.addTrade(c, royalty)
	s.addWallets(c)
	s.addLiars(c)
	return s
}

// addTrade adds the marketplace, the names of .t.me, the DNS root and two special Jettons.
func (s *contractSet) addTrade(c *cast, royalty contracts.Royalty) {
	owner := c.operator.Address
	s.market = contracts.NFTMarket(1)
	s.usernames = contracts.TelemintCollection(publicKey(c.operator), contracts.OffchainContent("https://devnet.example/usernames/collection.json"), royalty)
	below := contracts.DNSTopLevel(owner, map[string]*address.Address{"t": s.usernames.Address})
	s.dnsRoot = contracts.DNSRoot(owner, map[string]*address.Address{"ton": s.domains.Address, "me": below.Address})
	s.stuck = newToken(owner, contracts.OnchainContent(map[string]string{"name": "Quicksand", "symbol": "SAND", "decimals": "9"}), contracts.StuckJettonWalletCode())
	s.mintless = newMintless(c)
	s.allDeploys = append(s.allDeploys, s.market, s.usernames, below, s.stuck.master, s.mintless.master)
}

// addWallets adds the multisig wallets, the vesting wallet and the nominator pool.
func (s *contractSet) addWallets(c *cast) {
	s.multisigs = newMultisigs(c)
	s.vesting = contracts.VestingWallet(vestingTerms(c))
	s.pool = contracts.NominatorPool(c.masters[0].Address, poolMinimum)
	s.allDeploys = append(s.allDeploys, s.multisigs...)
	s.allDeploys = append(s.allDeploys, s.vesting, s.pool)
}

// addLiars adds contracts with false or hostile get-methods, and Jetton masters with malformed metadata.
func (s *contractSet) addLiars(c *cast) {
	owner := c.operator.Address
	s.liarWallet = contracts.LiarJettonWallet(owner, c.actors[0].Address, s.tokens[0].master.Address, 1_000_000*oneJetton)
	s.liarItem = contracts.LiarNFTItem(owner, s.nfts.Address, 0)
	for _, malice := range contracts.Malices() {
		s.hostile = append(s.hostile, contracts.Hostile(malice, 0))
	}
	s.allDeploys = append(s.allDeploys, s.liarWallet, s.liarItem)
	s.allDeploys = append(s.allDeploys, s.hostile...)
	for _, m := range contracts.MalformedContents() {
		s.malformed = append(s.malformed, contracts.JettonMaster(owner, m.Content, contracts.JettonWalletCode()))
	}
	s.allDeploys = append(s.allDeploys, s.malformed...)
}

func publicKey(w *contracts.Wallet) ed25519.PublicKey {
	key, _ := w.Key().Public().(ed25519.PublicKey) // wallets have no other kind of key
	return key
}

func newToken(owner *address.Address, content, walletCode *cell.Cell) token {
	return token{master: contracts.JettonMaster(owner, content, walletCode), walletCode: walletCode}
}

func newCollection(owner *address.Address, name string, itemCode *cell.Cell, royalty contracts.Royalty) collection {
	content := contracts.OffchainContent("https://devnet.example/" + name + "/collection.json")
	return collection{
		Contract: contracts.NFTCollection(owner, content, "https://devnet.example/"+name+"/", itemCode, royalty),
		itemCode: itemCode,
	}
}
