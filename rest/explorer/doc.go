// Package explorer serves the block explorer at /explorer, a page that uses the GraphQL API only.
//
// The page is written in app/ (TypeScript and Preact) and built into dist/ with `make explorer`; dist is committed
// and embedded, so that building tonql needs no Node.
package explorer
