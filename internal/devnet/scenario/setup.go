package scenario

import (
	"bytes"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

// Constants of the setup.
const (
	setupPeriod  = 4 // blocks between two checks for missing contracts; messages have arrived by then
	deployValue  = 5 * oneTON
	actorMoney   = 1000 * oneTON
	actorPoor    = 200 * oneTON
	firstHolders = 12 // actors that receive some of every Jetton at the start
	firstItems   = 8
	firstSBTs    = 6
)

// setup deploys and funds the contracts that are missing in the chain's state. It works in the first blocks and also
// later, when an account has run out of coins.
func (t *batch) setup() {
	if !t.crosses(setupPeriod, 1) {
		return
	}
	t.fund()
	for _, c := range t.contractSet.allDeploys {
		if acc := t.look(c.Address); !acc.active {
			t.call(t.cast.operator, c.Deploy(deployValue, nil))
		} else if acc.balance < oneTON {
			t.call(t.cast.operator, contracts.Transfer(c.Address, deployValue, ""))
		}
	}
	t.publish()
	t.firstMints()
	t.firstRegistrations()
}

// fund tops up the actors' balances; the wallets deploy themselves with their first message.
func (t *batch) fund() {
	for _, group := range [][]*contracts.Wallet{t.cast.actors, t.cast.masters} {
		for _, w := range group {
			if t.look(w.Address).balance < actorPoor {
				t.call(t.cast.operator, contracts.Transfer(w.Address, actorMoney, "allowance"))
			}
		}
	}
}

// publish publishes the Jetton wallet's code as a masterchain library, which the wallets of one Jetton use.
func (t *batch) publish() {
	librarian := t.look(t.contractSet.librarian.Address)
	if !librarian.active {
		return
	}
	code := contracts.JettonWalletCode()
	if librarian.libs != nil {
		key := cell.BeginCell().MustStoreSlice(code.Hash(), 256).EndCell()
		if _, err := librarian.libs.LoadValue(key); err == nil {
			return
		}
	}
	t.call(t.cast.operator, contracts.Call(t.contractSet.librarian.Address, oneTON, contracts.PublishLibrary(t.nextQuery(), code)))
}

// firstMints mints Jettons, NFTs and SBTs for the first actors.
func (t *batch) firstMints() {
	for _, k := range t.contractSet.tokens {
		for i, w := range t.cast.actors[:firstHolders] {
			if !t.look(k.wallet(w.Address)).active && t.libraryReady(k) {
				t.mintTo(k, w.Address, big.NewInt(int64(1000*(i+1))*oneJetton))
			}
		}
	}
	if t.look(t.contractSet.nfts.Address).active {
		for i := t.minted(t.contractSet.nfts); i < firstItems; i++ {
			t.mintedNFT = t.mintNFT(i, t.cast.actors[i%actorCount].Address)
		}
	}
	if t.look(t.contractSet.sbts.Address).active {
		for i := t.minted(t.contractSet.sbts); i < firstSBTs; i++ {
			t.mintedSBT = t.mintSBT(i, t.cast.actors[i%actorCount].Address)
		}
	}
}

// libraryReady reports whether the Jetton's wallets can run: their code is no library cell, or it is one of the
// masterchain's libraries.
func (t *batch) libraryReady(k token) bool {
	if bytes.Equal(k.walletCode.Hash(), contracts.JettonWalletCode().Hash()) {
		return true
	}
	return t.master.Libraries != nil
}

func (t *batch) firstRegistrations() {
	for i := range firstNames {
		label := nameOf(i)
		if !t.look(contracts.DNSItem(t.contractSet.domains.Address, label).Address).active {
			t.register(label)
		}
	}
}
