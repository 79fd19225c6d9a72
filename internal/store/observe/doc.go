// Package observe times the statements that the pools send, and names them for metrics and traces.
package observe
