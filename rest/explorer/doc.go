// Package explorer is the page at /explorer: what is on the chain, for people. It asks nothing but our own GraphQL.
//
// The page is written in app/ (TypeScript and Preact) and built into dist/ with `make explorer`; dist is kept in the
// repository and embedded, so that building tonql needs no Node.
package explorer
