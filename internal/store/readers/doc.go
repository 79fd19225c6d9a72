// Package readers has the databases to read from: the primary and standbys. It chooses one for each request and repeats a request whose
// database or server was lost ([Try]), reads one state of the index in several round trips (snapshots), and reads the rows of cold servers
// when those of the index are not enough (cold.go, health.go).
package readers
