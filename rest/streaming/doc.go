// Package streaming serves /api/streaming/v2, the live API of wallets, as TON Center publishes it: over server-sent events, where the body of the
// request is the subscription, and over WebSocket, where messages change it.
//
// A connection is a [feed.Stream] with a subscription. The session selects what the subscription requests of each batch of blocks, and of each update of
// a pending trace. It sends one notification for each trace and type, with the objects of REST v3. A connection holds its
// position only: a client that reads slowly loses the connection, and no event is queued for it.
package streaming
