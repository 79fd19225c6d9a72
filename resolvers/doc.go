// Package resolvers gives every answer the doors give. [Service] holds the answers, in chain types; the GraphQL adapters
// in *.resolvers.go and both REST interfaces call it and add only parsing and shape.
//
// Reads come from the index through store.Reader; the live network is reached for commands only, through chain.Node.
// The Service checks what callers may ask (page limits, how many addresses, required filters) so that every door
// refuses the same things with the same sentences.
package resolvers
