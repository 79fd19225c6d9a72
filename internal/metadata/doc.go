// Package metadata follows the content of tokens to what it names.
package metadata
