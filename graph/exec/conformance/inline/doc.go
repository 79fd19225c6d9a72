// Package inline is the executor that command generate writes from the schema of package conformance.
package inline
