// Package v3 is the indexed REST interface under /api/v3: it parses parameters, asks resolvers.Service and prints
// the published form, with its address book. docs/compatibility.md lists where it differs from the published service.
//
// routes.go is the table of everything the interface has.
package v3
