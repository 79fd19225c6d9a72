// Package handler is shared by the HTTP APIs: parameter readers that follow the published parsing rules, append-style JSON
// encoders with a streaming buffer, and the wrapper of every request (id, log line, recovery from panics, metrics).
//
// It depends on HTTP and the types of package chain only, not on a particular API.
package handler
