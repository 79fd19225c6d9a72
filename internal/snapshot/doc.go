// Package snapshot copies the index from one database into another: tables in PostgreSQL's binary COPY format, compressed, with a
// manifest that names every file by its hash. Settings of an installation, such as keys, merchants and payments, are not part of it.
//
// A snapshot is a folder:
//
//	TABLE-NNNNNN.copy.zst  rows of a range of a table's pages, all files as of one moment
//	tonql-snapshot.json    tables, files, schema and indexed ranges; written last
//
// An import copies into tables without indexes and constraints, which it creates afterwards, and ends with a check by its caller. Each
// file is one transaction, so an interrupted import continues with the first file that it has not copied. Until the end the database has
// the tables of the import, by which other commands refuse it ([Unfinished]).
//
// The manifest and the files are untrusted: names are derived and not read, sizes are limited to those of the manifest, and rows that do
// not have the types of their columns are refused by PostgreSQL. What the rows say is for the caller's check.
package snapshot
