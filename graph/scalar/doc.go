// Package scalar converts between chain types and GraphQL scalars, one file per scalar. Each Marshal function has an Append
// function beside it that writes the same text to a buffer. Errors of Unmarshal functions name the accepted forms.
package scalar
