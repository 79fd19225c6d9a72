// Package loaders batches the reads of one GraphQL request: the index is read with one statement for all keys that one
// level of the query needs, however many rows refer to them.
//
// A [Set] is created for each request, because it caches every row, and is part of the request's context. There is one
// file for each kind of object. A missing row is nil.
package loaders
