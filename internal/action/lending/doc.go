// Package lending recognizes supplies, withdrawals and liquidations of the EVAA lending protocol. Importing it registers its
// kinds with package action.
package lending
