// Package sourcefile fetches the sources of contracts that records of the registry of verified sources name: a JSON list in IPFS,
// and the files that it names, through the gateways of the operator.
//
// List and files are untrusted. Their number, bytes and the time to fetch them are bounded; names of files are relative paths
// without parent folders; files are UTF-8. What the files compile to is not judged here.
package sourcefile
