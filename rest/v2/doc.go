// Package v2 serves the v2 API at /api/v2: the methods of a node as JSON, over REST and JSON-RPC.
//
// A successful response is {"ok":true,"result":…,"@extra":…}, an error response {"ok":false,"error":…,"code":…,"@extra":…}
// with code as the HTTP status. Results have tonlib's format, each object with its @type: LTs, shards and amounts are
// decimal strings, seqnos and times are numbers, hashes and cells are base64. Absent values are omitted.
//
// Parameters are read in the same way from a query string, from a JSON body and from the params of JSON-RPC, see params.
// Results come from the index and the local TVM through resolvers.Service.
package v2
