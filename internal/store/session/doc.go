// Package session prepares each connection to PostgreSQL: it applies the settings that statements rely on, checks that they
// are in effect, and identifies the server. Settings are applied after the connection is made rather than sent with it, because
// connection poolers refuse or drop settings that they do not know.
package session
