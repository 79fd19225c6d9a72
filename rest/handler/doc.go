// Package handler is what the doors share: parameter readers that follow the published parsing rules, append-style JSON
// printers with a streaming buffer, and the wrapper every request runs in (id, deadline, log line, recovery, metrics).
//
// It knows the nouns of package chain and HTTP, and nothing of any particular interface.
package handler
