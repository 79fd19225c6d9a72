package scenario

import (
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

// token is a Jetton of the story.
type token struct {
	master     contracts.Contract
	walletCode *cell.Cell
}

func (k token) wallet(owner *address.Address) *address.Address {
	return contracts.JettonWallet(owner, k.master.Address, k.walletCode).Address
}

// collection is an NFT or SBT collection of the story.
type collection struct {
	contracts.Contract
	itemCode *cell.Cell
}

func (c collection) item(index uint64) *address.Address {
	return contracts.NFTItem(c.Address, index, c.itemCode).Address
}

// stage is the set of contracts the story plays on. Their addresses follow from the cast.
type stage struct {
	tokens     []token // the last one's wallets run published library code
	nfts       collection
	sbts       collection
	domains    contracts.Contract // the collection of .ton
	dnsRoot    contracts.Contract
	thrower    contracts.Contract
	mcThrower  contracts.Contract
	emitter    contracts.Contract
	librarian  contracts.Contract
	allDeploys []contracts.Contract // what the operator deploys, in this order
}

func newStage(c *cast) *stage {
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
	s := &stage{
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
	s.dnsRoot = contracts.DNSRoot(owner, map[string]*address.Address{"ton": s.domains.Address})
	for _, k := range s.tokens {
		s.allDeploys = append(s.allDeploys, k.master)
	}
	s.allDeploys = append(s.allDeploys, s.nfts.Contract, s.sbts.Contract, s.domains, s.thrower, s.mcThrower, s.emitter, s.librarian)
	return s
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
