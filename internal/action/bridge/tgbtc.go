package bridge

import (
	"encoding/hex"
	"math/big"
	"slices"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// Opcodes of tgBTC. Logs are those of the teleport and coordinator contracts.
const (
	opPegout     = 0xbe44e7a6
	opPegoutMade = 0x1a84c0e0
	logMint      = 0x77a80ef3
	logBurn      = 0xca444ce6
	logDKG       = 0x453443a6
	logNewKey    = 0x27756729
)

// pegoutMade matches the deployment of a pegout contract, which pays bitcoins, and its reply; both are optional.
func pegoutMade() *action.Pattern {
	return action.Call(opPegout).Then(action.Call(opPegoutMade).Maybe(), action.Is(action.TypeTonTransfer).Maybe()).Maybe()
}

// publicKey formats a key as a number in hexadecimal without leading zeros.
func publicKey(h chain.Hash) string { return new(big.Int).SetBytes(h[:]).Text(16) }

// mintLog is the log of the teleport contract for a deposit from Bitcoin.
type mintLog struct {
	amount *big.Int // satoshis
	to     *chain.Address
	txID   string // hex, in reverse as Bitcoin prints it
}

func readMintLog(b *action.Block) (mintLog, error) {
	l := b.Body()
	m := mintLog{amount: l.Coins(), to: l.AddressWithoutRewrite()}
	h := l.Hash()
	slices.Reverse(h[:])
	m.txID = hex.EncodeToString(h[:])
	return m, l.Err()
}

// burnLog is the log of the teleport contract for a withdrawal to Bitcoin. Older contracts log other data under the
// same opcode, so addresses can have any form, including a rewrite prefix, or be cut off.
type burnLog struct {
	amount       *big.Int // satoshis
	from, pegout *chain.Address
}

func readBurnLog(b *action.Block) (burnLog, error) {
	l := b.Body()
	log := burnLog{amount: l.Coins()}
	err := l.Err()
	log.from, log.pegout = l.AddressWithoutRewrite(), l.AddressWithoutRewrite()
	return log, err
}

// keyLog is the log of the coordinator for a new key and the coins that it controls.
type keyLog struct {
	amount *big.Int // satoshis
	key    string   // hex without leading zeros
	pegout *chain.Address
}

func readKeyLog(b *action.Block) (keyLog, error) {
	l := b.Body()
	log := keyLog{amount: l.Coins(), key: publicKey(l.Hash()), pegout: l.AddressWithoutRewrite()}
	return log, l.Err()
}

// dkgLog is the log of a group of signers for a key that they generated.
type dkgLog struct {
	at  *big.Int // seconds since 1970
	key string   // hex without leading zeros
}

func readDKGLog(b *action.Block) (dkgLog, error) {
	l := b.Body()
	log := dkgLog{at: action.BigInt(l.Uint(64)), key: publicKey(l.Hash())}
	return log, l.Err()
}
