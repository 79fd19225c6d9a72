// Package nodetest provides liteservers for tests: servers whose responses come from a function, and proxies in front of
// real liteservers that lie, stall and break on demand.
package nodetest
