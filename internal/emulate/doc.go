// Package emulate executes contracts that run outside of blocks: get-methods, fee estimates, checks of external messages,
// and emulation of a message with everything that it causes.
//
// An [Emulator] runs them in the local TVM at one masterchain block, a [View]. Account states, blocks, configuration and
// libraries come from an [Index]; where the index lacks them, the node proves them. An [Emulation] executes messages in
// the order of logical time on the states of a View; [Trace] assembles its transactions into a trace.
//
// The code and the messages are untrusted: every execution is bounded in time, gas and memory by package boundedvm, and
// every walk over cells by package cellgraph.
package emulate
