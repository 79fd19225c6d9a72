// Package names reads what addresses are called: their rows of the address book and the metadata of tokens. A [Cache] has them at one version
// of the index; the writer records each change of a name under the next version.
package names
