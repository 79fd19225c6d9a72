// Package graph contains the GraphQL schema, one .graphqls file per kind of object, and the executor that command generate
// writes from it. The GraphQL types are bound to the structs of package chain; package resolvers implements the resolvers.
package graph
