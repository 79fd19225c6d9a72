// Package conformance checks a server of the TON APIs from outside, over HTTP: /api/v2, /api/v3, /api/emulate, GraphQL and the streaming API.
//
// A [Check] is a row of a table: an id that never changes, the sentence that it checks, and the section of our documents
// that explains it. The facts that checks compare are read from the server itself, so any chain and any server will do: a
// recent block, an account of it, a message between two of its transactions. A check fails at its first contradiction. It is
// skipped when the chain has nothing to check it with.
//
// The server is untrusted: [Options] bound the time of a run and of a request, the requests a second, and the size of
// responses; redirects are not followed.
package conformance
