// Package batch has the work of one database transaction of the writer, which all write steps share.
package batch
