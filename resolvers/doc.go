// Package resolvers holds every query of the APIs. [Service] returns chain types; the GraphQL adapters in *.resolvers.go and
// both REST APIs call it and add only parsing and rendering.
//
// Queries read the index through store.Reader. Package emulate executes contracts, and package pending emulates messages that
// no block holds. The network, a chain.Node, serves commands and blocks outside the index.
//
// The Service checks the limits of requests (rows of a page, number of addresses, required filters), so every API rejects
// the same requests with the same error.
package resolvers
