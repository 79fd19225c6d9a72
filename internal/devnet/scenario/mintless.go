package scenario

import (
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

const (
	grantCount  = 12
	grantAmount = 1000 * oneJetton
	grantEnd    = 1 << 40 // unix time: never
)

// mintless is a Jetton that the first actors own before any of their Jetton wallets exists.
type mintless struct {
	master  contracts.Contract
	airdrop *cell.Cell
}

func newMintless(c *cast) mintless {
	grants := make([]contracts.Grant, grantCount)
	for i := range grants {
		grants[i] = contracts.Grant{Owner: c.actors[i].Address, Amount: grantAmount, Until: grantEnd}
	}
	airdrop := contracts.Airdrop(grants)
	content := contracts.OnchainContent(map[string]string{
		"name": "Driftwood", "symbol": "DRIFT", "decimals": "9", "mintless_merkle_dump_uri": "https://devnet.example/driftwood.boc",
		"custom_payload_api_uri": "https://devnet.example/driftwood/claims",
	})
	return mintless{contracts.MintlessMaster(c.operator.Address, content, airdrop), airdrop}
}

func (m mintless) wallet(owner *address.Address) contracts.Contract {
	return contracts.MintlessWallet(owner, m.master.Address, m.airdrop)
}

// claim makes the next actor claim the airdrop with the first transfer; later transfers need no proof.
func (t *batch) claim() string {
	m, w := t.contractSet.mintless, t.cast.actors[t.round()%grantCount]
	if !t.look(m.master.Address).active {
		return ""
	}
	wallet := m.wallet(w.Address)
	acc := t.look(wallet.Address)
	order := contracts.JettonTransfer{
		QueryID: t.nextQuery(), Amount: jettons(big.NewInt(oneJetton)), Destination: t.other(w), Response: w.Address,
		ForwardValue: 1, ForwardPayload: contracts.Comment("driftwood"),
	}
	claimed, err := contracts.MintlessClaimed(acc.data)
	switch {
	case err != nil:
		t.failed = err
		return ""
	case claimed:
		return did("passed on", t.call(w, contracts.Call(wallet.Address, jettonGas, order.Body())))
	}
	if order.CustomPayload, err = contracts.MintlessClaim(m.airdrop, w.Address); err != nil {
		t.failed = err
		return ""
	}
	return did("claimed", t.call(w, wallet.Deploy(jettonGas, order.Body())))
}

// sink mints a Jetton whose transfers fail, and tries to transfer it.
func (t *batch) sink() string {
	k, w := t.contractSet.stuck, t.cast.actors[t.round()%3]
	if !t.look(k.master.Address).active {
		return ""
	}
	at := k.wallet(w.Address)
	if !t.look(at).active {
		return did("minted", t.mintTo(k, w.Address, big.NewInt(100*oneJetton)))
	}
	order := contracts.JettonTransfer{
		QueryID: t.nextQuery(), Amount: jettons(big.NewInt(oneJetton)), Destination: t.other(w), Response: w.Address,
	}
	return did("came back", t.call(w, contracts.Call(at, jettonGas, order.Body())))
}
