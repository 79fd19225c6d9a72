package lite

import (
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/adnl/keys"
)

// handshakeSize is the only unframed packet of a connection: server key id (32),
// client's public key (32), SHA-256 of the session parameters (32), and those
// parameters (160) encrypted with the two parties' shared secret.
const handshakeSize = 256

// session holds the two AES-CTR streams of a connection. Each belongs to exactly
// one goroutine: in to the reader, out to the writer.
type session struct {
	in, out cipher.Stream
}

// acceptHandshake checks the client's first packet and derives the streams.
func acceptHandshake(packet []byte, keyID [32]byte, key ed25519.PrivateKey) (session, error) {
	if len(packet) != handshakeSize {
		return session{}, fmt.Errorf("handshake of %d bytes", len(packet))
	}
	if [32]byte(packet[:32]) != keyID {
		return session{}, errors.New("handshake for another server key")
	}
	secret, err := keys.SharedKey(key, packet[32:64])
	if err != nil {
		return session{}, fmt.Errorf("handshake secret: %w", err)
	}
	digest := packet[64:96]
	params, err := openParams(secret, digest, packet[96:])
	if err != nil {
		return session{}, err
	}
	// The client's parameters name the streams from its own side: what it reads
	// is what we write.
	out, err := keys.NewCipherCtr(params[0:32], params[64:80])
	if err != nil {
		return session{}, fmt.Errorf("handshake cipher: %w", err)
	}
	in, err := keys.NewCipherCtr(params[32:64], params[80:96])
	if err != nil {
		return session{}, fmt.Errorf("handshake cipher: %w", err)
	}
	return session{in: in, out: out}, nil
}

// openParams decrypts the session parameters and checks them against their digest.
func openParams(secret, digest, sealed []byte) ([]byte, error) {
	key := make([]byte, 0, 32)
	key = append(append(key, secret[:16]...), digest[16:]...)
	iv := make([]byte, 0, 16)
	iv = append(append(iv, digest[:4]...), secret[20:]...)
	stream, err := keys.NewCipherCtr(key, iv)
	if err != nil {
		return nil, fmt.Errorf("handshake cipher: %w", err)
	}
	params := make([]byte, len(sealed))
	stream.XORKeyStream(params, sealed)
	if sum := sha256.Sum256(params); subtle.ConstantTimeCompare(sum[:], digest) != 1 {
		return nil, errors.New("handshake digest does not match")
	}
	return params, nil
}
