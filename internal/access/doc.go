// Package access authenticates API keys and limits requests by the plans of their owners.
//
// A request takes tokens from a bucket: that of the key's owner on this network, which all keys of the owner share, or that of
// the client's address without a key. A bucket fills at the plan's rate and holds the tokens of one second. A single gateway
// holds its buckets in memory; gateways that share a database lease tokens from it in small batches, so that together they
// allow no more than the plan.
//
// The package contains no HTTP and no SQL: package rest identifies requests, a [Store] stores keys and leases.
package access
