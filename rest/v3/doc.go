// Package v3 serves the indexed REST API at /api/v3. It parses parameters, calls resolvers.Service and encodes the
// results in the published format, with an address book. docs/compatibility.md lists the differences from the published
// service.
//
// routes.go is the table of all routes.
package v3
