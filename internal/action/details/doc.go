// Package details gives each kind of action the form in which people meet it: one struct per kind, whose JSON is the
// `details` member of the published interface (v3), and whose fields are those of the GraphQL union ActionDetails.
//
// The classifier's rows hold the same facts in columns that all kinds share. A field says in its tags where it comes
// from, so that a kind is nothing but its struct:
//
//	Sender  *chain.Address `json:"sender" from:"source"`
//	QueryID *Number        `json:"query_id" from:"jetton_transfer_data."`
//
// Without `from` the column has the member's own name; a path that ends with a dot means the member's own name within a
// composite column; `from:"-"` means that the struct fills the field by itself, in complete.
//
// A nil pointer is printed as null, and left out where the tag says omitempty. An asset that is nil is TON. Amounts are
// in the smallest unit of their asset.
//
//go:generate go run ./sdl -details . -schema ../../../graph/action_details.graphqls -document ../../../docs/action-details.md
package details
