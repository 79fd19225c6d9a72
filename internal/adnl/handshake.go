package adnl

import (
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/adnl/keys"
	"github.com/xssnick/tonutils-go/tl"
)

// HandshakeSize is the size of the first packet, the only one without a frame: id of the server's key (32), public key
// of the client (32), SHA-256 of the session's parameters (32), and the encrypted parameters (160).
const HandshakeSize = 256

const paramsSize = 160

// KeyID returns the id by which clients name a server's key.
func KeyID(key ed25519.PublicKey) ([32]byte, error) {
	id, err := tl.Hash(keys.PublicKeyED25519{Key: key})
	if err != nil {
		return [32]byte{}, fmt.Errorf("server key id: %w", err)
	}
	return [32]byte(id), nil
}

// Open creates the session of a client and returns it with the handshake packet, which only the owner of the server's
// private key can decrypt.
func Open(server ed25519.PublicKey) (Session, []byte, error) {
	public, private, err := ed25519.GenerateKey(nil) // a key for this session alone: servers do not identify clients
	if err != nil {
		return Session{}, nil, fmt.Errorf("client key: %w", err)
	}
	params := make([]byte, paramsSize)
	if _, err := rand.Read(params); err != nil {
		return Session{}, nil, fmt.Errorf("session keys: %w", err)
	}
	in, out, err := streams(params)
	if err != nil {
		return Session{}, nil, err
	}
	packet, err := sealParams(params, public, private, server)
	if err != nil {
		return Session{}, nil, err
	}
	return Session{in: in, out: out}, packet, nil
}

// Accept checks the handshake packet of a client and returns the session of the server, which owns key. id is the
// [KeyID] of key.
func Accept(packet []byte, id [32]byte, key ed25519.PrivateKey) (Session, error) {
	if len(packet) != HandshakeSize {
		return Session{}, fmt.Errorf("handshake of %d bytes, expected %d", len(packet), HandshakeSize)
	}
	if [32]byte(packet[:32]) != id {
		return Session{}, errors.New("handshake for another server key")
	}
	secret, err := keys.SharedKey(key, packet[32:64])
	if err != nil {
		return Session{}, fmt.Errorf("handshake secret: %w", err)
	}
	params, err := openParams(secret, packet[64:96], packet[96:])
	if err != nil {
		return Session{}, err
	}
	// The parameters name the streams from the client's side: the server writes what the client reads.
	out, in, err := streams(params)
	if err != nil {
		return Session{}, err
	}
	return Session{in: in, out: out}, nil
}

// streams returns the ciphers of the two directions, as the client names them.
func streams(params []byte) (in, out cipher.Stream, err error) {
	if in, err = keys.NewCipherCtr(params[0:32], params[64:80]); err != nil {
		return nil, nil, fmt.Errorf("cipher of responses: %w", err)
	}
	if out, err = keys.NewCipherCtr(params[32:64], params[80:96]); err != nil {
		return nil, nil, fmt.Errorf("cipher of queries: %w", err)
	}
	return in, out, nil
}

// sealParams builds the handshake packet.
func sealParams(params []byte, public ed25519.PublicKey, private ed25519.PrivateKey, server ed25519.PublicKey) ([]byte, error) {
	id, err := KeyID(server)
	if err != nil {
		return nil, err
	}
	secret, err := keys.SharedKey(private, server)
	if err != nil {
		return nil, fmt.Errorf("shared secret: %w", err)
	}
	digest := sha256.Sum256(params)
	stream, err := paramsStream(secret, digest[:])
	if err != nil {
		return nil, err
	}
	packet := make([]byte, HandshakeSize)
	copy(packet, id[:])
	copy(packet[32:], public)
	copy(packet[64:], digest[:])
	stream.XORKeyStream(packet[96:], params)
	return packet, nil
}

// openParams decrypts the session's parameters and checks them against their digest.
func openParams(secret, digest, sealed []byte) ([]byte, error) {
	stream, err := paramsStream(secret, digest)
	if err != nil {
		return nil, err
	}
	params := make([]byte, len(sealed))
	stream.XORKeyStream(params, sealed)
	if sum := sha256.Sum256(params); subtle.ConstantTimeCompare(sum[:], digest) != 1 {
		return nil, errors.New("handshake digest does not match")
	}
	return params, nil
}

// paramsStream returns the cipher of the session's parameters. Its key consists of halves of the shared secret and of
// the digest, so no two sessions share a key stream.
func paramsStream(secret, digest []byte) (cipher.Stream, error) {
	key := append(append(make([]byte, 0, 32), secret[:16]...), digest[16:]...)
	iv := append(append(make([]byte, 0, 16), digest[:4]...), secret[20:32]...)
	stream, err := keys.NewCipherCtr(key, iv)
	if err != nil {
		return nil, fmt.Errorf("handshake cipher: %w", err)
	}
	return stream, nil
}
