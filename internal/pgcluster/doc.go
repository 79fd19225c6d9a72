// Package pgcluster runs a PostgreSQL primary with streaming standbys on this machine, each a private server of
// [embeddedpg] with a folder and a socket. It is for tests and trials of what happens past one server: standbys that lag,
// lost servers, promotions.
package pgcluster
