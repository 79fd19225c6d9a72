// Package payment holds the rules of merchants' payments: transfers that are registered before they are signed, matching them
// with traces, and the signed events about them. It does no I/O.
//
// # How a payment is matched
//
// The body of the paying message is built here, so its cell hash is certain before it is signed. It contains the payment's
// reference, so no two are equal. The keys of a match, strongest first:
//
//   - the hash of the body;
//   - the id of an invoice payload;
//   - a text comment that is or ends with the reference;
//   - for Jettons, a generated query id together with the sender.
//
// A native payment counts when it reached the recipient and did not bounce. A Jetton payment counts when the recipient's genuine Jetton
// wallet credited it: the one that the Jetton's master named at registration. Other contracts are ignored. The amount is the received one.
//
// A failure counts only when the registered sender caused it: third parties cannot make a payment fail.
//
// # Events
//
// [Event] serializes an event as JSON in JavaScript's format, so that a receiver that parses and prints the body before it
// verifies the signature gets the same bytes. The body is serialized once; every attempt sends these bytes.
package payment
