// Package details holds the published form of each kind of action: one struct per kind. Its JSON is the `details` field of
// REST v3, and its fields are those of the GraphQL union ActionDetails.
//
// The rows of package action hold the same values in columns that all kinds share. The tags of a field name its column, so
// most kinds need nothing but their struct:
//
//	Sender  *chain.Address `json:"sender" from:"source"`
//	QueryID *Number        `json:"query_id" from:"jetton_transfer_data."`
//
// Without `from`, the column has the name of the field. A path that ends with a dot is the field's name within a composite
// column. `from:"-"` marks a field that the method complete sets.
//
// A nil pointer is printed as null, or omitted where the tag has omitempty. An asset that is nil is TON. Amounts are in the
// smallest unit of their asset.
//
//go:generate go run ./sdl -details . -schema ../../../graph/action_details.graphqls -document ../../../docs/action-details.md
package details
