// Package merchant is the door through which shops ask for payments: POST create-transfer registers a transfer and gives
// the message that the payer's wallet is to sign, GET transfer tells what became of it. Paths, fields and answers are
// those that the public SDK for payments calls.
//
// A merchant's key (header x-api-key) may stand in the code of a page: it creates and reads transfers, nothing else.
// Without a key a message is built as well, but nothing is kept of it, so nobody is notified and its status is unknown
// here.
package merchant
