// Package payment knows what merchants are told about: transfers that were registered before they were signed, how one
// is recognised in a finished trace, what the notice says and how it is signed. It does no I/O.
//
// # How a payment is recognised
//
// The body of the message that pays is built here, so its cell hash is known before anybody signs it, and it holds the
// payment's reference, so no two are equal. A message is matched, strongest first, by that hash, by the id of an invoice
// payload, by a text comment that is or ends with the reference, and, for Jettons, by a query id of ours together with
// the sender. A native payment counts when it reached the recipient and did not bounce. A Jetton payment counts when the
// recipient's genuine Jetton wallet, which the Jetton's master named at registration, credited it: what other contracts
// claim is worth nothing. The amount is that which arrived.
//
// A failure counts only when the registered sender caused it: who pays cannot be made to fail by others.
//
// # What the notice says
//
// [Event] prints one JSON text, the way JavaScript prints it, so that a receiver that verifies the parsed and printed
// body finds the same bytes. The text is made once; every attempt sends these bytes.
package payment
