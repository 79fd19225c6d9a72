// Package loaders batches what one GraphQL request asks of the index: all the keys that one level of a query needs
// become one statement, however many rows ask.
//
// A [Set] is made per request, because it remembers every answer, and travels in the request's context. There is one
// file per noun; [Batch] is what makes all of them. Rows that the index does not hold come back as nil.
package loaders
