package genesis

import (
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"hash/crc32"

	"github.com/xssnick/tonutils-go/adnl/keys"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
)

// CatchainSeqno is the validator session of every block. The only validator never
// changes, so neither does its session.
const CatchainSeqno = 0

// ValidatorWeight is the weight of the only validator.
const ValidatorWeight = 1 << 60

// DeriveKey derives a private key for a purpose from the chain's seed.
func DeriveKey(seed [32]byte, purpose string) ed25519.PrivateKey {
	sum := sha256.Sum256(append([]byte("tonql devnet "+purpose+"\x00"), seed[:]...))
	return ed25519.NewKeyFromSeed(sum[:])
}

// ValidatorKey returns the key that signs the masterchain blocks of the chain.
func ValidatorKey(seed [32]byte) ed25519.PrivateKey { return DeriveKey(seed, "validator") }

// ConfigKey returns the key that signs changes of config parameters (see [ConfigChange]).
func ConfigKey(seed [32]byte) ed25519.PrivateKey { return DeriveKey(seed, "config") }

// NodeIDShort is the hash by which signatures name a validator.
func NodeIDShort(pub ed25519.PublicKey) ([]byte, error) {
	return tl.Hash(keys.PublicKeyED25519{Key: pub})
}

// adnlAddress is the placeholder for the validator's network address in the validator set.
func adnlAddress(pub ed25519.PublicKey) []byte {
	sum := sha256.Sum256(pub)
	return sum[:]
}

// ValidatorListHash is the short hash of the validator set that block headers
// and signature sets carry.
func ValidatorListHash(pub ed25519.PublicKey) (uint32, error) {
	data, err := tl.Serialize(ton.ValidatorSetHashable{
		CCSeqno:    CatchainSeqno,
		Validators: []ton.ValidatorItemHashable{{Key: pub, Weight: ValidatorWeight, Addr: adnlAddress(pub)}},
	}, true)
	if err != nil {
		return 0, fmt.Errorf("validator set: %w", err)
	}
	return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)), nil
}
