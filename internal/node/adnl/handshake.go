package adnl

import (
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"fmt"

	"github.com/xssnick/tonutils-go/adnl/keys"
	"github.com/xssnick/tonutils-go/tl"
)

// session holds the two streams of a connection; each belongs to exactly one goroutine.
type session struct {
	in, out cipher.Stream
}

// openSession invents the keys of a session and writes the packet that tells them to the holder of server's key.
func openSession(server ed25519.PublicKey) (session, []byte, error) {
	public, ours, err := ed25519.GenerateKey(nil) // nobody needs to know us again
	if err != nil {
		return session{}, nil, fmt.Errorf("client key: %w", err)
	}
	params := make([]byte, 160)
	if _, err := rand.Read(params); err != nil {
		return session{}, nil, fmt.Errorf("session keys: %w", err)
	}
	in, err := keys.NewCipherCtr(params[0:32], params[64:80])
	if err != nil {
		return session{}, nil, fmt.Errorf("cipher of answers: %w", err)
	}
	out, err := keys.NewCipherCtr(params[32:64], params[80:96])
	if err != nil {
		return session{}, nil, fmt.Errorf("cipher of queries: %w", err)
	}
	packet, err := sealParams(params, public, ours, server)
	if err != nil {
		return session{}, nil, err
	}
	return session{in: in, out: out}, packet, nil
}

// sealParams lays out the first packet: server key id, our public key, digest of the parameters, sealed parameters.
func sealParams(params []byte, public ed25519.PublicKey, ours ed25519.PrivateKey, server ed25519.PublicKey) ([]byte, error) {
	id, err := tl.Hash(keys.PublicKeyED25519{Key: server})
	if err != nil {
		return nil, fmt.Errorf("server key id: %w", err)
	}
	secret, err := keys.SharedKey(ours, server)
	if err != nil {
		return nil, fmt.Errorf("shared secret: %w", err)
	}
	digest := sha256.Sum256(params)
	// The sealing key mixes secret and digest half and half, so that no two sessions share a key stream.
	key := append(append(make([]byte, 0, 32), secret[:16]...), digest[16:]...)
	iv := append(append(make([]byte, 0, 16), digest[:4]...), secret[20:32]...)
	stream, err := keys.NewCipherCtr(key, iv)
	if err != nil {
		return nil, fmt.Errorf("sealing cipher: %w", err)
	}
	packet := make([]byte, 0, 256)
	packet = append(packet, id...)
	packet = append(packet, public...)
	packet = append(packet, digest[:]...)
	sealed := make([]byte, len(params))
	stream.XORKeyStream(sealed, params)
	return append(packet, sealed...), nil
}
