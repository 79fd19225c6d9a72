// Package cocoon recognizes the actions of Cocoon, a network of workers and proxies that clients pay for computations.
// Importing it registers its kinds with package action.
package cocoon
