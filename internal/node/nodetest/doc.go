// Package nodetest stands between a node client and the truth: liteservers for tests that answer from a function, and
// proxies before real liteservers that lie, stall and break on demand.
package nodetest
