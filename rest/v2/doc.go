// Package v2 serves the older published interface at /api/v2: the words of a node, as JSON, over REST and JSON-RPC.
//
// Every answer is {"ok":true,"result":…,"@extra":…}, every refusal {"ok":false,"error":…,"code":…,"@extra":…} with the
// same status. Results have the forms of tonlib, each object with its @type: logical times, shards and amounts as
// decimal strings, seqnos and times as numbers, hashes and cells in base64. A key that has no value is left out.
//
// What routes ask is read the same way from a query string, from a JSON body and from the params of JSON-RPC, see
// params; the index and the local TVM answer it through resolvers.Service.
package v2
