// Package sqlbuild has what all packages below internal/store share to speak SQL: the statement builder with orders and
// pages, readers of binary rows, writers of COPY streams, arrays, and the translation of database errors.
//
// Every value is bound. Pieces of statements are constants, so that the texts form a small closed set, which stays prepared
// on its connection.
package sqlbuild
