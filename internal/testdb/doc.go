// Package testdb creates a separate PostgreSQL database for every test: a clone of a template to which all migrations
// have been applied, dropped when the test succeeds and retained when it fails. Nothing stands in for the server.
//
// The server is the one TONQL_TEST_DATABASE_URL names (a superuser's DSN; databases are made and dropped there), else a
// private one that the first [New] of a test binary starts and [Main] stops. A binary that dies takes its server along,
// and what it leaves on disk is removed by the next.
//
// Tests that begin with the same rows have [Copies].
//
// The factories ([Transaction], [Message], [Account], [Block]) put one row into the index with defaults that fit
// together: each adds a masterchain block, later than all before it in seqno, time and LT. A test that needs
// more than a row builds a [Master], adds to it ([NewTransaction], [NewSent], [AddContract]), and applies it.
package testdb
