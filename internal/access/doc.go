// Package access decides who may ask how often: keys, the plans of their owners, and token buckets.
//
// A request spends tokens of a bucket: the one of the key's owner on this network, which all keys of that owner share, or
// the one of the client's address when it brings no key. A bucket fills at the plan's rate and holds one second's worth.
// One gateway keeps its buckets in memory; several on one database lease tokens from it in small batches, so that together
// they allow what the plan says and not a token more.
//
// Nothing here knows HTTP or SQL: requests are told apart by package rest, keys and leases are kept by a [Store].
package access
