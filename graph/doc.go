// Package graph is the GraphQL schema, one .graphqls file per noun, and the executor
// that gqlgen writes from it. The types are the domain's own structs; answers come
// from package resolvers.
package graph
