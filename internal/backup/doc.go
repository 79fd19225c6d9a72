// Package backup makes and restores backups of a data folder: a base backup of the private PostgreSQL, and the files that are
// outside of it. A backup is a folder:
//
//	postgres/          base backup with its manifest and the log that makes it consistent
//	data/              files of the data folder: trusted blocks, the local chain, the key of webhook secrets
//	tonql-backup.json  version, time and hashes; written last
//
// The database is copied first and the log of the local chain last, so that no copied part is ahead of the chain.
package backup
