// Package scalar turns chain types into GraphQL scalars and back. One file per scalar; every refusal names the forms
// that would be right.
package scalar
