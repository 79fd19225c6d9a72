// Package adnl implements ADNL over TCP, the transport of liteservers: [Conn] is the client side of a connection, and
// [Session] has the handshake and the frames of both sides.
//
// A connection starts with one packet of 256 bytes. It carries the keys of the session, encrypted with the secret that
// both sides derive from their Ed25519 keys. After it each direction is an AES-CTR stream of frames: length (4 bytes,
// little endian), nonce (32), payload, SHA-256 of nonce and payload (32). A query has a random 256-bit id, and the
// response repeats it, so responses may arrive in any order. A response with an unknown id is dropped.
//
// The package does not verify the content of responses; package node does.
package adnl
