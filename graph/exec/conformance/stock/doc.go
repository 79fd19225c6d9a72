// Package stock is the executor that gqlgen generates from the schema of package conformance.
package stock
