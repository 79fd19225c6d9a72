// Package synthetic makes an index of a given size out of nothing: the same rows for the same options, consistent with
// each other (messages join transactions, states follow states, LT and time grow together), with the shape that makes
// an index slow, a few very busy accounts among many idle ones. Benchmarks and load tests measure on it.
//
// The rows look like the chain's but are not: hashes are random numbers and bags of cells are random bytes.
package synthetic
