package genesis

import (
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"hash/crc32"

	"github.com/xssnick/tonutils-go/adnl/keys"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
)

// CatchainSeqno is the catchain seqno of every block, also after a change of the validators.
const CatchainSeqno = 0

const (
	// ValidatorCount is the number of validators of a new chain.
	ValidatorCount = 7
	// ValidatorKeys is the number of keys that a chain signs with: those of the first validators, and as many that a change
	// of parameter 34 or 36 can name.
	ValidatorKeys = 2 * ValidatorCount

	totalWeight = 1 << 60
)

// stakes are the shares of the validators. They differ, so that a number of signatures
// says nothing about their weight, and no validator has a third.
var stakes = [ValidatorCount]uint64{10, 9, 8, 7, 6, 5, 4}

// firstValidators are the keys of the validators of a new chain.
var firstValidators = [ValidatorCount]int{0, 1, 2, 3, 4, 5, 6}

// DeriveKey derives a private key for a purpose from the chain's seed.
func DeriveKey(seed [32]byte, purpose string) ed25519.PrivateKey {
	sum := sha256.Sum256(append([]byte("tonql devnet "+purpose+"\x00"), seed[:]...))
	return ed25519.NewKeyFromSeed(sum[:])
}

// ValidatorKey returns the key of a validator, by its index in the validator set.
func ValidatorKey(seed [32]byte, index int) ed25519.PrivateKey {
	if index == 0 {
		return DeriveKey(seed, "validator")
	}
	return DeriveKey(seed, fmt.Sprintf("validator %d", index))
}

// ConfigKey returns the key that signs changes of config parameters (see [ConfigChange]).
func ConfigKey(seed [32]byte) ed25519.PrivateKey { return DeriveKey(seed, "config") }

// NodeIDShort is the hash by which signatures name a validator.
func NodeIDShort(pub ed25519.PublicKey) ([]byte, error) {
	return tl.Hash(keys.PublicKeyED25519{Key: pub})
}

// validatorSet lists the validators of a new chain in the order of their indexes.
func validatorSet(seed [32]byte) []*tlb.ValidatorAddr { return validatorsWith(seed, firstValidators) }

// validatorsWith lists validators with the keys of these indexes, see [ValidatorKey].
func validatorsWith(seed [32]byte, keys [ValidatorCount]int) []*tlb.ValidatorAddr {
	var sum uint64
	for _, stake := range stakes {
		sum += stake
	}
	set := make([]*tlb.ValidatorAddr, ValidatorCount)
	for i, stake := range stakes {
		pub := ValidatorKey(seed, keys[i]).Public().(ed25519.PublicKey) //nolint:errcheck // the public half of an ed25519 key is of no other type
		set[i] = &tlb.ValidatorAddr{PublicKey: tlb.SigPubKeyED25519{Key: pub}, Weight: totalWeight / sum * stake, ADNLAddr: adnlAddress(pub)}
	}
	return set
}

// adnlAddress is the placeholder for the validator's network address in the validator set.
func adnlAddress(pub ed25519.PublicKey) []byte {
	sum := sha256.Sum256(pub)
	return sum[:]
}

// ValidatorListHash is the short hash of a validator set that block headers
// and signature sets carry.
func ValidatorListHash(set []*tlb.ValidatorAddr) (uint32, error) {
	hashed := ton.ValidatorSetHashable{CCSeqno: CatchainSeqno}
	for _, v := range set {
		hashed.Validators = append(hashed.Validators, ton.ValidatorItemHashable{Key: v.PublicKey.Key, Weight: v.Weight, Addr: v.ADNLAddr})
	}
	data, err := tl.Serialize(hashed, true)
	if err != nil {
		return 0, fmt.Errorf("validator set: %w", err)
	}
	return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)), nil
}
