package bridge

import (
	"encoding/hex"
	"math/big"
	"slices"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// Opcodes of tgBTC; logs are those of the teleport and the coordinator contracts.
const (
	opPegout     = 0xbe44e7a6
	opPegoutMade = 0x1a84c0e0
	logMint      = 0x77a80ef3
	logBurn      = 0xca444ce6
	logDKG       = 0x453443a6
	logNewKey    = 0x27756729
)

// pegoutMade is a contract that pays in bitcoins, made and answering; it may be missing.
func pegoutMade() *action.Pattern {
	return action.Call(opPegout).Then(action.Call(opPegoutMade).Maybe(), action.Is(action.TypeTonTransfer).Maybe()).Maybe()
}

// publicKey prints a key as a number: hex without leading zeros.
func publicKey(h chain.Hash) string { return new(big.Int).SetBytes(h[:]).Text(16) }

// mintLog is what the teleport contract wrote of coins that came from Bitcoin.
type mintLog struct {
	amount *big.Int // satoshis
	to     *chain.Address
	txID   string // hex, in reverse as Bitcoin prints it
}

func readMintLog(b *action.Block) (mintLog, error) {
	l := b.Body()
	m := mintLog{amount: l.Coins(), to: l.WrittenAddress()}
	h := l.Hash()
	slices.Reverse(h[:])
	m.txID = hex.EncodeToString(h[:])
	return m, l.Err()
}

// burnLog is what the teleport contract wrote of coins that go to Bitcoin. Older contracts wrote something else under the
// same opcode, so that its addresses may be in any form, with a rewrite prefix among them, or end early.
type burnLog struct {
	amount       *big.Int // satoshis
	from, pegout *chain.Address
}

func readBurnLog(b *action.Block) (burnLog, error) {
	l := b.Body()
	log := burnLog{amount: l.Coins()}
	err := l.Err()
	log.from, log.pegout = l.WrittenAddress(), l.WrittenAddress()
	return log, err
}

// keyLog is what the coordinator wrote of a new key and of the coins that now belong to it.
type keyLog struct {
	amount *big.Int // satoshis
	key    string   // hex without leading zeros
	pegout *chain.Address
}

func readKeyLog(b *action.Block) (keyLog, error) {
	l := b.Body()
	log := keyLog{amount: l.Coins(), key: publicKey(l.Hash()), pegout: l.WrittenAddress()}
	return log, l.Err()
}

// dkgLog is what a group of signers wrote when they had made a key together.
type dkgLog struct {
	at  *big.Int // seconds since 1970
	key string   // hex without leading zeros
}

func readDKGLog(b *action.Block) (dkgLog, error) {
	l := b.Body()
	log := dkgLog{at: action.BigInt(l.Uint(64)), key: publicKey(l.Hash())}
	return log, l.Err()
}
