// Package live has what connections with live events have in common, whatever is sent over them: their numbers by client, WebSocket connections and
// server-sent events whose clients read too slowly or not at all, and the wait for their end.
package live
