// Package graphql is the GraphQL door over HTTP: transports, limits, error masking and the playground page around the
// generated executor. It adds no answers of its own; those come from the resolvers.
//
// A request passes these layers, cheapest first: body bytes, tokens, validation, one walk over the operation that
// bounds depth, aliases, root fields, fields after expansion and cost, then the wall clock. All limits are published
// by the schema's serviceConfig.
package graphql
