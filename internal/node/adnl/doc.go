// Package adnl is the client end of one ADNL connection over TCP, the transport liteservers speak.
//
// A connection starts with one packet of 256 bytes that carries the session's keys, sealed with the secret both sides
// derive from their Ed25519 keys. After it each direction is an AES-CTR stream of frames: length (4 bytes, little
// endian), nonce (32), payload, SHA-256 of nonce and payload (32). A query travels with a random 256-bit id that its
// answer repeats, so answers may come in any order, and an answer whose id nobody waits for is dropped.
//
// The package moves bytes and judges nothing: whether an answer is true is the business of package node.
package adnl
