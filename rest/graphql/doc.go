// Package graphql serves the GraphQL API over HTTP, WebSocket and server-sent events: transports, limits, error masking and
// the playground page around the generated executor. The resolvers return the data.
//
// A request is checked in this order, cheapest check first: size of the body, number of tokens, validation, one walk over
// the operation that bounds depth, aliases, root fields, fields after expansion and cost, and the time of execution. The
// field serviceConfig returns all limits.
package graphql
