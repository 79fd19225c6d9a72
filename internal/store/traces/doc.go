// Package traces assembles traces while blocks are written, classifies complete traces into actions, and reads both. [Step]
// assembles the traces of a batch, [TableWriter] writes their rows, [Reader] reads traces and actions.
package traces
