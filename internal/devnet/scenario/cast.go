package scenario

import (
	"crypto/ed25519"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/address"

	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
)

// Numbers of wallets.
const (
	actorCount       = 24 // wallets with random traffic, the three versions in rotation
	masterActorCount = 2  // wallets on the masterchain
	burstCount       = 64 // wallets for bursts only
)

const oneTON = uint64(1_000_000_000) // nanotons

// Balances of the accounts that exist before the first block.
const (
	faucetBalance   = 100_000_000 * oneTON
	operatorBalance = 50_000_000 * oneTON
	highloadBalance = 1_000_000 * oneTON
	burstBalance    = 100_000 * oneTON
	rootBalance     = 100 * oneTON
)

// cast has the wallets of all key holders. All keys are derived from the seed.
type cast struct {
	seed     [32]byte
	globalID int32

	operator *contracts.Wallet // deploys, mints, and funds the actors
	highload *contracts.Wallet
	actors   []*contracts.Wallet
	masters  []*contracts.Wallet // on the masterchain
	burst    []*contracts.Wallet
}

// walletMaker creates wallets and stores the first error.
type walletMaker struct {
	seed     [32]byte
	globalID int32
	err      error
}

func (m *walletMaker) wallet(purpose string, version contracts.WalletVersion, workchain int8) *contracts.Wallet {
	w, err := contracts.NewWallet(version, workchain, genesis.DeriveKey(m.seed, purpose), m.globalID)
	if err != nil && m.err == nil {
		m.err = fmt.Errorf("%s: %w", purpose, err)
	}
	return w
}

var regular = []contracts.WalletVersion{contracts.V3R2, contracts.V4R2, contracts.V5R1}

func newCast(seed [32]byte, globalID int32) (*cast, error) {
	m := &walletMaker{seed: seed, globalID: globalID}
	c := &cast{
		seed:     seed,
		globalID: globalID,
		operator: m.wallet("operator", contracts.V5R1, contracts.Basechain),
		highload: m.wallet("highload", contracts.HighloadV3, contracts.Basechain),
	}
	for i := range actorCount {
		c.actors = append(c.actors, m.wallet(fmt.Sprintf("actor %d", i), regular[i%len(regular)], contracts.Basechain))
	}
	for i := range masterActorCount {
		c.masters = append(c.masters, m.wallet(fmt.Sprintf("masterchain actor %d", i), regular[i%len(regular)], contracts.Masterchain))
	}
	for i := range burstCount {
		c.burst = append(c.burst, m.wallet(fmt.Sprintf("burst %d", i), contracts.V5R1, contracts.Basechain))
	}
	return c, m.err
}

// visitorWallet returns the wallet of a masterchain block's visitor, which appears only once.
func visitorWallet(seed [32]byte, globalID int32, mcSeqno uint32) (*contracts.Wallet, error) {
	m := &walletMaker{seed: seed, globalID: globalID}
	w := m.wallet(fmt.Sprintf("visitor %d", mcSeqno), regular[mcSeqno%uint32(len(regular))], contracts.Basechain)
	return w, m.err
}

// FaucetKey returns the private key of the faucet wallet.
func FaucetKey(seed [32]byte) ed25519.PrivateKey { return genesis.DeriveKey(seed, "faucet") }

// Faucet returns the faucet wallet: v3r2, in the basechain, with a large balance. The scenario does not use it.
func Faucet(seed [32]byte) (*contracts.Wallet, error) {
	w, err := contracts.NewWallet(contracts.V3R2, contracts.Basechain, FaucetKey(seed), 0)
	if err != nil {
		return nil, fmt.Errorf("faucet: %w", err)
	}
	return w, nil
}

// FaucetAddress returns the address of the faucet wallet.
func FaucetAddress(seed [32]byte) (*address.Address, error) {
	w, err := Faucet(seed)
	if err != nil {
		return nil, err
	}
	return w.Address, nil
}

// Genesis lists the accounts that the scenario needs in the zerostate.
type Genesis struct {
	Accounts []genesis.Account
	DNSRoot  *address.Address // config parameter 4
	// Librarian publishes the library of the scenario. Since global version 15 only
	// fundamental contracts can.
	Librarian *address.Address
	// DeferExempt lists the wallets of bursts, of the faucet and of the operator: their
	// messages are not deferred, so that load arrives at once and the setup is done in a few blocks.
	DeferExempt []*address.Address
}

// GenesisAccounts lists the accounts that exist before the first block: the faucet, the operator, the
// burst wallets, and the DNS root. globalID is that of the chain.
func GenesisAccounts(seed [32]byte, globalID int32) (Genesis, error) {
	c, err := newCast(seed, globalID)
	if err != nil {
		return Genesis{}, err
	}
	faucet, err := Faucet(seed)
	if err != nil {
		return Genesis{}, err
	}
	s := newContractSet(c)
	g := Genesis{DNSRoot: s.dnsRoot.Address, Librarian: s.librarian.Address, DeferExempt: []*address.Address{faucet.Address, c.operator.Address}}
	g.add(faucet.Contract, faucetBalance)
	g.add(c.operator.Contract, operatorBalance)
	g.Accounts[len(g.Accounts)-1].Extra = map[uint32]*big.Int{currencyID: big.NewInt(currencySupply)}
	g.add(c.highload.Contract, highloadBalance)
	for _, w := range c.burst {
		g.add(w.Contract, burstBalance)
		g.DeferExempt = append(g.DeferExempt, w.Address)
	}
	g.add(s.dnsRoot, rootBalance)
	return g, nil
}

func (g *Genesis) add(c contracts.Contract, balance uint64) {
	g.Accounts = append(g.Accounts, genesis.Account{Address: c.Address, Balance: balance, Code: c.Init.Code, Data: c.Init.Data})
}
